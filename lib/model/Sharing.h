//===- Sharing.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which variables and locks the threads of a program share, and what each of
// them can still access from a place on.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_SHARING_H
#define ATSAN_MODEL_SHARING_H

#include "lib/model/Program.h"

namespace atsan::model {

/// Sets of variables and locks that are read and written; different ones may
/// share a bit, which only makes more of them dependent.
struct Footprint {
  uint64_t Reads = 0;
  uint64_t Writes = 0;

  bool conflicts(const Footprint &O) const {
    return (Writes & (O.Reads | O.Writes)) || (Reads & O.Writes);
  }
  Footprint &operator|=(const Footprint &O) {
    Reads |= O.Reads;
    Writes |= O.Writes;
    return *this;
  }
  bool operator!=(const Footprint &O) const {
    return Reads != O.Reads || Writes != O.Writes;
  }
};

class Sharing {
public:
  explicit Sharing(const Program &P);

  /// Can another thread's access to the variable conflict with one?
  bool isShared(uint32_t Variable) const { return Shared[Variable]; }
  bool isShared(const Place &Variables) const;
  /// Can accesses be conflicts that count (Storage::Data)?
  std::vector<bool> tracked() const;

  /// What the next step from a node accesses, by automaton and node.
  const Footprint &next(unsigned Code, uint32_t Node) const {
    return Next[Code][Node];
  }
  /// What any step from a node on can access.
  const Footprint &future(unsigned Code, uint32_t Node) const {
    return Future[Code][Node];
  }
  /// The only thread of the program that writes a safe or regular register.
  /// Throws ModelError if there are several.
  void requireOneWriter() const;

private:
  void collect(unsigned Code);
  void findFootprints(unsigned Code);
  Footprint footprint(const Edge &E) const;
  Footprint stepFootprint(const std::vector<Node> &Nodes, uint32_t From) const;

  const Program &P;
  // By variable: the automaton that accesses or writes it; None or Several.
  static constexpr int None = -1, Several = -2;
  std::vector<int> User, Writer;
  std::vector<bool> Shared;
  std::vector<std::vector<Footprint>> Next, Future;
};

} // namespace atsan::model

#endif // ATSAN_MODEL_SHARING_H
