//===- RuntimeHooks.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the table of hooks into declarations and calls.
//
//===----------------------------------------------------------------------===//

#include "pass/base/RuntimeHooks.h"

#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace atsan {

namespace {

// Void comes first: an unused parameter of the table reads as the end.
enum HookType : unsigned { Void, Ptr, I32, IntPtr };

struct HookInfo {
  const char *Name;
  HookType Return;
  HookType Params[5];
};

constexpr HookInfo kHooks[] = {
#define ATSAN_HOOK(ID, NAME, RETURN, ...) {NAME, RETURN, {__VA_ARGS__}},
#include "pass/base/RuntimeHooks.def"
};

constexpr const char *kGateName = "__atsan_gate";
constexpr const char *kEnabledName = "__atsan_enabled";
constexpr const char *kScheduledName = "__atsan_scheduled";
constexpr const char *kCalledName = "__atsan_called";

} // namespace

RuntimeHooks::RuntimeHooks(Module &M)
    : M(M), IntPtrTy(M.getDataLayout().getIntPtrType(M.getContext())) {}

Type *RuntimeHooks::typeOf(unsigned T) const {
  LLVMContext &C = M.getContext();
  switch (static_cast<HookType>(T)) {
  case Void:
    return Type::getVoidTy(C);
  case Ptr:
    return PointerType::getUnqual(C);
  case I32:
    return Type::getInt32Ty(C);
  case IntPtr:
    return IntPtrTy;
  }
  llvm_unreachable("type missing above");
}

CallInst *RuntimeHooks::call(IRBuilderBase &IRB, Hook H,
                             ArrayRef<Value *> Args) {
  const HookInfo &Info = kHooks[static_cast<unsigned>(H)];
  SmallVector<Type *, 4> Params;
  for (HookType T : Info.Params) {
    if (T == Void)
      break;
    Params.push_back(typeOf(T));
  }
  auto *Ty = FunctionType::get(typeOf(Info.Return), Params, false);
  FunctionCallee Callee = M.getOrInsertFunction(Info.Name, Ty);
  CallInst *Call = IRB.CreateCall(Callee, Args);
  // The attribute is on the call, not on the declaration: the name may be the
  // user's own declaration already, with other attributes.
  Call->setDoesNotThrow();
  // The runtime tells by its return address where a hook was called.
  Call->setCannotMerge();
  return Call;
}

/// Code for an executable reaches the words directly; in one with the shared
/// runtime, the linker makes a copy that all share. Code for a shared library
/// must go through the global offset table; so must code that reaches directly
/// only what is in the executable's own object files.
static bool isForExecutable(const Module &M) {
  return (M.getPICLevel() == PICLevel::NotPIC ||
          M.getPIELevel() != PIELevel::Default) &&
         M.getCodeModel() != CodeModel::Large;
}

GlobalVariable *RuntimeHooks::word(StringRef Name) {
  auto *Word = cast<GlobalVariable>(
      M.getOrInsertGlobal(Name, Type::getInt32Ty(M.getContext())));
  if (isForExecutable(M))
    Word->setDSOLocal(true);
  return Word;
}

Value *RuntimeHooks::testWord(IRBuilderBase &IRB, StringRef Name) {
  // Volatile, so that no later optimization (link-time ones above all) carries
  // a value from one test to another; the word changes at any time. Of an
  // atomic load, code generation does not make one instruction with the
  // comparison.
  LoadInst *Load = IRB.CreateAlignedLoad(IRB.getInt32Ty(), word(Name), Align(4),
                                         /*isVolatile=*/true);
  Load->setNoSanitizeMetadata();
  return IRB.CreateICmpNE(Load, IRB.getInt32(0));
}

Value *RuntimeHooks::testGate(IRBuilderBase &IRB) {
  return testWord(IRB, kGateName);
}

Value *RuntimeHooks::testEnabled(IRBuilderBase &IRB) {
  return testWord(IRB, kEnabledName);
}

Value *RuntimeHooks::testScheduled(IRBuilderBase &IRB) {
  return testWord(IRB, kScheduledName);
}

void RuntimeHooks::enterScheduled(IRBuilderBase &IRB) {
  IRB.CreateAlignedStore(IRB.getInt32(0), word(kCalledName), Align(4),
                         /*isVolatile=*/true)
      ->setNoSanitizeMetadata();
}

bool RuntimeHooks::isMemory(StringRef Name) {
  return any_of(
      ArrayRef{Hook::MemCpy, Hook::MemMove, Hook::MemSet},
      [&](Hook H) { return Name == kHooks[static_cast<unsigned>(H)].Name; });
}

bool isReservedName(StringRef Name) {
  return Name.starts_with("__atsan_") || Name.starts_with("__sanitizer_");
}

bool isHook(StringRef Name) {
  return isReservedName(Name) &&
         any_of(kHooks, [&](const HookInfo &H) { return Name == H.Name; });
}

bool isRegionBegin(StringRef Name) {
  return Name == "__atomic_begin" || Name == "__atsan_region_begin";
}

bool isRegionEnd(StringRef Name) {
  return Name == "__atomic_end" || Name == "__atsan_region_end";
}

bool hasRegionMarks(const Module &M) {
  return any_of(M, [](const Function &F) {
    return isRegionBegin(F.getName()) && !F.use_empty();
  });
}

} // namespace atsan
