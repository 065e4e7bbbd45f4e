//===- Reduction.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Reduction.h"
#include <algorithm>

using namespace atsan;
using namespace atsan::check;
using namespace __atsan;
using atsan::trace::Event;

static CommutativityOptions factOptions(const Options &O) {
  CommutativityOptions C = commutativityOptions(O);
  C.keep_ids = true;
  return C;
}

Reduction::Reduction(const Options &O)
    : Given(O), Limit(O), Order(O.Splits),
      Facts(factOptions(O), locationOf, nullptr), Found(O) {}

bool Reduction::consume(trace::EventSpan Events) {
  for (const Event &E : Events) {
    ++Count;
    take(E);
    // Without --all the first that is irreducible by now may be reported: what
    // follows cannot make it reducible.
    if (Limit.reached() || !Found.wantsMore())
      return false;
  }
  return true;
}

void Reduction::take(const Event &E) {
  const Step S = Order.take(E);
  if (E.Thread >= Threads.size())
    Threads.resize(size_t(E.Thread) + 1);
  ThreadState &T = Threads[E.Thread];
  if (S == Step::End || S == Step::Restart ||
      (S == Step::Unary && Order.inRegion(E.Thread)))
    close(T);
  if (S == Step::Begin)
    T.Region = {Count, E};
  ThreadState *In = S == Step::Inside ? &T : nullptr;
  if (In && !T.IsOpen)
    open(T, E, Order.transaction(E.Thread));
  if (trace::isAccess(E.Kind))
    return access(E, In);
  Item I = {StepKind::kWait, false, 0, E.Location, Count};
  if (isOfLock(E.Kind)) {
    LockStep Effect;
    I.Of = feedLock(Facts, E, Count, &Effect);
    if (Effect == LockStep::kInner)
      return;
    I.Kind = isAcquire(E.Kind) ? StepKind::kAcquire : StepKind::kRelease;
  } else {
    feedMemory(Facts, E);
    feedOrder(Facts, E);
    const std::optional<StepKind> Kind = boundaryStep(E.Kind);
    if (!Kind)
      return;
    I.Kind = *Kind;
  }
  if (!In)
    return;
  T.Now.Items.push_back(I);
  T.Segment = ++Segments;
}

void Reduction::access(const Event &E, ThreadState *In) {
  if (E.Size > MaxAccessBytes)
    return Limit.giveUp(tooManyBytes(Count, E));
  bool Continues = false;
  Facts.Access(E.Thread, E.Address, E.Size, writes(E.Kind), E.IsAtomic,
               {Count, E.Location}, [&](uptr, const Variable *V) {
                 if (!In)
                   return;
                 // Two accesses in a segment are as many as it takes to break
                 // the pattern.
                 if (V->id >= SeenIn.size())
                   SeenIn.resize(V->id + 1);
                 Seen &Before = SeenIn[V->id];
                 if (Before.Segment != In->Segment)
                   Before = {In->Segment, 0};
                 if (Before.Times == 2)
                   return;
                 ++Before.Times;
                 In->Now.Items.push_back(
                     {writes(E.Kind) ? StepKind::kWrite : StepKind::kRead,
                      Continues, V->id, E.Location, Count});
                 Continues = true;
               });
}

void Reduction::open(ThreadState &T, const Event &E, uint64_t Begin) {
  T.IsOpen = true;
  T.Now.Thread = E.Thread;
  T.Now.Region = T.Region;
  T.Now.Begin = Begin;
  T.Now.Items.clear();
  T.Segment = ++Segments;
}

void Reduction::close(ThreadState &T) {
  if (!T.IsOpen)
    return;
  T.IsOpen = false;
  ++Checked;
  if (!canBreak(T.Now) || !Found.wantsMore() || Undecided.count(T.Now))
    return;
  if (!decide(T.Now))
    Undecided.insert(T.Now);
}

// Could the transaction be irreducible, whatever else the trace holds?
bool Reduction::canBreak(const Sequence &S) const {
  ReductionPattern Pattern;
  for (const Item &I : S.Items)
    if (!I.Continues && !Pattern.Take(MoverOf(I.Kind)))
      return true;
  return false;
}

void Reduction::finish() {
  for (ThreadState &T : Threads)
    close(T);
  // Without --all the transaction that ends first in the trace is reported.
  std::vector<const Sequence *> InOrder;
  InOrder.reserve(Undecided.size());
  for (const Sequence &S : Undecided)
    InOrder.push_back(&S);
  std::sort(InOrder.begin(), InOrder.end(),
            [](const Sequence *A, const Sequence *B) {
              return A->Items.back().Number < B->Items.back().Number;
            });
  for (const Sequence *S : InOrder)
    decide(*S);
  Found.sort();
}

uint8_t Reduction::flagsOf(uint32_t Variable, const RaceEvidence **Race) const {
  const Commutativity::Fate &Fate = Facts.FateOf(Variable);
  uint8_t Flags = Fate.flags;
  if (Race && Fate.race && Facts.IsRaced(Flags))
    *Race = Fate.race;
  for (uint32_t Part : Fate.parts)
    if (Part)
      Flags |= flagsOf(Part, Race);
  return Flags;
}

Mover Reduction::classify(const Item &I) const {
  if (isAccess(I) ? !Facts.IsRaced(flagsOf(I.Of))
                  : isLock(I) && Facts.FactsOf(I.Of).IsBothMover())
    return Mover::kBoth;
  return MoverOf(I.Kind);
}

std::vector<bool> Reduction::inert(const Sequence &S) const {
  std::vector<bool> Inert(S.Items.size());
  if (!Given.Improved.AcqARel)
    return Inert;
  // For each item, how many before it are neither accesses that commute without
  // a lock nor lock operations.
  std::vector<size_t> Bound(S.Items.size() + 1);
  std::vector<size_t> Open; // Indices of acquires.
  for (size_t J = 0; J != S.Items.size(); ++J) {
    const Item &I = S.Items[J];
    const bool IsBound = isAccess(I) ? flagsOf(I.Of) & kConcurrent : !isLock(I);
    Bound[J + 1] = Bound[J] + IsBound;
    if (I.Kind == StepKind::kAcquire)
      Open.push_back(J);
    if (I.Kind != StepKind::kRelease)
      continue;
    auto Begin = std::find_if(Open.rbegin(), Open.rend(),
                              [&](size_t A) { return S.Items[A].Of == I.Of; });
    if (Begin == Open.rend())
      continue; // Acquired before the transaction.
    if (Bound[*Begin] == Bound[J])
      Inert[*Begin] = Inert[J] = true;
    Open.erase(std::next(Begin).base());
  }
  return Inert;
}

bool Reduction::decide(const Sequence &S) {
  const std::vector<bool> Inert = inert(S);
  ReductionPattern Pattern;
  size_t Commit = S.Items.size();
  for (size_t I = 0; I != S.Items.size();) {
    Mover Worst = Mover::kBoth;
    size_t Which = I, Next = I;
    // Take the variables of one access together.
    do {
      const Mover M = Inert[Next] ? Mover::kBoth : classify(S.Items[Next]);
      if (M != Mover::kBoth) {
        Worst = M;
        Which = Next;
      }
      ++Next;
    } while (Next != S.Items.size() && S.Items[Next].Continues);
    I = Next;
    const bool WasCommitted = Pattern.IsCommitted();
    if (!Pattern.Take(Worst)) {
      Found.add({S.Thread, S.Begin, 0, step(S, Commit), step(S, Which)},
                S.Region, Facts);
      return true;
    }
    if (!WasCommitted && Pattern.IsCommitted())
      Commit = Which;
  }
  return false;
}

ReductionStep Reduction::step(const Sequence &S, size_t Index) const {
  const Item &I = S.Items[Index];
  ReductionStep Step = {};
  Step.mover = classify(I);
  Step.event = I.Number;
  Step.location = I.Location;
  Step.kind = I.Kind;
  if (isAccess(I)) {
    flagsOf(I.Of, &Step.race);
  } else if (isLock(I)) {
    Step.lock = I.Of;
    Step.addr = Facts.FactsOf(I.Of).addr;
  }
  return Step;
}

size_t Reduction::SameShape::operator()(const Sequence &S) const {
  uint64_t Hash = S.Region.What.Location;
  const auto Mix = [&](uint64_t Word) {
    Hash = (Hash ^ Word) * 0x9e3779b97f4a7c15;
    Hash ^= Hash >> 32;
  };
  for (const Item &I : S.Items) {
    Mix(uint64_t(I.Of) << 32 | I.Location);
    Mix(static_cast<uint64_t>(I.Kind) * 2 + I.Continues);
  }
  return Hash;
}

bool Reduction::SameShape::operator()(const Sequence &A,
                                      const Sequence &B) const {
  return A.Region.What.Location == B.Region.What.Location &&
         A.Region.What.Address == B.Region.What.Address &&
         std::equal(A.Items.begin(), A.Items.end(), B.Items.begin(),
                    B.Items.end(), [](const Item &X, const Item &Y) {
                      return X.Kind == Y.Kind && X.Continues == Y.Continues &&
                             X.Of == Y.Of && X.Location == Y.Location;
                    });
}

std::string Reduction::notion() const {
  return Given.Improved.AcqARel
             ? "regions that reduction (TSE'06 Theorem 2, the whole trace) "
               "cannot show to be atomic; if nothing is found, every schedule "
               "of these events is conflict-serializable"
             : "regions that reduction (TSE'06 Theorem 1, the whole trace) "
               "cannot show to be atomic; if nothing is found, every schedule "
               "of these events is conflict-serializable";
}

std::vector<std::pair<std::string, uint64_t>> Reduction::statistics() const {
  return {{"transactions", Checked},
          {"kept for the end", Undecided.size()},
          {"accesses to escaped memory", Facts.NumEscaped()},
          {"accesses to memory that has not escaped", Facts.NumUnescaped()}};
}
