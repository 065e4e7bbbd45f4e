//===- Registry.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Registry.h"

using namespace atsan::check;

const std::vector<Algorithm> &atsan::check::algorithms() {
  static const std::vector<Algorithm> All = {};
  return All;
}

const Algorithm *atsan::check::findAlgorithm(const std::string &Name) {
  for (const Algorithm &A : algorithms())
    if (Name == A.Name)
      return &A;
  return nullptr;
}
