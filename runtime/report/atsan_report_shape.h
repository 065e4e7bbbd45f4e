//===-- atsan_report_shape.h ------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names that people have for the usual mistakes. A report has one if one
// region is to blame and its accesses on the cycle show it; docs/report.md says
// what each means. lib/check/Shape.cpp has the same for traces.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REPORT_SHAPE_H
#define ATSAN_REPORT_SHAPE_H

#include "runtime/report/atsan_report.h"

namespace __atsan {

struct Shape {
  const char *name;      // "lost update"...; nullptr: none of these.
  const char *sentence;  // A sentence on what happened, in general.
};
Shape ShapeOf(const ViolationReport &report);

}  // namespace __atsan

#endif  // ATSAN_REPORT_SHAPE_H
