//===- Ignorelist.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a function comes from is known by its debug information. Without any,
// all of a module counts as its main file's.
//
//===----------------------------------------------------------------------===//

#include "pass/selection/Ignorelist.h"

#include "pass/base/Options.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace atsan {

Ignorelist::Ignorelist(Module &M) {
  if (IgnorelistFiles.empty())
    return;
  std::string Error;
  List = SpecialCaseList::create(
      std::vector<std::string>(IgnorelistFiles.begin(), IgnorelistFiles.end()),
      *vfs::getRealFileSystem(), Error);
  if (!List) {
    M.getContext().emitError("-fsanitize-ignorelist: " + Error);
    return;
  }
  WholeModule = has("mainfile", M.getSourceFileName()) ||
                has("src", M.getSourceFileName());
}

bool Ignorelist::has(StringRef Kind, StringRef Name) const {
  return List->inSection("atomicity", Kind, Name);
}

bool Ignorelist::contains(const Function &F) const {
  if (!List)
    return false;
  if (has("fun", F.getName()))
    return true;
  const DISubprogram *SP = F.getSubprogram();
  if (!SP)
    return WholeModule;
  // A list may name the file as the compiler was told it, or in full.
  SmallString<256> Path(SP->getDirectory());
  sys::path::append(Path, SP->getFilename());
  return has("src", SP->getFilename()) || has("src", Path) ||
         has("mainfile", F.getParent()->getSourceFileName());
}

} // namespace atsan
