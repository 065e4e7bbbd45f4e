//===-- atsan_option_text.h -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts a string such as "a=1:b='x y',c=2" into options, where
// sanitizer_common's FlagParser would end the program without a word on where
// the mistake is. Knows no option but the one whose value is a list.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_OPTION_TEXT_H
#define ATSAN_OPTION_TEXT_H

#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

using namespace __sanitizer;

class OptionText {
 public:
  explicit OptionText(const char *options) : rest_(options) {}

  // Puts the next one into `option`, in a form that FlagParser takes for one
  // option. False at the end, and at a mistake: then `problem` says what.
  bool Next();

  InternalScopedString option;
  const char *problem = nullptr;

 private:
  const char *rest_;
};

}  // namespace __atsan

#endif  // ATSAN_OPTION_TEXT_H
