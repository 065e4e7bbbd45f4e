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

// --- Names. ------------------------------------------------------------------

/// Whether a mangled name is the C++ library's, or our headers'. A scope within
/// a function, such as a lambda's, and qualifiers of methods come before the
/// library's scope.
static bool isOfLibrary(StringRef Name) {
  if (Name.starts_with("__cxa_") || Name.starts_with("__clang_"))
    return true;
  if (!Name.consume_front("_Z"))
    return false;
  Name = Name.ltrim("ZNKVRO");
  for (StringRef Scope :
       {"St", "Sa", "Ss", "Sb", "Si", "So", "Sd", "9__gnu_cxx", "5atsan"})
    if (Name.starts_with(Scope))
      return true;
  return false;
}

/// Lambdas and methods of classes that a function declares: no other code calls
/// them by name.
static bool isLocalToFunction(StringRef Name) {
  return Name.starts_with("_ZZ");
}

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

/// What the library runs in a new thread: std::thread's and std::async's code,
/// and libc++'s.
static bool runsInThread(StringRef Name) {
  return isOfLibrary(Name) &&
         (Name.ends_with("6_M_runEv") || Name.contains("14__thread_proxy"));
}

/// Adds the functors whose operator() the library's function comes to.
static void addFunctors(const Function &Run, FunctionSet &Functions) {
  FunctionSet Seen;
  SmallVector<const Function *, 8> Worklist = {&Run};
  while (!Worklist.empty()) {
    const Function *F = Worklist.pop_back_val();
    FunctionSet Used;
    for (const Instruction &I : instructions(*F))
      for (const Value *Op : I.operands())
        addFunctions(Op, Used);
    for (const Function *Other : Used)
      if (isOfLibrary(Other->getName())) {
        if (Seen.insert(Other).second)
          Worklist.push_back(Other);
      } else if (StringRef(demangle(Other->getName()))
                     .contains("operator()(")) {
        Functions.insert(Other);
      }
  }
}

static FunctionSet threadEntries(const Module &M) {
  FunctionSet Entries;
  for (const Function &F : M) {
    if (runsInThread(F.getName()))
      addFunctors(F, Entries);
    for (const Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (startsThread(*Call))
          for (const Value *Arg : Call->args())
            addArgument(Arg, Entries);
  }
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
         !F.doesNotReturn() && !isOfLibrary(Name) && !isLocalToFunction(Name) &&
         !isThunk(Name) && !allocates(Name) && !isReservedName(Name);
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
