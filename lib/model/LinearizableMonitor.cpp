//===- LinearizableMonitor.cpp -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/LinearizableMonitor.h"

using namespace atsan::model;

LinearizableMonitor::LinearizableMonitor(const Program &P, unsigned Threads)
    : P(P), All(P.Registers.size()) {
  for (size_t R = 0; R < P.Registers.size(); ++R) {
    const Register &Of = P.Registers[R];
    Possibility First(Threads + 1, Idle);
    First[0] = Of.Initial - Of.Of.Low;
    number(All[R], {First});
  }
}

std::vector<unsigned> LinearizableMonitor::widths() const {
  return std::vector<unsigned>(P.Registers.size(), NumberBits);
}

Value LinearizableMonitor::number(Known &Of, Set S) const {
  const auto [It, IsNew] =
      Of.Numbers.emplace(std::move(S), static_cast<Value>(Of.Sets.size()));
  if (IsNew)
    Of.Sets.push_back(&It->first);
  if (Of.Sets.size() >> NumberBits)
    throw ModelError(P.Registers[0].At,
                     "the operations have too many possible orders",
                     "use fewer threads or values");
  return It->second;
}

Value LinearizableMonitor::after(Known &Of, Value From, unsigned Thread,
                                 char32_t Is, bool IsResponse) const {
  const auto Key = std::make_pair(
      From, std::u32string{char32_t(Thread), Is, char32_t(IsResponse)});
  if (const auto It = Of.Next.find(Key); It != Of.Next.end())
    return It->second;
  Set Result;
  std::vector<Possibility> Work;
  auto Add = [&](const Possibility &New) {
    if (Result.insert(New).second)
      Work.push_back(New);
  };
  for (Possibility Each : *Of.Sets[From]) {
    if (IsResponse && Each[Thread + 1] != Is)
      continue;
    Each[Thread + 1] = IsResponse ? char32_t(Idle) : Is;
    Add(Each);
  }
  // Open operations may take effect at any time from now on.
  while (!Work.empty()) {
    const Possibility Each = Work.back();
    Work.pop_back();
    for (size_t T = 1; T < Each.size(); ++T) {
      Possibility Then = Each;
      if (Each[T] == ReadOpen) {
        Then[T] = FirstValue + 2 * Each[0];
        Add(Then);
      } else if (Each[T] >= FirstValue && (Each[T] - FirstValue) % 2) {
        Then[0] = (Each[T] - FirstValue) / 2;
        Then[T] = WriteDone;
        Add(Then);
      }
    }
  }
  const Value To = Result.empty() ? -1 : number(Of, std::move(Result));
  Of.Next.emplace(Key, To);
  return To;
}

bool LinearizableMonitor::invoke(Value *M, unsigned Thread, const Edge &E,
                                 Value Argument) const {
  const Register &R = P.Registers[E.Number];
  Value &Now = M[E.Number];
  const char32_t Is =
      E.IsWrite ? FirstValue + 2 * (Argument - R.Of.Low) + 1 : ReadOpen;
  Now = after(All[E.Number], Now, Thread, Is, false);
  return false;
}

bool LinearizableMonitor::respond(Value *M, unsigned Thread, const Edge &E,
                                  Value Result) const {
  const Register &R = P.Registers[E.Number];
  Value &Now = M[E.Number];
  const char32_t Is =
      E.IsWrite ? char32_t(WriteDone) : FirstValue + 2 * (Result - R.Of.Low);
  const Value Next = after(All[E.Number], Now, Thread, Is, true);
  if (Next < 0)
    return true;
  Now = Next;
  return false;
}
