//===- Markup.h -------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text as part of XML and HTML.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_MARKUP_H
#define ATSAN_REPORT_MARKUP_H

#include <string>
#include <string_view>

namespace atsan::report {

/// The text as it stands in markup, also in attributes. Control characters,
/// which XML forbids, become U+FFFD.
std::string escape(std::string_view Text);

} // namespace atsan::report

#endif
