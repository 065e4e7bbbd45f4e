//===- ConfinedMemory.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows an address through a function and into its callees. `nocapture` is
// not enough: it says that no copy outlives the call, so a callee that waits
// for the threads it hands the address to may have it. It is trusted on
// functions of libc only; others are looked into.
//
// Objects that keep pointers into themselves are given up, but for libstdc++'s
// std::string: its first word is a pointer, to its own buffer (which follows
// from kBuffer on) or to memory of the heap. What is read from that word is
// followed as well. What it has on the heap is its own if no string that is
// moved to it, or from it, is of unknown origin: then that is confined, too.
//
//===----------------------------------------------------------------------===//

#include "pass/selection/ConfinedMemory.h"

#include "pass/base/RuntimeHooks.h"
#include "pass/selection/PrivateMemory.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace atsan {

namespace {

constexpr int64_t kWord = 8;
constexpr int64_t kBuffer = 16;

// Where in a string a pointer points: to a byte from its start on, or...
constexpr int64_t kInBuffer = -1; // Its own, or what it has on the heap.
constexpr int64_t kAnywhere = -2;

// Calls are followed so deep; the stack of the compiler has an end.
constexpr unsigned kMaxDepth = 256;

constexpr StringLiteral kString = "std::__cxx11::basic_string";

bool isString(const AllocaInst &Object) {
  auto *Ty = dyn_cast<StructType>(Object.getAllocatedType());
  if (!Ty || !Ty->hasName() || Object.isArrayAllocation())
    return false;
  StringRef Name = Ty->getName();
  return Name.consume_front("class.") && Name.consume_front(kString) &&
         (Name.empty() || Name.starts_with("."));
}

/// The mangled rest of the name of a member of std::string that is compiled
/// into the library; of others, an empty string, and of those that make a given
/// address a string's. The others copy characters, and keep no address but in a
/// string's first word; some return one.
StringRef libraryMember(const Function &F) {
  StringRef Name = F.getName();
  if (F.isDeclaration() &&
      (Name.consume_front("_ZNS") || Name.consume_front("_ZNKS")) &&
      Name.consume_front("t7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE") &&
      !Name.starts_with("7_M_dataEPc") && !Name.starts_with("12_Alloc_hider"))
    return Name;
  return "";
}

/// The member that only allocates: (this, size_type &capacity, size_type old).
bool isCreate(StringRef Member) { return Member == "9_M_createERmm"; }

/// Takes memory from another string, or gives it away.
bool moves(StringRef Member) {
  return Member.contains("OS4_") || Member.starts_with("4swap");
}

bool returnsThis(StringRef Member) {
  for (StringRef Prefix :
       {"9_M_append", "10_M_replace", "14_M_replace_aux", "6append", "6assign",
        "6insertEm", "7replaceEm", "aS", "pL"})
    if (Member.starts_with(Prefix))
      return true;
  return false;
}

/// Returns nothing that has an address in it, also not in memory: a string
/// that is made has none but its own.
bool returnsNoAddress(const CallBase &Call, StringRef Member) {
  return (Call.getType()->isVoidTy() || Call.getType()->isIntegerTy()) &&
         (!Call.hasStructRetAttr() || Member == "6substrEmm");
}

/// Hands what it gets to a stream, and that may hand it to a function of the
/// program (fopencookie), which may know another thread.
bool isForStream(LibFunc F) {
  switch (F) {
  case LibFunc_fiprintf:
  case LibFunc_fprintf:
  case LibFunc_fputs:
  case LibFunc_fputs_unlocked:
  case LibFunc_fread:
  case LibFunc_fread_unlocked:
  case LibFunc_fwrite:
  case LibFunc_fwrite_unlocked:
  case LibFunc_iprintf:
  case LibFunc_perror:
  case LibFunc_printf:
  case LibFunc_puts:
  case LibFunc_vfprintf:
  case LibFunc_vprintf:
    return true;
  default:
    return false;
  }
}

/// Whether the body at hand is what is called, or does the same. An inline
/// function of C may have another one elsewhere.
bool isKnownBody(const Function &F) {
  return !F.isDeclaration() && !F.isInterposable() &&
         !F.hasAvailableExternallyLinkage() && !F.isPresplitCoroutine() &&
         !F.hasFnAttribute(Attribute::Naked);
}

/// Follows one pointer through one function.
class Walk {
public:
  /// AsOwner: also ask whether the memory of all strings that are followed is
  /// their own. If not, it leaks.
  Walk(ConfinedMemory &Confined, Function &F, Value *Root, bool IsString,
       bool AsOwner = false)
      : Confined(Confined), TLI(Confined.libraryOf(F)),
        DL(F.getParent()->getDataLayout()), Root(Root), IsString(IsString),
        AsOwner(AsOwner) {}

  Fate run();

  /// Values that were read from a string's first word, after a run.
  void addBuffers(SmallPtrSetImpl<const Value *> &Buffers) const {
    for (auto [V, Place] : Places)
      if (isa<LoadInst>(V) && Place == kInBuffer)
        Buffers.insert(V);
  }

private:
  bool follow(Value *V, int64_t Place);
  bool isHarmless(const Use &U, int64_t Place);
  bool isHarmlessLoad(LoadInst &Load, int64_t Place);
  bool isHarmlessStore(StoreInst &Store);
  bool isOwn(Value *Stored);
  bool isOwnStore(StoreInst &Store, int64_t Place);
  bool isHarmlessCall(CallBase &Call, const Use &U, int64_t Place);
  int64_t placeOf(GEPOperator &GEP, int64_t Place) const;

  /// Whether the first word of a string may be read through a pointer. One
  /// into a buffer stays in that array, as in any C++ program.
  bool mayReadWord(int64_t Place) const {
    return IsString && (Place == kAnywhere || (Place >= 0 && Place < kWord));
  }

  ConfinedMemory &Confined;
  TargetLibraryInfo &TLI;
  const DataLayout &DL;
  Value *Root;
  bool IsString;
  bool AsOwner;
  bool IsReturned = false;
  DenseMap<Value *, int64_t> Places;
  SmallVector<Value *, 16> Worklist;
};

bool Walk::follow(Value *V, int64_t Place) {
  if (!IsString)
    Place = 0;
  auto [It, IsNew] = Places.try_emplace(V, Place);
  if (IsNew)
    Worklist.push_back(V);
  return It->second == Place;
}

int64_t Walk::placeOf(GEPOperator &GEP, int64_t Place) const {
  if (Place < 0)
    return Place;
  APInt Offset(DL.getIndexTypeSizeInBits(GEP.getType()), 0);
  if (!GEP.accumulateConstantOffset(DL, Offset))
    return Place >= kBuffer ? kInBuffer : kAnywhere;
  int64_t There = Place + Offset.getSExtValue();
  return There < 0 ? kAnywhere : There;
}

bool Walk::isHarmlessLoad(LoadInst &Load, int64_t Place) {
  if (!mayReadWord(Place))
    return true;
  if (!Load.getType()->isPointerTy())
    return false;
  return follow(&Load, Place == 0 ? kInBuffer : kAnywhere);
}

/// Whether a store keeps the pointer where it can be found again: in the first
/// word of a string. A string that is moved to another gives its word away, so
/// both are followed.
bool Walk::isHarmlessStore(StoreInst &Store) {
  Value *To = Store.getPointerOperand();
  if (To == Root)
    return true;
  auto *Other = dyn_cast<AllocaInst>(To);
  return Other && isString(*Other) && follow(Other, 0);
}

/// A string's own buffer, fresh memory, or what another string had.
bool Walk::isOwn(Value *Stored) {
  SmallPtrSet<Value *, 8> Seen;
  SmallVector<Value *, 8> Worklist{Stored};
  while (!Worklist.empty()) {
    Value *V = Worklist.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      append_range(Worklist, Phi->incoming_values());
      continue;
    }
    if (auto *Call = dyn_cast<CallBase>(V)) {
      Function *Callee = Call->getCalledFunction();
      if (!Callee || !isCreate(libraryMember(*Callee)) || !follow(V, kInBuffer))
        return false;
      continue;
    }
    auto *From = dyn_cast<LoadInst>(V);
    Value *Object = From ? From->getPointerOperand() : V;
    if (!From)
      Object = V->stripInBoundsConstantOffsets();
    if (Object == Root)
      continue;
    auto *Other = dyn_cast<AllocaInst>(Object);
    if (!Other || !isString(*Other) || !follow(Other, 0))
      return false;
  }
  return true;
}

/// A store into a string, not of one of its pointers.
bool Walk::isOwnStore(StoreInst &Store, int64_t Place) {
  if (!AsOwner || !mayReadWord(Place))
    return true;
  return Place == 0 && Store.getValueOperand()->getType()->isPointerTy() &&
         isOwn(Store.getValueOperand());
}

bool Walk::isHarmlessCall(CallBase &Call, const Use &U, int64_t Place) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || !Call.isArgOperand(&U))
    return false;
  unsigned ArgNo = Call.getArgOperandNo(&U);
  if (Call.isByValArgument(ArgNo))
    return !mayReadWord(Place);
  StringRef Name = Callee->getName();
  if (isa<MemTransferInst>(Call) || Name == "__atsan_memcpy" ||
      Name == "__atsan_memmove") {
    if (ArgNo == 1 || AsOwner)
      return !mayReadWord(Place) && (ArgNo == 1 || follow(&Call, Place));
    return follow(&Call, Place);
  }
  if (isa<MemSetInst>(Call) || Name == "__atsan_memset")
    return follow(&Call, Place);
  if (isHook(Name))
    return true;
  if (StringRef Member = libraryMember(*Callee); !Member.empty()) {
    if (isCreate(Member))
      return IsString || ArgNo == 1;
    if (AsOwner && moves(Member))
      return false;
    if (!IsString || !Call.getType()->isPointerTy())
      return IsString && returnsNoAddress(Call, Member);
    if (returnsThis(Member))
      return ArgNo != 0 || follow(&Call, Place);
    return follow(&Call, kAnywhere);
  }
  LibFunc Known;
  if (Callee->isDeclaration() && TLI.getLibFunc(*Callee, Known) &&
      TLI.has(Known) && !isForStream(Known) &&
      (Call.doesNotCapture(ArgNo) || getFreedOperand(&Call, &TLI) == U.get()))
    return !mayReadWord(Place);

  if (!isKnownBody(*Callee) || ArgNo >= Callee->arg_size() ||
      (Place != 0 && mayReadWord(Place)))
    return false;
  if (AsOwner && Place == 0 && !Confined.keepsOwn(*Callee->getArg(ArgNo)))
    return false;
  switch (Confined.fate(*Callee->getArg(ArgNo), IsString && Place == 0)) {
  case Fate::Stays:
    return true;
  case Fate::Returned:
    return follow(&Call, Place == 0 ? kAnywhere : Place);
  case Fate::Leaks:
    return false;
  }
  llvm_unreachable("fate missing above");
}

bool Walk::isHarmless(const Use &U, int64_t Place) {
  auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I)
    return false;
  if (auto *Load = dyn_cast<LoadInst>(I))
    return isHarmlessLoad(*Load, Place);
  if (auto *GEP = dyn_cast<GEPOperator>(I))
    return GEP->getType()->isPointerTy() && follow(I, placeOf(*GEP, Place));
  switch (classifyUse(U)) {
  case UseKind::Access:
    if (auto *Store = dyn_cast<StoreInst>(I))
      return isOwnStore(*Store, Place);
    // What an atomic or a vector access reads is not followed.
    return isa<ICmpInst, LifetimeIntrinsic>(I) || !mayReadWord(Place);
  case UseKind::Derives:
    return follow(I, Place >= kBuffer ? kInBuffer : Place);
  case UseKind::Escapes:
    break;
  }
  if (auto *Store = dyn_cast<StoreInst>(I))
    return IsString && isHarmlessStore(*Store);
  if (isa<ReturnInst>(I)) {
    IsReturned = true;
    return true;
  }
  if (auto *Call = dyn_cast<CallBase>(I))
    return isHarmlessCall(*Call, U, Place);
  return false;
}

Fate Walk::run() {
  follow(Root, 0);
  while (!Worklist.empty()) {
    Value *V = Worklist.pop_back_val();
    int64_t Place = Places.lookup(V);
    for (const Use &U : V->uses())
      if (!isHarmless(U, Place))
        return Fate::Leaks;
  }
  return IsReturned ? Fate::Returned : Fate::Stays;
}

} // namespace

bool ConfinedMemory::contains(AllocaInst &Object,
                              SmallPtrSetImpl<const Value *> &Buffers) {
  Function &F = *Object.getFunction();
  bool IsString = isString(Object);
  if (Walk(*this, F, &Object, IsString).run() != Fate::Stays)
    return false;
  if (!IsString)
    return true;
  Walk Owner(*this, F, &Object, IsString, /*AsOwner=*/true);
  if (Owner.run() == Fate::Stays)
    Owner.addBuffers(Buffers);
  return true;
}

Fate ConfinedMemory::fate(Argument &Arg, bool IsString) {
  if (Depth == kMaxDepth)
    return Fate::Leaks;
  // A function that calls itself finds that its argument leaks.
  PointerIntPair<Argument *, 1, bool> Key(&Arg, IsString);
  auto [It, IsNew] = Fates.try_emplace(Key, Fate::Leaks);
  if (!IsNew)
    return It->second;
  SaveAndRestore Deeper(Depth, Depth + 1);
  Fate Result = Walk(*this, *Arg.getParent(), &Arg, IsString).run();
  Fates[Key] = Result;
  return Result;
}

bool ConfinedMemory::keepsOwn(Argument &String) {
  if (Depth == kMaxDepth)
    return false;
  auto [It, IsNew] = Own.try_emplace(&String, false);
  if (!IsNew)
    return It->second;
  SaveAndRestore Deeper(Depth, Depth + 1);
  Walk Owner(*this, *String.getParent(), &String, /*IsString=*/true,
             /*AsOwner=*/true);
  bool Result = Owner.run() != Fate::Leaks;
  Own[&String] = Result;
  return Result;
}

} // namespace atsan
