//===- Diagram.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cycle as an SVG picture: time goes down, threads stand side by side,
// regions are frames around their events, an arrow joins the two events of each
// step.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_DIAGRAM_H
#define ATSAN_REPORT_DIAGRAM_H

#include "lib/report/Parts.h"
#include "lib/report/Timeline.h"

namespace atsan::report {

/// An <svg> element. Events are links to "#PREFIX-eN", N counting from 1 in
/// order of time. Colours are up to the page (HtmlWriter.cpp): .lane, .region,
/// .blamed, .event, .arrow, .step.
std::string drawDiagram(const Finding &R, const Timeline &Time, const Places &P,
                        const std::string &Prefix);

} // namespace atsan::report

#endif
