//===- Error.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is wrong with a model, and where.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_ERROR_H
#define ATSAN_MODEL_ERROR_H

#include <stdexcept>
#include <string>

namespace atsan::model {

/// A place in the text of a model, counted from 1; columns count bytes.
struct Position {
  unsigned Line = 0;
  unsigned Column = 0;
};

/// Thrown by the parser and by what checks and lowers a model: the place, what
/// is wrong there, and what to do about it.
struct ModelError : std::runtime_error {
  ModelError(Position At, const std::string &Problem, const std::string &Hint)
      : std::runtime_error(Problem + "; " + Hint), At(At) {}

  /// The error as "FILE:LINE:COLUMN: what is wrong; what to do".
  std::string in(const std::string &File) const {
    return File + ":" + std::to_string(At.Line) + ":" +
           std::to_string(At.Column) + ": " + what();
  }

  Position At;
};

} // namespace atsan::model

#endif // ATSAN_MODEL_ERROR_H
