//===-- all_pairs.h ---------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The test driver of TSE'06, Fig. 6, for a collection class C: for each pair of
// methods, two threads call one each on an object of their own, with the other
// object as the argument where a method takes one. Pairs of two such methods
// are left out, they could deadlock. Regions: each call.
//
// One run takes several couples of threads at the same time, and each thread
// calls its method again and again.
//
//===----------------------------------------------------------------------===//
#ifndef ALL_PAIRS_H
#define ALL_PAIRS_H

#include "monitor.h"

template <class C> struct Method {
  const char *Name;
  bool TakesOther;
  // What the call returned, as a number. With an argument that others change,
  // only whether it can be right: 0, else 1.
  uint64_t (*Call)(C &Self, C &Other);
};

// A row of the table: a call as a region.
#define METHOD(Name, TakesOther, Expression)                                   \
  {Name, TakesOther, [](auto &Self, auto &Other) -> uint64_t {                 \
     OperationRegion Region(Name);                                             \
     (void)Self;                                                               \
     (void)Other;                                                              \
     return Expression;                                                        \
   }}

template <class C> class AllPairs {
public:
  AllPairs(const std::vector<Method<C>> &Methods, size_t Size, uint64_t Calls)
      : Methods(Methods), Size(Size), Calls(Calls) {}

  void run() {
    for (const Method<C> &First : Methods)
      for (const Method<C> &Second : Methods)
        if (!First.TakesOther || !Second.TakesOther)
          run(First, Second);
  }

  uint64_t sum() const { return Sum; }
  uint64_t wrong() const { return Wrong; }

private:
  struct Outcome {
    uint64_t Sum = 0, Wrong = 0;
  };

  // One side of a couple. An exception is an outcome like another, but from a
  // method with an argument: nobody takes anything away that it needs.
  Outcome callAgain(const Method<C> &M, C &Self, C &Other) const {
    Outcome Of;
    for (uint64_t I = 0; I < Calls; ++I) {
      if (I != 0)
        Self.refill(Size);
      uint64_t Returned;
      try {
        Returned = M.Call(Self, Other);
      } catch (const std::exception &) {
        Returned = 1;
      }
      if (!Self.isValid())
        ++Of.Wrong;
      if (M.TakesOther)
        Of.Wrong += Returned;
      else
        Of.Sum = Of.Sum * 31 + Returned;
    }
    return Of;
  }

  void run(const Method<C> &First, const Method<C> &Second) {
    C One, Two;
    One.refill(Size);
    Two.refill(Size);
    Outcome OfOne, OfTwo;
    interleave::again();
    std::thread ThreadOne([&] {
      Synchronized::Argument = &Two;
      OfOne = callAgain(First, One, Two);
      interleave::pastMiddle();
    });
    std::thread ThreadTwo([&] {
      interleave::awaitMiddle();
      OfTwo = callAgain(Second, Two, One);
      interleave::between();
    });
    ThreadOne.join();
    ThreadTwo.join();
    Sum = (Sum * 31 + OfOne.Sum) * 31 + OfTwo.Sum;
    Wrong += OfOne.Wrong + OfTwo.Wrong;
  }

  const std::vector<Method<C>> &Methods;
  const size_t Size;
  const uint64_t Calls;
  uint64_t Sum = 0, Wrong = 0;
};

template <class C>
int runAllPairs(int Argc, char **Argv, const std::vector<Method<C>> &Methods) {
  unsigned Couples = (argument(Argc, Argv, 1, "threads") + 1) / 2;
  size_t Size = argument(Argc, Argv, 2, "size");
  uint64_t Calls = argument(Argc, Argv, 3, "calls of each pair");
  if (Size < 3) {
    fprintf(stderr, "%s: argument 2 (size) must be at least 3\n", Argv[0]);
    return 2;
  }

  std::vector<AllPairs<C>> Runs(Couples, AllPairs<C>(Methods, Size, Calls));
  runThreads(Couples, [&](unsigned Self) { Runs[Self].run(); });
  uint64_t Sum = 0, Wrong = 0;
  for (const AllPairs<C> &R : Runs) {
    Sum = Sum * 31 + R.sum();
    Wrong += R.wrong();
  }
  if (Wrong)
    return finish("wrong outcomes", Wrong);
  return finish("outcomes", Sum);
}

#endif // ALL_PAIRS_H
