//===- Printer.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Syntax tree to text in the form that `atsan model --format` gives.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_PRINTER_H
#define ATSAN_MODEL_PRINTER_H

#include "lib/model/Syntax.h"

namespace atsan::model {

/// Two spaces for each block, one statement a line, comments where they were.
/// Parsing the result gives the same tree, and printing that the same text.
std::string print(const Model &M);

/// An expression on one line.
std::string print(const Expr &E);

} // namespace atsan::model

#endif // ATSAN_MODEL_PRINTER_H
