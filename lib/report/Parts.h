//===- Parts.h --------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding and its parts, by their own names: all of this room is about them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_PARTS_H
#define ATSAN_REPORT_PARTS_H

#include "lib/finding/Finding.h"
#include "lib/finding/Places.h"
#include "lib/finding/Words.h"

namespace atsan::report {

using finding::capitalized;
using finding::counted;
using finding::Event;
using finding::Finding;
using finding::Frame;
using finding::Memory;
using finding::Operation;
using finding::Places;
using finding::Region;
using finding::Stack;
using finding::Step;
using finding::Thread;

} // namespace atsan::report

#endif // ATSAN_REPORT_PARTS_H
