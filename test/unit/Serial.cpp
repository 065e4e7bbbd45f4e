//===-- Serial.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Serializability by exhaustive search.
//
//===----------------------------------------------------------------------===//

#include "Serial.h"

#include <map>
#include <set>

namespace atsan_test {

namespace {
// What matters of an event once the run is taken apart: boundaries are gone,
// each event knows the transaction that it belongs to.
struct Step {
  unsigned Thread;
  unsigned Transaction;
  int Child = -1;  // Create: the thread that starts.
  int Joined = -1; // Join: the thread that has ended.
  bool Write = false;
  std::set<int> Entities; // Never reused: a byte that died comes back as new.
};
} // namespace

static std::vector<Step> takeApart(const Schedule &S) {
  std::vector<Step> Steps;
  std::map<unsigned, unsigned> Depth, Open;
  std::map<uint32_t, int> EntityOf;
  unsigned NumTransactions = 0;
  int NumEntities = 0;
  for (const Event &E : S) {
    unsigned T = E.Thread;
    if (E.What == Op::Begin && Depth[T]++ == 0)
      Open[T] = NumTransactions++;
    if (E.What == Op::Leave)
      Depth[T]--;
    if (E.What == Op::Forget)
      for (uint32_t B = E.Offset; B < E.Offset + E.Size; B++)
        EntityOf.erase(B);
    if (E.What != Op::Access && E.What != Op::Create && E.What != Op::Join)
      continue;
    Step P;
    P.Thread = T;
    P.Transaction = Depth[T] && !E.Split ? Open[T] : NumTransactions++;
    if (Depth[T] && E.Split)
      Open[T] = NumTransactions++;
    if (E.What == Op::Create)
      P.Child = E.Other;
    if (E.What == Op::Join)
      P.Joined = E.Other;
    if (E.What == Op::Access) {
      P.Write = IsWrite(E.Kind);
      for (uint32_t B = E.Offset; B < E.Offset + E.Size; B++) {
        if (!EntityOf.count(B))
          EntityOf[B] = NumEntities++;
        P.Entities.insert(EntityOf[B]);
      }
    }
    Steps.push_back(P);
    // A thread's start is a step of its own, whatever the thread does then.
    if (E.What == Op::Create) {
      P = Step();
      P.Thread = E.Other;
      P.Transaction = NumTransactions++;
      Steps.push_back(P);
    }
  }
  return Steps;
}

static bool isDependent(const Step &A, const Step &B) {
  if (A.Thread == B.Thread)
    return true;
  if (A.Child == static_cast<int>(B.Thread) ||
      B.Joined == static_cast<int>(A.Thread))
    return true;
  if (A.Write || B.Write)
    for (int Entity : A.Entities)
      if (B.Entities.count(Entity))
        return true;
  return false;
}

typedef std::vector<uint8_t> Order;

static bool isSerial(const std::vector<Step> &Steps, const Order &O) {
  // No transaction is left and entered again.
  std::set<unsigned> Left;
  for (size_t I = 0; I < O.size(); I++) {
    unsigned Transaction = Steps[O[I]].Transaction;
    if (Left.count(Transaction))
      return false;
    if (I + 1 < O.size() && Steps[O[I + 1]].Transaction != Transaction)
      Left.insert(Transaction);
  }
  return true;
}

bool isSerializable(const Schedule &S) {
  std::vector<Step> Steps = takeApart(S);
  Order First;
  for (size_t I = 0; I < Steps.size(); I++)
    First.push_back(I);
  std::set<Order> Seen = {First};
  std::vector<Order> Pending = {First};
  while (!Pending.empty()) {
    Order O = std::move(Pending.back());
    Pending.pop_back();
    if (isSerial(Steps, O))
      return true;
    for (size_t I = 0; I + 1 < O.size(); I++) {
      if (isDependent(Steps[O[I]], Steps[O[I + 1]]))
        continue;
      Order Next = O;
      std::swap(Next[I], Next[I + 1]);
      if (Seen.insert(Next).second)
        Pending.push_back(Next);
    }
  }
  return false;
}

} // namespace atsan_test
