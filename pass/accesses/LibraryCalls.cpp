//===- LibraryCalls.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime could define these functions itself, as it does those of libc. It
// would then export names of C++ from programs in C, and had to find the real
// ones where the C++ library is linked statically, or loaded later. The pass
// hands over the real one with the call:
//
//   _M_need_rehash(policy, buckets, ...)
//   __atsan_cxx_need_rehash(&_M_need_rehash, policy, buckets, ...)
//
//===----------------------------------------------------------------------===//

#include "pass/accesses/LibraryCalls.h"

#include "lib/base/NamePattern.h"
#include "pass/base/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace atsan {

namespace {

enum class Way {
  /// Call the hook with the real function and its arguments.
  InPlace,
  /// Call the hook with the real function, a number and the arguments. The
  /// number is the size of the last parameter, or of what that points to.
  InPlaceSized,
  /// Call the hook behind the call, with the result's pointer and error code,
  /// the first two arguments, and the third where it is an address.
  Behind,
};

struct LibraryCall {
  const char *Name; ///< A pattern with * and ?.
  const char *Hook;
  Way How = Way::InPlace;
};

constexpr LibraryCall kTable[] = {
    // Functions of libstdc++ and of libc++.
    {"__dynamic_cast", "__atsan_cxx_dynamic_cast"},
    // Functions of libstdc++.
    {"_ZNSt8__detail15_List_node_base7_M_hookEPS0_", "__atsan_cxx_list_hook"},
    {"_ZNSt8__detail15_List_node_base9_M_unhookEv", "__atsan_cxx_list_unhook"},
    {"_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_",
     "__atsan_cxx_list_transfer"},
    {"_ZNSt8__detail15_List_node_base10_M_reverseEv",
     "__atsan_cxx_list_reverse"},
    {"_ZNSt8__detail15_List_node_base4swapERS0_S1_", "__atsan_cxx_list_swap"},
    {"_ZSt18_Rb_tree_incrementP*", "__atsan_cxx_tree_increment"},
    {"_ZSt18_Rb_tree_decrementP*", "__atsan_cxx_tree_decrement"},
    {"_ZSt29_Rb_tree_insert_and_rebalancebP*", "__atsan_cxx_tree_insert"},
    {"_ZSt28_Rb_tree_rebalance_for_eraseP*", "__atsan_cxx_tree_erase"},
    {"_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
     "__atsan_cxx_need_rehash"},
    {"_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm",
     "__atsan_cxx_next_bkt"},
    {"_ZSt11_Hash_bytesPKvmm", "__atsan_cxx_hash"},
    {"_ZSt15_Fnv_hash_bytesPKvmm", "__atsan_cxx_hash"},
    {"_ZSt7getlineI?St11char_traitsI?ESaI?EERSt13basic_istreamI*7__cxx11*",
     "__atsan_cxx_getline", Way::InPlaceSized},
    {"_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamI*7__cxx11*",
     "__atsan_cxx_get_word"},
    {"_ZNSi7getlineEPclc", "__atsan_cxx_getline_array", Way::InPlaceSized},
    {"_ZNSt13basic_istreamIwSt11char_traitsIwEE7getlineEPwlw",
     "__atsan_cxx_getline_array", Way::InPlaceSized},
    {"_ZSt17__istream_extractRSiPcl", "__atsan_cxx_get_word_array"},
    {"_ZNSi6ignoreE*", "__atsan_cxx_ignore"},
    {"_ZNSt13basic_istreamIwSt11char_traitsIwEE6ignoreE*",
     "__atsan_cxx_ignore"},
    {"_ZNKSt7num_getI*E3getES*", "__atsan_cxx_get_number", Way::InPlaceSized},
    {"_ZSt8to_charsPcS_?*", "__atsan_cxx_to_chars", Way::Behind},
    {"_ZSt10from_charsPKcS0_R?St12*", "__atsan_cxx_from_chars", Way::Behind},
    {"_ZNSt8ios_base15sync_with_stdioEb", "__atsan_cxx_sync_with_stdio"},
    // Functions of libc++.
    {"_ZNSt3__16__sortIRNS_6__less*", "__atsan_cxx_sort"},
    {"_ZNKSt3__17num_getI*E3getB*", "__atsan_cxx_get_number_libcxx",
     Way::InPlaceSized},
    {"_ZNSt3__18to_charsEPcS0_*", "__atsan_cxx_to_chars", Way::Behind},
};

const LibraryCall *find(StringRef Name) {
  const atsan_names::Text Text{Name.data(), Name.data() + Name.size()};
  if (Name.starts_with("_ZNSt") || Name.starts_with("_ZNKSt") ||
      Name.starts_with("_ZSt") || Name.starts_with("_ZNSi") ||
      Name.starts_with("__d"))
    for (const LibraryCall &Call : kTable)
      if (atsan_names::Matches(atsan_names::TextOf(Call.Name), Text))
        return &Call;
  return nullptr;
}

/// The size of the type that ends a mangled name, by its letter in the C++ ABI.
unsigned sizeOfLast(StringRef Name) {
  if (Name.ends_with("RPv"))
    return 8;
  switch (Name.back()) {
  case 'b':
  case 'c':
    return 1;
  case 's':
  case 't':
    return 2;
  case 'i':
  case 'j':
  case 'f':
  case 'w':
    return 4;
  case 'e':
    return 10; // A long double has 6 bytes of padding.
  default:
    return 8;
  }
}

/// The size of the last argument, or of what it points to.
unsigned sizeOfLast(const CallBase &Call, StringRef Name) {
  Type *Last = Call.getArgOperand(Call.arg_size() - 1)->getType();
  return Last->isIntegerTy() ? Last->getIntegerBitWidth() / 8
                             : sizeOfLast(Name);
}

/// The call's attributes that hold for the call of the hook, too: all but those
/// on memory. The hook has \p Added parameters more, which come first.
AttributeList attributesOf(const CallBase &Call, unsigned Added) {
  LLVMContext &C = Call.getContext();
  const AttributeList Old = Call.getAttributes();
  SmallVector<AttributeSet, 8> Params(Added);
  for (unsigned I = 0, N = Call.arg_size(); I != N; ++I)
    Params.push_back(
        Old.getParamAttrs(I).removeAttribute(C, Attribute::Returned));
  AttributeSet Fn = Old.getFnAttrs();
  Fn = Fn.removeAttribute(C, Attribute::Memory);
  return AttributeList::get(C, Fn, Old.getRetAttrs(), Params);
}

void callInPlace(CallBase &Call, const LibraryCall &How) {
  Module &M = *Call.getModule();
  Function *Real = Call.getCalledFunction();
  IRBuilder<> IRB(&Call);
  SmallVector<Value *, 8> Args = {Real};
  if (How.How == Way::InPlaceSized)
    Args.push_back(IRB.getInt64(sizeOfLast(Call, Real->getName())));
  const unsigned Added = Args.size();
  append_range(Args, Call.args());
  SmallVector<Type *, 8> Types;
  for (Value *Arg : Args)
    Types.push_back(Arg->getType());
  FunctionCallee Hook = M.getOrInsertFunction(
      How.Hook, FunctionType::get(Call.getType(), Types, /*isVarArg=*/false));

  CallBase *New;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call))
    New = IRB.CreateInvoke(Hook, Invoke->getNormalDest(),
                           Invoke->getUnwindDest(), Args);
  else
    New = IRB.CreateCall(Hook, Args);
  New->setAttributes(attributesOf(Call, Added));
  New->setDebugLoc(Call.getDebugLoc());
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

void callBehind(CallBase &Call, const LibraryCall &How) {
  auto *Result = dyn_cast<StructType>(Call.getType());
  if (!isa<CallInst>(Call) || !Result || Result->getNumElements() != 2 ||
      Call.arg_size() < 3)
    return;
  IRBuilder<> IRB(Call.getNextNode());
  IRB.SetCurrentDebugLocation(Call.getDebugLoc());
  Type *PtrTy = IRB.getPtrTy();
  Value *Third = Call.getArgOperand(2);
  const bool IsAddress = Third->getType()->isPointerTy();
  StringRef Name = Call.getCalledFunction()->getName();
  // In the mangled name, the third parameter's type stands behind the R of its
  // reference.
  const unsigned Size =
      IsAddress ? sizeOfLast(Name.take_front(Name.find("_R") + 3)) : 0;
  FunctionCallee Hook = Call.getModule()->getOrInsertFunction(
      How.Hook, FunctionType::get(IRB.getVoidTy(),
                                  {PtrTy, IRB.getInt32Ty(), PtrTy, PtrTy, PtrTy,
                                   IRB.getInt64Ty()},
                                  /*isVarArg=*/false));
  IRB.CreateCall(
      Hook, {IRB.CreateExtractValue(&Call, 0), IRB.CreateExtractValue(&Call, 1),
             Call.getArgOperand(0), Call.getArgOperand(1),
             IsAddress ? Third : ConstantPointerNull::get(IRB.getPtrTy()),
             IRB.getInt64(Size)});
}

} // namespace

void replaceLibraryCalls(Module &M, ArrayRef<Function *> Instrumented) {
  const SmallPtrSet<const Function *, 32> Callers(Instrumented.begin(),
                                                  Instrumented.end());
  for (Function &F : make_early_inc_range(M)) {
    const LibraryCall *How = find(F.getName());
    if (!How)
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = dyn_cast<CallBase>(U);
      if (!Call || Call->getCalledOperand() != &F || Call->isMustTailCall() ||
          Call->getFunctionType() != F.getFunctionType() ||
          !Callers.contains(Call->getFunction()))
        continue;
      ++stats::LibraryCalls;
      if (How->How == Way::Behind)
        callBehind(*Call, *How);
      else
        callInPlace(*Call, *How);
    }
  }
}

} // namespace atsan
