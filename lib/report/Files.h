//===- Files.h --------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole files. On failure errno says why: EFBIG for a stream without an end.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_FILES_H
#define ATSAN_REPORT_FILES_H

#include <string>

namespace atsan::report {

bool readFile(const std::string &Name, std::string &Text);
bool writeFile(const std::string &Name, const std::string &Text);

} // namespace atsan::report

#endif
