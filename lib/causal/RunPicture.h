//===- RunPicture.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run of a model as a picture, for graphviz: a column for each thread, and
// arrows between events of different threads that depend on each other.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CAUSAL_RUNPICTURE_H
#define ATSAN_CAUSAL_RUNPICTURE_H

#include "lib/causal/Schedule.h"

namespace atsan::causal {

class RunPicture {
public:
  explicit RunPicture(const Program &P) : P(P) {}

  /// The next step. \p IsRed: it is one of those that the verdict rests on.
  void add(const ScheduleStep &S, const std::string &Words, bool IsRed);

  std::string dot() const;

private:
  struct Drawn {
    ThreadId Thread;
    std::string Words;
    bool IsRed;
    std::vector<Move> Moves;
  };
  std::string column(const ThreadId &T, size_t Number) const;
  std::string arrowsTo(size_t Later) const;

  const Program &P;
  std::vector<Drawn> Steps;
};

} // namespace atsan::causal

#endif
