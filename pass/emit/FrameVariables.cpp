//===- FrameVariables.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only a frame that may be realigned pays for its record: with one store for
// each variable that others may see, when the frame is entered.
//
//===----------------------------------------------------------------------===//

#include "pass/emit/FrameVariables.h"

#include "lib/base/FrameRecord.h"
#include "pass/base/Compat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace atsan {

/// Whether something in the frame may want more than the stack's alignment: a
/// variable, or a vector that is kept there across a call.
static bool mayBeRealigned(const Function &F) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  const auto Needs = [&](const Instruction &I) {
    if (auto *Alloca = dyn_cast<AllocaInst>(&I))
      return Alloca->isStaticAlloca() &&
             exceedsStackAlignment(DL, Alloca->getAlign());
    return I.getType()->isVectorTy() &&
           exceedsStackAlignment(DL, DL.getPrefTypeAlign(I.getType()));
  };
  return F.hasFnAttribute("stackrealign") || any_of(instructions(F), Needs);
}

/// The variable that the memory holds as a whole, or null. A part of a variable
/// that the optimizer has divided would begin elsewhere.
static const DILocalVariable *variableOf(AllocaInst &Alloca) {
  SmallVector<DbgVariableRecord *, 2> Records;
  append_range(Records, findDVRDeclares(&Alloca));
  if (auto *ID = dyn_cast_or_null<DIAssignID>(
          Alloca.getMetadata(LLVMContext::MD_DIAssignID)))
    append_range(Records, ID->getAllDbgVariableRecordUsers());
  for (const DbgVariableRecord *Record : Records)
    if (Record->getExpression()->getNumElements() == 0)
      return Record->getVariable();
  return nullptr;
}

static std::string fileOf(const DILocalVariable &Variable) {
  SmallString<128> Path(Variable.getFilename());
  if (Path.empty() || sys::path::is_absolute(Path))
    return Path.str().str();
  SmallString<128> Out(Variable.getDirectory());
  sys::path::append(Out, Path);
  return Out.str().str();
}

void recordVariables(Function &F, ArrayRef<AllocaInst *> Variables) {
  if (!mayBeRealigned(F))
    return;
  Module &M = *F.getParent();
  const DataLayout &DL = M.getDataLayout();
  IRBuilder<> IRB(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Type *Word = IRB.getInt64Ty();
  const auto Text = [&](StringRef S) {
    return IRB.CreateGlobalString(S, "atsan.variable", 0, &M);
  };

  SmallVector<Constant *, 8> Described;
  SmallVector<Value *, 8> Addresses;
  for (AllocaInst *Alloca : Variables) {
    const DILocalVariable *Variable = variableOf(*Alloca);
    std::optional<TypeSize> Size = Alloca->getAllocationSize(DL);
    if (!Variable || !Alloca->isStaticAlloca() || !Size || Size->isScalable())
      continue;
    const DISubprogram *Declares = Variable->getScope()->getSubprogram();
    Described.push_back(ConstantStruct::getAnon(
        {Text(Variable->getName()),
         ConstantInt::get(Word, Size->getFixedValue()),
         Text(Declares->getName()), Text(fileOf(*Variable)),
         ConstantInt::get(Word, Variable->getLine())}));
    Addresses.push_back(Alloca);
  }
  if (Described.empty())
    return;

  Constant *All = ConstantStruct::getAnon(
      {ConstantInt::get(Word, atsan_frames::kRecordMagic), &F,
       ConstantInt::get(Word, Described.size()),
       ConstantArray::get(
           ArrayType::get(Described[0]->getType(), Described.size()),
           Described)});
  auto *Global =
      new GlobalVariable(M, All->getType(), /*isConstant=*/true,
                         GlobalValue::PrivateLinkage, All, "atsan.variables");
  Global->setComdat(F.getComdat()); // Kept or dropped along with F.
  Addresses.insert(
      Addresses.begin(),
      {Global, IRB.CreateIntrinsic(Intrinsic::frameaddress, {IRB.getPtrTy()},
                                   {IRB.getInt32(0)})});
  Value *Record =
      IRB.CreateAlloca(ArrayType::get(IRB.getPtrTy(), Addresses.size()));
  // Volatile stores: the program itself never reads the record.
  for (unsigned I = 0; I < Addresses.size(); ++I)
    IRB.CreateStore(Addresses[I],
                    IRB.CreateConstGEP1_32(IRB.getPtrTy(), Record, I),
                    /*isVolatile=*/true);
}

} // namespace atsan
