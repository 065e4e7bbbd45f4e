//===-- atsan_report_decorator.h --------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The colours of a report's parts; its words are in atsan_report_text.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REPORT_DECORATOR_H
#define ATSAN_REPORT_DECORATOR_H

#include "sanitizer_common/sanitizer_report_decorator.h"

namespace __atsan {

using namespace __sanitizer;

// The colours of reports, where these are shown on a terminal.
class Decorator : public SanitizerCommonDecorator {
 public:
  const char *Step() const { return Bold(); }
  const char *Access() const { return Blue(); }
  const char *Memory() const { return Green(); }
  const char *Thread() const { return Cyan(); }
  const char *Conclusion() const { return Red(); }
};

}  // namespace __atsan

#endif  // ATSAN_REPORT_DECORATOR_H
