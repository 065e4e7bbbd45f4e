//===-- Minimize.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Delta debugging of schedules.
//
//===----------------------------------------------------------------------===//

#include "Minimize.h"

#include <algorithm>

namespace atsan_test {

Schedule minimize(Schedule S,
                  const std::function<bool(const Schedule &)> &Fails) {
  auto Try = [&](const Schedule &Candidate) {
    Schedule Valid = dropInvalid(Candidate);
    if (!Fails(Valid))
      return false;
    S = Valid;
    return true;
  };

  size_t Chunk = std::max<size_t>(S.size() / 2, 1);
  while (true) {
    bool Smaller = false;
    for (size_t At = 0; At < S.size();) {
      Schedule Candidate(S.begin(), S.begin() + At);
      if (At + Chunk < S.size())
        Candidate.insert(Candidate.end(), S.begin() + At + Chunk, S.end());
      if (Try(Candidate))
        Smaller = true;
      else
        At += Chunk;
    }
    if (Chunk > 1)
      Chunk /= 2;
    else if (!Smaller)
      break;
  }

  for (size_t I = 0; I < S.size(); I++) {
    Schedule Candidate = S;
    Candidate[I].Split = false;
    if (S[I].Split)
      Try(Candidate);
    for (uint32_t Size : {1u, 2u, 4u, 8u}) {
      Candidate = S;
      if (I >= S.size() || Size >= S[I].Size)
        break;
      Candidate[I].Size = Size;
      if (Try(Candidate))
        break;
    }
  }
  return S;
}

} // namespace atsan_test
