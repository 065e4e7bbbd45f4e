//===- Shape.h --------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names that people have for the usual mistakes, as in the runtime's
// reports (runtime/report/atsan_report_shape.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_SHAPE_H
#define ATSAN_CHECK_SHAPE_H

#include "lib/check/Analysis.h"

namespace atsan::check {

/// Names the usual mistake that a completed cycle shows, if one region is to
/// blame for it; empty if it shows none.
std::string shapeOf(const Finding &F);

} // namespace atsan::check

#endif
