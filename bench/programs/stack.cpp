//===-- stack.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All pairs of methods of a synchronized stack, a subclass of the vector in
// synchronized_vector.h. It inherits that one's bug, but for the constructor.
//
//===----------------------------------------------------------------------===//

#include "vector_methods.h"

namespace {

class Stack : public Vector {
public:
  void push(Element E) { add(E); }
  Element pop() {
    Synchronized Lock(*this);
    Element Top = peek();
    removeAt(size() - 1);
    return Top;
  }
  Element peek() {
    Synchronized Lock(*this);
    return get(size() - 1);
  }
  // How far from the top, from 1 on, or -1.
  long search(Element E) {
    Synchronized Lock(*this);
    long Index = lastIndexOf(E);
    return Index < 0 ? -1 : long(size()) - Index;
  }
};

} // namespace

int main(int Argc, char **Argv) {
  return runAllPairs<Stack>(
      Argc, Argv,
      {METHOD("push", false, (Self.push(&kSome), 0)),
       METHOD("pop", false, uint64_t(Self.pop()->Value)),
       METHOD("peek", false, uint64_t(Self.peek()->Value)),
       METHOD("search", false, uint64_t(Self.search(&kSome))), VECTOR_METHODS});
}
