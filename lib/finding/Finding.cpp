//===- Finding.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/finding/Finding.h"

uint64_t atsan::finding::Finding::threadCalled(const std::string &Label) {
  for (const Thread &T : Threads)
    if (T.Label == Label)
      return T.Id;
  Thread New;
  New.Id = Threads.size();
  New.Label = Label;
  Threads.push_back(New);
  return New.Id;
}
