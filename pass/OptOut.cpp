//===- OptOut.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OptOut.h.
//
//===----------------------------------------------------------------------===//

#include "pass/OptOut.h"

#include "pass/accesses/MemoryIntrinsics.h"
#include "pass/base/Statistics.h"
#include "pass/selection/FunctionSelection.h"
#include "pass/selection/LibrarySynchronization.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"

using namespace llvm;

namespace atsan {

namespace {

/// Function attribute of an opted-out function that is not inlined as long as
/// the hooks are not there.
constexpr const char *kApartAttribute = "atsan-apart";

/// When a function must become a part of its callers, if it works only as that.
enum class Inlined {
  Never,
  /// When the hooks are there: it needs the frame or the constants of a caller,
  /// or has no copy of its own.
  Late,
  /// Before the optimizer decides what is constant, and what is never called.
  Early,
};

bool mustNotBeCalled(const Function *F) {
  return F && F->hasFnAttribute("dontcall-error");
}

/// True if the assembly has an operand that can be a constant only.
bool hasImmediate(const InlineAsm &Assembly) {
  return any_of(Assembly.ParseConstraints(),
                [](const InlineAsm::ConstraintInfo &Info) {
                  return Info.Type == InlineAsm::isInput &&
                         all_of(Info.Codes, [](StringRef Code) {
                           return Code.size() == 1 &&
                                  StringRef("inseIJKLMNOZ").contains(Code);
                         });
                });
}

/// True if the call's function works only if the optimizer finds a constant.
bool needsConstant(const CallBase &Call) {
  if (auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return hasImmediate(*Assembly);
  return mustNotBeCalled(Call.getCalledFunction()) ||
         Call.getIntrinsicID() == Intrinsic::is_constant;
}

bool needsConstant(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && needsConstant(*Call);
}

Inlined neededBy(const CallBase &Call) {
  if (needsConstant(Call))
    return Inlined::Early;
  switch (Call.getIntrinsicID()) {
  case Intrinsic::addressofreturnaddress:
  case Intrinsic::frameaddress:
  case Intrinsic::returnaddress:
    return Inlined::Late;
  default:
    return Call.isInlineAsm() || Call.hasFnAttr(Attribute::ReturnsTwice)
               ? Inlined::Late
               : Inlined::Never;
  }
}

/// What must be inlined into a function that must be inlined is asked, too.
Inlined neededBy(const Function &F, SmallPtrSetImpl<const Function *> &Seen) {
  Inlined When =
      F.hasAvailableExternallyLinkage() ? Inlined::Late : Inlined::Never;
  for (const Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      When = std::max(When, neededBy(*Call));
      const Function *Callee = Call->getCalledFunction();
      if (Callee && Callee->hasFnAttribute(Attribute::AlwaysInline) &&
          Seen.insert(Callee).second)
        When = std::max(When, neededBy(*Callee, Seen));
    }
  return When;
}

Inlined neededBy(const Function &F) {
  if (F.hasFnAttribute(Attribute::AlwaysInline)) {
    SmallPtrSet<const Function *, 8> Seen = {&F};
    return neededBy(F, Seen);
  }
  // The optimizer is trusted to inline others where a call must go away.
  return any_of(instructions(F),
                [](const Instruction &I) {
                  auto *Call = dyn_cast<CallBase>(&I);
                  return Call && mustNotBeCalled(Call->getCalledFunction());
                })
             ? Inlined::Early
             : Inlined::Never;
}

/// What inlines everything (flatten), or this call, is about the caller; it
/// does not overrule an opt-out.
void dropRequest(CallBase &Call) { Call.removeFnAttr(Attribute::AlwaysInline); }

void keepCalleesApart(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || Call->isInlineAsm() || isa<IntrinsicInst>(Call))
      continue;
    dropRequest(*Call);
    if (!Call->hasFnAttr(Attribute::AlwaysInline) &&
        !Call->hasFnAttr(kInlinedAttribute))
      Call->setIsNoInline();
  }
}

void keepCallersApart(Function &F) {
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      if (Call->getCalledFunction() == &F)
        dropRequest(*Call);
}

/// The function becomes part of its callers, so its own instructions carry the
/// opt-out, as far as the optimizer keeps that. Calls do not: a callee is not
/// its own code. Of what is stored past the caches the optimizer makes no calls
/// of memset and memcpy; releaseStores() takes that back.
void markInstructions(Function &F) {
  LLVMContext &Context = F.getContext();
  Metadata *One =
      ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), 1));
  MDNode *Ours =
      MDNode::get(Context, {One, MDString::get(Context, kApartAttribute)});
  for (Instruction &I : instructions(F))
    if (I.mayReadOrWriteMemory() &&
        (!isa<CallBase>(I) || isa<IntrinsicInst>(I))) {
      I.setNoSanitizeMetadata();
      auto *Store = dyn_cast<StoreInst>(&I);
      if (Store && Store->isSimple() &&
          !I.hasMetadata(LLVMContext::MD_nontemporal))
        I.setMetadata(LLVMContext::MD_nontemporal, Ours);
    }
}

/// Stores of opted-out functions that were inlined early are stores again.
void releaseStores(Function &F) {
  for (Instruction &I : instructions(F))
    if (MDNode *Node = I.getMetadata(LLVMContext::MD_nontemporal))
      if (Node->getNumOperands() == 2)
        I.setMetadata(LLVMContext::MD_nontemporal, nullptr);
}

/// Lets the calls of a function that is elsewhere, too, have a copy, and what
/// takes its address the one that is elsewhere.
void keepAsCopy(Function &F) {
  auto *There =
      Function::Create(F.getFunctionType(), GlobalValue::ExternalLinkage,
                       F.getAddressSpace(), "", F.getParent());
  There->setCallingConv(F.getCallingConv());
  There->setVisibility(F.getVisibility());
  There->takeName(&F);
  F.setName(There->getName() + ".atsan_inlined");
  F.setLinkage(GlobalValue::InternalLinkage);
  F.replaceUsesWithIf(There, [](const Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    return !isa<BlockAddress>(U.getUser()) && (!Call || !Call->isCallee(&U));
  });
}

/// Operations of std::atomic are the code of the function that calls them:
/// libstdc++ says so of std::atomic<int>, and not of std::atomic<T *>.
void inlineAtomicOperations(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->isDeclaration() ||
        Callee->hasFnAttribute(Attribute::AlwaysInline) ||
        !isAtomicOperation(Callee->getName()))
      continue;
    Callee->removeFnAttr(Attribute::NoInline);
    Callee->removeFnAttr(Attribute::OptimizeNone);
    Callee->addFnAttr(Attribute::AlwaysInline);
    inlineAtomicOperations(*Callee);
  }
}

void optOut(Function &F, Inlined When) {
  ++stats::OptOuts;
  F.addFnAttr(kNoSanitizeAttribute);
  keepCalleesApart(F);
  keepCallersApart(F);
  if (F.hasFnAttribute(Attribute::AlwaysInline) && When != Inlined::Never) {
    F.addFnAttr(kInlinedAttribute);
    if (F.hasAvailableExternallyLinkage())
      keepAsCopy(F);
  }
  if (When == Inlined::Early)
    return markInstructions(F);
  forbidMadeCalls(F);
  F.removeFnAttr(Attribute::AlwaysInline);
  if (F.hasFnAttribute(Attribute::NoInline))
    return;
  F.addFnAttr(kApartAttribute);
  F.addFnAttr(Attribute::NoInline);
}

/// What is called by a function that needs constants may be what makes them.
void inlineWhereNeeded(ArrayRef<Function *> Functions,
                       DenseMap<const Function *, Inlined> &When) {
  if (Functions.empty())
    return;
  SmallVector<const Function *, 8> Callers;
  for (const Function &F : *Functions[0]->getParent())
    if (any_of(instructions(F),
               [](const Instruction &I) { return needsConstant(I); }))
      Callers.push_back(&F);
  while (!Callers.empty())
    for (const Instruction &I : instructions(*Callers.pop_back_val())) {
      auto *Call = dyn_cast<CallBase>(&I);
      auto Callee = When.find(Call ? Call->getCalledFunction() : nullptr);
      if (Callee == When.end() || Callee->second == Inlined::Early ||
          Callee->first->hasFnAttribute(Attribute::NoInline))
        continue;
      Callee->second = Inlined::Early;
      Callers.push_back(Callee->first);
    }
}

} // namespace

void optOut(ArrayRef<Function *> Functions) {
  for (Function *F : Functions)
    inlineAtomicOperations(*F);
  DenseMap<const Function *, Inlined> When;
  for (const Function *F : Functions)
    When[F] = neededBy(*F);
  inlineWhereNeeded(Functions, When);
  // The inliner keeps apart what differs in sanitizers, if it may.
  for (Function *F : Functions)
    if (When[F] == Inlined::Early && !F->hasFnAttribute(Attribute::NoInline))
      F->addFnAttr(Attribute::AlwaysInline);
  for (Function *F : Functions)
    optOut(*F, When[F]);
}

// --- Behind the hooks. -------------------------------------------------------

/// What runs behind the hooks may inline (-flto), as without the sanitizer:
/// LLVM takes a call of a function that waits for one that leaves alone the
/// globals of which it knows all uses.
static void release(Function &F) {
  if (!F.hasFnAttribute(kNoSanitizeAttribute))
    return;
  if (F.hasFnAttribute(kApartAttribute)) {
    F.removeFnAttr(kApartAttribute);
    F.removeFnAttr(Attribute::NoInline);
  }
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Call->removeFnAttr(Attribute::NoInline);
}

void inlineOptedOut(Module &M, ModuleAnalysisManager &MAM,
                    RuntimeHooks &Hooks) {
  for (Function &F : M) {
    release(F);
    releaseStores(F);
  }
  auto IsInlined = [](const Function &F) {
    return F.hasFnAttribute(kInlinedAttribute);
  };
  if (none_of(M, IsInlined))
    return;
  FunctionAnalysisManager &FAM =
      MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M) {
    FAM.invalidate(F, PreservedAnalyses::none());
    if (IsInlined(F))
      F.addFnAttr(Attribute::AlwaysInline);
  }
  // It also takes away what nobody calls any more: by itself that may be code
  // that cannot be generated.
  AlwaysInlinerPass().run(M, MAM);
  // What is passed by value has been copied. Copies of the source have their
  // hooks, and no intrinsics any more.
  for (Function &F : M)
    hideMemoryIntrinsics(F, Hooks);
}

} // namespace atsan
