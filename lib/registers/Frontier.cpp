//===- Frontier.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations take effect as late as possible: an operation that changes the
// value only when an operation that needs it returns. Five things keep the set
// of configurations small, and none of them loses a linearization:
//   - An operation that does not change the value takes effect as soon as its
//     result fits: it is in nobody's way then, and cannot get there later.
//   - Of two open operations with the same effect, the one that returns first
//     takes effect first: else they change places.
//   - An operation of unknown outcome takes effect only where the next one
//     needs what it leaves; else it can be left out.
//   - It is forgotten when nobody is left who could need it (Deadlines.h).
//   - Of two configurations of which one has used up fewer unknown operations,
//     the other is superfluous.
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Algorithms.h"
#include "lib/registers/Deadlines.h"
#include "lib/registers/Linearized.h"
#include "lib/registers/Sweep.h"
#include <chrono>

using namespace atsan::registers;

namespace {

/// When the search must end.
class Watch {
public:
  explicit Watch(const Limits &Given)
      : Given(Given), Begin(std::chrono::steady_clock::now()) {}

  bool reached(uint64_t Bytes) {
    if (Given.MaxMemoryBytes && Bytes > Given.MaxMemoryBytes)
      Why = "it needs more than the memory of --max-memory; give more, or "
            "split the history by key";
    else if (Given.MaxSeconds != 0 && seconds() > Given.MaxSeconds)
      Why = "it needs more than the time of --max-seconds; give more, or split "
            "the history by key";
    return !Why.empty();
  }

  std::string Why;

private:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         Begin)
        .count();
  }
  Limits Given;
  std::chrono::steady_clock::time_point Begin;
};

/// Counts how many slots are in use at most.
class CountOpen {
public:
  CountOpen(const Register &R, const Deadlines &Until) : R(R), Until(Until) {}

  uint32_t call(uint32_t I) {
    const Operation &O = R.Operations[I];
    if (O.isUnknown() && Until.of(O) < O.Call)
      return 0;
    Most = std::max(Most, ++Open);
    return 0;
  }
  bool ret(uint32_t, uint32_t) {
    --Open;
    return true;
  }
  unsigned Most = 0;

private:
  const Register &R;
  const Deadlines &Until;
  unsigned Open = 0;
};

template <unsigned Words> class Frontier {
public:
  Frontier(const Register &R, Values &Known, const Deadlines &Until,
           const Request &Wanted)
      : R(R), Known(Known), Until(Until), Past(Wanted.WantsOrder),
        Limit(Wanted.Given) {
    Entry First;
    First.Held = R.Initial;
    Current.insert(First);
  }

  Decision decide() {
    Decision D;
    D.Algorithm = "frontier";
    if (!sweep(R.Operations, *this)) {
      D.Is = Limit.Why.empty() ? Verdict::Violation : Verdict::Unknown;
      D.GaveUp = Limit.Why;
      D.Offending = Offending;
    } else {
      D.Order = Past.chain(Current[0].Past);
    }
    D.Looked = Looked;
    return D;
  }

  uint32_t call(uint32_t I) {
    const Operation &O = R.Operations[I];
    retire(O.Call);
    const Stamp Deadline = O.isUnknown() ? Until.of(O) : O.Return;
    if (Deadline < O.Call)
      return 0; // Nobody will need it.
    const unsigned S = Used.lowestFree();
    Used.add(S);
    if (S >= Slots.size())
      Slots.resize(S + 1);
    Slots[S] = {&O, I, Deadline, findTwin(O)};
    for (unsigned T = 0; T != Slots.size(); ++T)
      if (T != S && Used.has(T) && Slots[T].Twin == Slots[S].Twin &&
          isTwin(*Slots[T].Op, O) && O.Return < Slots[T].Op->Return)
        Slots[T].Twin = S;
    if (O.isUnknown()) {
      Unknown.add(S);
      LeastDeadline = std::min(LeastDeadline, Deadline);
    }
    if (!changesNothing(O)) {
      Updates.add(S);
      return S;
    }
    Observers.add(S);
    Current.rewrite([&](Entry &C) { absorb(C, S); });
    return S;
  }

  bool ret(uint32_t I, uint32_t S) {
    if (++Returns % 4096 == 0 && Limit.reached(0))
      return false;
    retire(R.Operations[I].Return);
    if (std::all_of(Current.begin(), Current.end(),
                    [&](const Entry &C) { return C.Done.has(S); })) {
      Current.rewrite([&](Entry &C) { C.Done.remove(S); });
    } else if (!search(S)) {
      Offending = I;
      return false;
    }
    release(S);
    dropDominated();
    Past.collect(Current);
    return true;
  }

private:
  using Entry = Config<Words>;
  static constexpr unsigned NoSlot = ~0u;

  struct Slot {
    const Operation *Op = nullptr;
    uint32_t Index = 0;
    Stamp Deadline = 0;
    /// One with the same effect that must take effect before it, or NoSlot.
    unsigned Twin = NoSlot;
  };

  static bool changesNothing(const Operation &O) {
    return O.isObserver() ||
           (O.isReadModifyWrite() && O.Expected == O.Argument);
  }
  static bool isTwin(const Operation &A, const Operation &B) {
    return A.isReadModifyWrite() == B.isReadModifyWrite() &&
           (A.isReadModifyWrite() || A.What == B.What) && !A.isObserver() &&
           A.Argument == B.Argument &&
           (!A.isReadModifyWrite() || A.Expected == B.Expected);
  }
  /// Among open operations with the same effect: the last that returns before.
  unsigned findTwin(const Operation &O) const {
    unsigned Found = NoSlot;
    Used.any([&](unsigned T) {
      if (T < Slots.size() && Slots[T].Op && isTwin(*Slots[T].Op, O) &&
          Slots[T].Op->Return <= O.Return &&
          (Found == NoSlot || comesBefore(Found, T)))
        Found = T;
      return false;
    });
    return Found;
  }
  bool comesBefore(unsigned A, unsigned B) const {
    return Slots[A].Op->Return != Slots[B].Op->Return
               ? Slots[A].Op->Return < Slots[B].Op->Return
               : Slots[A].Index < Slots[B].Index;
  }

  bool fits(const Operation &O, Value Held) const {
    switch (O.What) {
    case Kind::Read:
      return Held == O.Argument;
    case Kind::RefusedCas:
      return Held != O.Argument;
    case Kind::ContradictoryCas:
      return false;
    case Kind::Cas:
    case Kind::Swap:
    case Kind::FetchAdd:
      return Held == O.Expected;
    case Kind::Add:
      return Known.number(Held).has_value();
    case Kind::Write:
    case Kind::Append:
    case Kind::Look:
      break;
    }
    return true;
  }
  Value left(const Operation &O, Value Held) {
    if (O.What == Kind::Look)
      return Held;
    if (O.What == Kind::Add)
      return Known.add(Held, O.Argument);
    return O.What == Kind::Append ? Known.append(Held, O.Argument) : O.Argument;
  }

  void absorb(Entry &C, unsigned S) {
    if (C.Done.has(S) || !fits(*Slots[S].Op, C.Held))
      return;
    C.Done.add(S);
    C.Past = Past.add(C.Past, Slots[S].Index);
  }

  /// Does an open operation need the value, which an unknown one has left?
  bool isOfUse(const Entry &C) const {
    return Updates.without(C.Done).any([&](unsigned S) {
      const Operation &O = *Slots[S].Op;
      return O.What != Kind::Write && fits(O, C.Held);
    });
  }

  /// Lets S take effect wherever it can, after others if need be. Returns
  /// whether it can anywhere.
  bool search(unsigned S) {
    Seen.clear();
    Next.clear();
    for (const Entry &C : Current)
      reach(C, S);
    for (size_t I = 0; I != Seen.size(); ++I) {
      if (I % 256 == 255 &&
          Limit.reached(Seen.bytes() + Next.bytes() + Current.bytes()))
        return false;
      const Entry From = Seen[I];
      Updates.without(From.Done).any([&](unsigned T) {
        step(From, T, S);
        return false;
      });
    }
    Current.swap(Next);
    return !Current.empty();
  }

  void reach(Entry C, unsigned S) {
    if (!C.Done.has(S)) {
      Seen.insert(C);
      return;
    }
    C.Done.remove(S);
    Next.insert(C);
  }

  /// Lets T take effect.
  void step(const Entry &From, unsigned T, unsigned S) {
    const Slot &Of = Slots[T];
    if (!fits(*Of.Op, From.Held) ||
        (Of.Twin != NoSlot && !From.Done.has(Of.Twin)))
      return;
    if (Of.Op->What == Kind::Look)
      Looked.insert(From.Held);
    Entry To = From;
    To.Done.add(T);
    To.Held = left(*Of.Op, From.Held);
    To.Past = Past.add(From.Past, Of.Index);
    const SlotSet<Words> Before = To.Done;
    Observers.without(To.Done).any([&](unsigned O) {
      absorb(To, O);
      return false;
    });
    if (Of.Op->isUnknown() &&
        (To.Held == From.Held || (To.Done == Before && !isOfUse(To))))
      return;
    reach(To, S);
  }

  /// Forgets a slot: nobody may refer to it any more.
  void release(unsigned S) {
    for (Slot &Other : Slots)
      if (Other.Twin == S)
        Other.Twin = Slots[S].Twin;
    Used.remove(S);
    Updates.remove(S);
    Observers.remove(S);
    Unknown.remove(S);
    Slots[S] = Slot();
  }

  /// Forgets unknown operations whose time is over before \p Now.
  void retire(Stamp Now) {
    if (Now <= LeastDeadline)
      return;
    LeastDeadline = Never;
    for (unsigned S = 0; S != Slots.size(); ++S) {
      if (!Unknown.has(S))
        continue;
      if (Slots[S].Deadline >= Now) {
        LeastDeadline = std::min(LeastDeadline, Slots[S].Deadline);
        continue;
      }
      Current.rewrite([&](Entry &C) { C.Done.remove(S); });
      release(S);
    }
  }

  /// Leaves out what has used up more unknown operations than another one.
  void dropDominated() {
    if (Current.size() < 2 || Unknown.isEmpty())
      return;
    std::vector<Entry> Sorted(Current.begin(), Current.end());
    const auto Key = [&](const Entry &C) {
      return std::make_pair(C.Held, C.Done.without(Unknown));
    };
    std::sort(Sorted.begin(), Sorted.end(),
              [&](const Entry &A, const Entry &B) { return Key(A) < Key(B); });
    Current.clear();
    for (size_t I = 0, End; I != Sorted.size(); I = End) {
      for (End = I + 1;
           End != Sorted.size() && Key(Sorted[End]) == Key(Sorted[I]);)
        ++End;
      for (size_t A = I; A != End; ++A) {
        bool IsNeeded = true;
        for (size_t B = I; B != End && IsNeeded; ++B)
          IsNeeded = A == B || !Sorted[B].Done.isIn(Sorted[A].Done);
        if (IsNeeded)
          Current.insert(Sorted[A]);
      }
    }
  }

  const Register &R;
  Values &Known;
  const Deadlines &Until;
  Linearized Past;
  Watch Limit;
  std::vector<Slot> Slots;
  SlotSet<Words> Used, Updates, Observers, Unknown;
  Stamp LeastDeadline = Never;
  /// The frontier; while S is looked for: what was reached without and with it.
  ConfigSet<Words> Current, Seen, Next;
  uint64_t Returns = 0;
  uint32_t Offending = 0;
  std::set<Value> Looked;
};

} // namespace

Decision atsan::registers::decideFrontier(const Register &R, Values &Known,
                                          const Request &Wanted) {
  const Deadlines Until(R);
  CountOpen Open(R, Until);
  sweep(R.Operations, Open);
  if (Open.Most <= 64)
    return Frontier<1>(R, Known, Until, Wanted).decide();
  if (Open.Most <= 256)
    return Frontier<4>(R, Known, Until, Wanted).decide();
  if (Open.Most <= 2048)
    return Frontier<32>(R, Known, Until, Wanted).decide();
  Decision D;
  D.Is = Verdict::Unknown;
  D.Algorithm = "frontier";
  D.GaveUp = std::to_string(Open.Most) +
             " operations are open at once, and 2048 is the most; split the "
             "history by key";
  return D;
}
