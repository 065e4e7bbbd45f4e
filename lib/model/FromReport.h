//===- FromReport.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding of the sanitizer as a model: the regions on its cycle, with the
// accesses that make it, in the names of the program.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_FROMREPORT_H
#define ATSAN_MODEL_FROMREPORT_H

#include "lib/finding/Finding.h"
#include "lib/model/Syntax.h"

namespace atsan::model {

/// What settles an order on the report's cycle but is no conflict of accesses,
/// such as "thread start": the finding has no model. Empty: there is nothing.
std::string orderWithoutConflict(const finding::Finding &R);

/// The model has the cycle of the report as one of its runs. What values are
/// written is not known from a report: writes are of 1. \p R has steps.
Model modelOf(const finding::Finding &R);

} // namespace atsan::model

#endif // ATSAN_MODEL_FROMREPORT_H
