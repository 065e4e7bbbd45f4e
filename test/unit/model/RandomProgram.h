//===- RandomProgram.h ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random small programs, as text of the language of models, and an oracle that
// looks at all their interleavings with the whole conflict graph. Written
// without sight of lib/model: it shares no code with it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_MODEL_RANDOMPROGRAM_H
#define ATSAN_UNIT_MODEL_RANDOMPROGRAM_H

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace atsan_test {

/// A statement; what it means stands in text().
struct RandomStatement {
  enum Kind : uint8_t {
    Read,    ///< l := v;
    Write,   ///< v := Value;
    Store,   ///< v := l;
    Add,     ///< v := (v + 1) % 3;
    Acquire, ///< acquire(m[Variable]);
    Release,
    Region,
    Step, ///< Of Read, Write and Store.
    If,   ///< if (l == Value)
    Choose,
    Assume, ///< assume(v == Value);
    Cas,    ///< cas(v, Value, Other);
    Restart,
    While, ///< while (choose)
    Call,  ///< The procedure Variable.
  };
  Kind Is = Read;
  unsigned Variable = 0;
  unsigned Value = 0, Other = 0;
  std::vector<RandomStatement> First, Second;
};

struct RandomProgram {
  unsigned Variables = 2; ///< "a", "b"...; the last one is sync if HasSync.
  bool HasSync = false;
  unsigned Locks = 1;
  bool AreAlike = false; ///< All threads run the first body: thread T[N].
  std::vector<std::vector<RandomStatement>> Threads;
  std::vector<std::vector<RandomStatement>> Procedures; ///< "p0", "p1"...

  std::string text() const;
};

RandomProgram randomProgram(std::mt19937_64 &Random, unsigned Threads,
                            unsigned Size);

struct OracleVerdict {
  bool IsUnserializable = false;
  bool GaveUp = false; ///< There were too many states.
};

/// How far the oracle follows programs whose runs have no bound.
struct OracleBounds {
  unsigned Rounds = 2;    ///< Of a loop.
  unsigned CallDepth = 2; ///< Deeper calls are not made.
};

/// Is there a run, or the begin of one, whose conflict graph has a cycle?
OracleVerdict decideSerializable(const RandomProgram &P,
                                 size_t MaxStates = 200000,
                                 OracleBounds Bounds = {});

} // namespace atsan_test

#endif // ATSAN_UNIT_MODEL_RANDOMPROGRAM_H
