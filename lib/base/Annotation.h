//===- Annotation.h ---------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ATSAN_ATOMIC and ATSAN_NO_SANITIZE write into the annotate attribute of
// a function (include/sanitizer/atsan_interface.h).
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_BASE_ANNOTATION_H
#define ATSAN_BASE_ANNOTATION_H

namespace atsan {

constexpr const char *kAtomicAnnotation = "atsan_atomic";
constexpr const char *kNoSanitizeAnnotation = "atsan_no_sanitize";

} // namespace atsan

#endif // ATSAN_BASE_ANNOTATION_H
