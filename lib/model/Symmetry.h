//===- Symmetry.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// States that differ only in which of several identical threads is where.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_SYMMETRY_H
#define ATSAN_MODEL_SYMMETRY_H

#include "lib/model/Machine.h"

namespace atsan::model {

/// Sorts identical threads by what they are about. Where that is the same, they
/// keep their order, so that few such states are told apart although the
/// monitor alone differs.
class Symmetry {
public:
  Symmetry(const Machine &M, bool IsOn);

  /// \p Moved: gets the new number of each thread, if any has another one.
  void normalize(Value *State, std::vector<unsigned> *Moved = nullptr) const;

private:
  const Machine &M;
  std::vector<std::vector<unsigned>> Groups;
};

} // namespace atsan::model

#endif // ATSAN_MODEL_SYMMETRY_H
