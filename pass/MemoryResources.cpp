//===- MemoryResources.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/MemoryResources.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace atsan {

/// The name of a member of memory_resource without what the C++ library puts in
/// front of it; or an empty one.
static StringRef memberName(const Function &F) {
  StringRef Name = F.getName();
  for (StringRef Class :
       {"_ZNSt3pmr15memory_resource", "_ZNSt3__13pmr15memory_resource"})
    if (Name.consume_front(Class))
      return Name;
  return "";
}

static void tell(StringRef Hook, Value *Memory, Value *Size, Instruction &At) {
  IRBuilder<> IRB(&At);
  Module &M = *At.getModule();
  CallInst *Call =
      IRB.CreateCall(M.getOrInsertFunction(Hook, IRB.getVoidTy(),
                                           IRB.getPtrTy(), Size->getType()),
                     {Memory, Size});
  Call->setDoesNotThrow();
  // A call that may be inlined needs a place, if its function has one.
  if (!Call->getDebugLoc())
    if (DISubprogram *SP = At.getFunction()->getSubprogram())
      Call->setDebugLoc(DILocation::get(M.getContext(), SP->getLine(), 0, SP));
}

void tellResource(Function &F) {
  const StringRef Name = memberName(F);
  if (Name.empty() || F.isDeclaration())
    return;
  // (this, bytes, alignment)
  if (Name.starts_with("8allocate") && F.arg_size() == 3)
    for (BasicBlock &BB : F)
      if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()))
        if (Value *Memory = Return->getReturnValue())
          tell("__atsan_resource_allocate", Memory, F.getArg(1), *Return);
  // (this, memory, bytes, alignment)
  if (Name.starts_with("10deallocate") && F.arg_size() == 4)
    tell("__atsan_resource_deallocate", F.getArg(1), F.getArg(2),
         *F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
}

} // namespace atsan
