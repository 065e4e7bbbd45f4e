//===- Contents.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What there is in a program to be decided: a verdict on a program without any
// of it says nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_CONTENTS_H
#define ATSAN_MODEL_CONTENTS_H

#include "lib/model/Program.h"

namespace atsan::model {

struct Contents {
  bool Regions = false;
  bool Operations = false; ///< Operations on registers.
  bool Asserts = false;

  void add(const Contents &Others) {
    Regions |= Others.Regions;
    Operations |= Others.Operations;
    Asserts |= Others.Asserts;
  }
};

/// What threads can come to. A procedure that nobody calls does not count.
Contents contentsOf(const Program &P);

} // namespace atsan::model

#endif // ATSAN_MODEL_CONTENTS_H
