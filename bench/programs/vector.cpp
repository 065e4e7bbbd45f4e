//===-- vector.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All pairs of methods of a synchronized vector; see all_pairs.h for the driver
// and its regions, and synchronized_vector.h for the class and its known bug.
//
//===----------------------------------------------------------------------===//

#include "vector_methods.h"

int main(int Argc, char **Argv) {
  return runAllPairs<Vector>(
      Argc, Argv,
      {VECTOR_METHODS,
       METHOD("Vector(Collection)", true, !Vector(Other).isValid())});
}
