//===- RegionSelection.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Exported" is the default of Wang and Stoller (TSE'06, section 7) in terms of
// C and C++. A function of external linkage stands for a method that is not
// private; their exceptions, main() and the run() methods of threads, are main,
// what starts a thread, and methods named run without parameters. Code of the
// C++ library and allocation functions are not the program's own.
//
//===----------------------------------------------------------------------===//

#include "pass/selection/RegionSelection.h"

#include "pass/base/Options.h"
#include "pass/base/RuntimeHooks.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace atsan {

static constexpr StringLiteral ListPrefix = "list:";

// --- Where threads start. ----------------------------------------------------

static bool startsThread(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return false;
  StringRef Name = Callee->getName();
  if (Name == "pthread_create" || Name == "thrd_create")
    return true;
  if (!Name.starts_with("_ZNSt") && !Name.starts_with("_ZSt"))
    return false;
  const std::string Readable = demangle(Name);
  for (StringRef Start :
       {"std::thread::thread<", "std::jthread::jthread<", "std::async<"})
    if (StringRef(Readable).contains(Start))
      return true;
  return false;
}

using FunctionSet = SmallPtrSet<const Function *, 8>;

/// The functions that a constant is made of: a pointer to a member is a pair.
static void addFunctions(const Value *V, FunctionSet &Functions) {
  if (const auto *F = dyn_cast<Function>(V))
    Functions.insert(F);
  else if (isa<ConstantExpr, ConstantAggregate>(V))
    for (const Value *Op : cast<Constant>(V)->operands())
      addFunctions(Op, Functions);
}

/// std::thread takes most arguments by reference: to a copy on the stack.
static void addArgument(const Value *V, FunctionSet &Functions) {
  V = V->stripPointerCasts();
  addFunctions(V, Functions);
  if (!isa<AllocaInst>(V))
    return;
  for (const User *U : V->users())
    if (const auto *Store = dyn_cast<StoreInst>(U))
      addFunctions(Store->getValueOperand(), Functions);
}

static FunctionSet threadEntries(const Module &M) {
  FunctionSet Entries;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (startsThread(*Call))
          for (const Value *Arg : Call->args())
            addArgument(Arg, Entries);
  return Entries;
}

// --- Selection. --------------------------------------------------------------

RegionSelection::RegionSelection(Module &M) {
  for (StringRef Mode : RegionModes) {
    if (Mode.consume_front(ListPrefix))
      Listed.add(M.getContext(), "-fatomicity-regions", Mode);
    else if (Mode == "exported")
      Exported = true;
    else if (Mode == "critical-sections")
      CriticalSections = true;
    else
      M.getContext().emitError("-fatomicity-regions: there is no '" + Mode +
                               "'; allowed are annotations, exported, "
                               "critical-sections and list:FILE");
  }
  for (StringRef File : ExcludeFiles)
    Excluded.add(M.getContext(), "-fatomicity-exclude", File);
  if (Exported)
    ThreadEntries = threadEntries(M);
}

bool RegionSelection::lists(const Function &F) const {
  return Listed.contains(F.getName());
}

bool RegionSelection::excludes(const Function &F) const {
  return Excluded.contains(F.getName());
}

/// Whether a mangled name is the library's. A scope within a function, such as
/// a lambda's, and qualifiers of methods come before the library's scope.
static bool isOfLibrary(StringRef Name) {
  if (Name.starts_with("__cxa_") || Name.starts_with("__clang_"))
    return true;
  if (!Name.consume_front("_Z"))
    return false;
  Name = Name.ltrim("ZNKVRO");
  for (StringRef Scope :
       {"St", "Sa", "Ss", "Sb", "Si", "So", "Sd", "9__gnu_cxx"})
    if (Name.starts_with(Scope))
      return true;
  return false;
}

/// Thunks and wrappers: another function has the code.
static bool isThunk(StringRef Name) { return Name.starts_with("_ZT"); }

static bool allocates(StringRef Name) {
  for (StringRef Prefix : {"_Znw", "_Zna", "_Zdl", "_Zda"}) // new and delete
    if (Name.starts_with(Prefix))
      return true;
  for (StringRef Plain :
       {"malloc", "calloc", "realloc", "reallocarray", "free", "memalign",
        "aligned_alloc", "posix_memalign", "valloc", "pvalloc"})
    if (Name == Plain)
      return true;
  return false;
}

bool RegionSelection::exports(const Function &F) const {
  StringRef Name = F.getName();
  return Exported && !F.hasLocalLinkage() && Name != "main" &&
         !ThreadEntries.contains(&F) &&
         !StringRef(demangle(Name)).ends_with("::run()") &&
         !F.doesNotReturn() && !isOfLibrary(Name) && !isThunk(Name) &&
         !allocates(Name) && !isReservedName(Name);
}

void RegionSelection::addConstructor(Module &M) const {
  if (!CriticalSections && Excluded.empty())
    return;
  RuntimeHooks Hooks(M);
  // Internal and not in a COMDAT, as each translation unit has its own options.
  Function *Ctor = createSanitizerCtor(M, "atsan.regions_ctor");
  IRBuilder<> IRB(Ctor->getEntryBlock().getTerminator());
  if (!Excluded.empty())
    Hooks.call(IRB, Hook::ExcludeRegions,
               {IRB.CreateGlobalString(Excluded.text(), "atsan.excluded")});
  if (CriticalSections)
    Hooks.call(IRB, Hook::CriticalSections, {});
  appendToGlobalCtors(M, Ctor, /*Priority=*/0);
}

} // namespace atsan
