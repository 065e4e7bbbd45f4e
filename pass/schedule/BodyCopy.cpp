//===- BodyCopy.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/schedule/BodyCopy.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace atsan {

namespace {

/// Gives the copy a subprogram of its own: two functions must not have the same
/// one. Scopes, lines, variables and labels of the old one become the new
/// one's; types, and what was inlined, stay as they are.
class DebugCopy {
public:
  DebugCopy(DISubprogram &From, Function &Body, ValueToValueMapTy &Map)
      : From(From), Body(Body), Context(Body.getContext()), Map(Map) {
    To = MDNode::replaceWithDistinct(From.clone());
    To->replaceRetainedNodes(DINodeArray());
    Body.setSubprogram(To);
  }

  /// Before the instructions are mapped: says what their records become.
  void mapRecords() {
    for (Instruction &I : instructions(Body))
      for (DbgRecord &Record : I.getDbgRecordRange()) {
        mapLocation(Record.getDebugLoc());
        if (auto *Variable = dyn_cast<DbgVariableRecord>(&Record))
          mapScoped(Variable->getVariable());
        else
          mapScoped(cast<DbgLabelRecord>(Record).getLabel());
      }
  }
  /// Behind that.
  void move() {
    DenseMap<DIAssignID *, DIAssignID *> Assignments;
    for (Instruction &I : instructions(Body)) {
      I.setDebugLoc(moved(I.getDebugLoc()));
      at::remapAssignID(Assignments, I);
      updateLoopMetadataDebugLocations(I, [&](Metadata *MD) -> Metadata * {
        auto *Location = dyn_cast_or_null<DILocation>(MD);
        return Location ? moved(Location).get() : MD;
      });
    }
  }

private:
  DebugLoc moved(const DebugLoc &Location) {
    return Location ? DebugLoc::replaceInlinedAtSubprogram(Location, *To,
                                                           Context, Cache)
                    : Location;
  }
  void mapLocation(const DebugLoc &Location) {
    if (Location)
      Map.MD()[Location.get()].reset(moved(Location).get());
  }
  /// A variable or a label; its first operand is its scope.
  template <class Scoped> void mapScoped(Scoped *Old) {
    if (Old->getScope()->getSubprogram() != &From || Map.MD().count(Old))
      return;
    auto New = Old->clone();
    New->replaceOperandWith(0, DILocalScope::cloneScopeForSubprogram(
                                   *Old->getScope(), *To, Context, Cache));
    Map.MD()[Old].reset(MDNode::replaceWithUniqued(std::move(New)));
  }

  DISubprogram &From;
  DISubprogram *To;
  Function &Body;
  LLVMContext &Context;
  ValueToValueMapTy &Map;
  DenseMap<const MDNode *, MDNode *> Cache;
};

void copyBlocks(Function &F, Function &Body, ValueToValueMapTy &Map) {
  for (BasicBlock &Block : F) {
    BasicBlock *Copy = CloneBasicBlock(&Block, Map, "", &Body);
    Map[&Block] = Copy;
    if (Block.hasAddressTaken())
      Map[BlockAddress::get(&F, &Block)] = BlockAddress::get(&Body, Copy);
  }
}

} // namespace

bool canCopyBody(const Function &F) {
  return none_of(F, [](const BasicBlock &Block) {
    const BlockAddress *Address =
        Block.hasAddressTaken() ? BlockAddress::lookup(&Block) : nullptr;
    return Address && any_of(Address->users(), [](const User *U) {
             return !isa<Instruction>(U);
           });
  });
}

Function *copyBody(Function &F, const Twine &Name) {
  auto *Body = Function::Create(F.getFunctionType(), F.getLinkage(),
                                F.getAddressSpace(), Name, F.getParent());
  Body->copyAttributesFrom(&F);
  ValueToValueMapTy Map;
  for (auto [From, To] : zip(F.args(), Body->args())) {
    To.setName(From.getName());
    Map[&From] = &To;
  }
  SmallVector<std::pair<unsigned, MDNode *>, 4> Attachments;
  F.getAllMetadata(Attachments);
  for (auto [Kind, MD] : Attachments)
    if (Kind != LLVMContext::MD_dbg)
      Body->addMetadata(Kind, *MD);
  copyBlocks(F, *Body, Map);
  std::optional<DebugCopy> Debug;
  if (DISubprogram *From = F.getSubprogram()) {
    Debug.emplace(*From, *Body, Map);
    Debug->mapRecords();
  }
  for (Instruction &I : instructions(*Body)) {
    RemapDbgRecordRange(F.getParent(), I.getDbgRecordRange(), Map,
                        RF_NoModuleLevelChanges);
    RemapInstruction(&I, Map, RF_NoModuleLevelChanges);
  }
  if (Debug)
    Debug->move();
  return Body;
}

} // namespace atsan
