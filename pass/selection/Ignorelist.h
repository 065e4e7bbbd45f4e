//===- Ignorelist.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -fsanitize-ignorelist=FILE: functions and files whose own code is not
// instrumented, in clang's format, from the section [atomicity] and from what
// is in no section. clang gives its own sanitizers only what concerns them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SELECTION_IGNORELIST_H
#define ATSAN_PASS_SELECTION_IGNORELIST_H

#include "llvm/IR/Module.h"
#include "llvm/Support/SpecialCaseList.h"
#include <memory>

namespace atsan {

class Ignorelist {
public:
  /// Reads the files of -atsan-ignorelist; an error makes the compilation fail.
  explicit Ignorelist(llvm::Module &M);
  bool contains(const llvm::Function &F) const;

private:
  bool has(llvm::StringRef Kind, llvm::StringRef Name) const;

  std::unique_ptr<llvm::SpecialCaseList> List; ///< Null if no list was given.
  bool WholeModule = false;
};

} // namespace atsan

#endif // ATSAN_PASS_SELECTION_IGNORELIST_H
