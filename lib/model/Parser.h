//===- Parser.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text to syntax tree, by the grammar of docs/model-language.md.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_PARSER_H
#define ATSAN_MODEL_PARSER_H

#include "lib/model/Syntax.h"
#include <string_view>

namespace atsan::model {

/// How deep statements and expressions may be nested.
constexpr unsigned MaxNesting = 100;

/// Parses a model. Throws ModelError at the first mistake. Thread-safe.
Model parse(std::string_view Text);

} // namespace atsan::model

#endif // ATSAN_MODEL_PARSER_H
