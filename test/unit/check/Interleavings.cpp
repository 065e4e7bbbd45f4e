//===- Interleavings.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle that Interleavings.h declares. It is one file since it is read as
// one argument: which events can come next, what a schedule of them means, and
// the search through all; no part has another user, and none of the code that
// it judges is in it.
//
//===----------------------------------------------------------------------===//

#include "Interleavings.h"
#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

namespace atsan_test {

using atsan::trace::EventKind;

namespace {

/// The threads of a program at some point of an interleaving. What they hold
/// and whom they wait for follows from where they are.
class Machine {
public:
  explicit Machine(const Program &P) : P(P), At(P.size()), Starter(P.size()) {
    for (size_t T = 0; T < P.size(); ++T) {
      Alone.emplace_back(1);
      Shared.emplace_back(1);
      Arrivals.emplace_back(1);
      std::array<int, 8> Count{};
      std::array<int, 4> Rounds{};
      for (size_t I = 0; I < P[T].size(); ++I) {
        const Operation &O = P[T][I];
        uint32_t A = Alone.back().back(), S = Shared.back().back();
        const uint32_t Bit = 1u << O.Operand;
        switch (O.Kind) {
        case EventKind::Acquire:
          A |= Bit;
          ++Count[O.Operand];
          break;
        case EventKind::Release:
          if (!--Count[O.Operand])
            A &= ~Bit;
          break;
        case EventKind::AcquireShared:
          S |= Bit;
          break;
        case EventKind::ReleaseShared:
          S &= ~Bit;
          break;
        case EventKind::Start:
          Starter[O.Operand] = {T, I + 1};
          break;
        case EventKind::BarrierArrive:
          ++Rounds[O.Operand];
          break;
        case EventKind::Wait:
          Waits[O.Operand] = {T, I + 1};
          break;
        case EventKind::Signal:
        case EventKind::HappensBefore:
          Tells[O.Operand] = {T, I + 1};
          break;
        default:
          break;
        }
        Alone.back().push_back(A);
        Shared.back().push_back(S);
        Arrivals.back().push_back(Rounds);
      }
    }
  }

  bool done(size_t T) const { return At[T] == P[T].size(); }
  const Operation &next(size_t T) const { return P[T][At[T]]; }

  bool enabled(size_t T) const {
    if (done(T) || !isStarted(T))
      return false;
    const Operation &O = next(T);
    for (size_t U = 0; U < P.size(); ++U) {
      if (U == T)
        continue;
      const uint32_t Taken =
          O.Kind == EventKind::Acquire ? Alone[U][At[U]] | Shared[U][At[U]]
          : O.Kind == EventKind::AcquireShared ? Alone[U][At[U]]
                                               : 0;
      if (Taken >> O.Operand & 1)
        return false;
      // Those who take part at all must have come as often as this thread.
      if (O.Kind == EventKind::BarrierLeave && Arrivals[U].back()[O.Operand] &&
          Arrivals[U][At[U]][O.Operand] < Arrivals[T][At[T]][O.Operand])
        return false;
    }
    if (O.Kind == EventKind::Signal)
      return isBehind(Waits[O.Operand]);
    if (O.Kind == EventKind::Woken || O.Kind == EventKind::HappensAfter)
      return isBehind(Tells[O.Operand]);
    return O.Kind != EventKind::Join ||
           (done(O.Operand) && isStarted(O.Operand));
  }
  bool isStarted(size_t T) const { return isBehind(Starter[T]); }

  /// It can be made at once, without losing any outcome: no other thread's
  /// step between now and then could notice but by having less choice.
  bool isSilent(size_t T) const {
    switch (next(T).Kind) {
    case EventKind::RegionBegin:
    case EventKind::RegionEnd:
    case EventKind::Release:
    case EventKind::ReleaseShared:
    case EventKind::Start:
    case EventKind::BarrierArrive:
    case EventKind::Wait:
    case EventKind::Signal:
    case EventKind::Woken:
    case EventKind::HappensBefore:
    case EventKind::HappensAfter:
      return true;
    default:
      return false;
    }
  }

  const Program &P;
  std::vector<size_t> At;

private:
  using Place = std::pair<size_t, size_t>; ///< Thread, place after it.

  bool isBehind(const Place &Q) const { return At[Q.first] >= Q.second; }

  std::vector<Place> Starter;
  std::array<Place, 8> Waits{}, Tells{}; ///< Of each hand-over.
  std::vector<std::vector<uint32_t>> Alone, Shared;
  std::vector<std::vector<std::array<int, 4>>> Arrivals;
};

bool isBoundary(EventKind K, const Dividers &D) {
  return K == EventKind::Wait || (K == EventKind::Start && D.Start) ||
         (K == EventKind::Join && D.Join) ||
         ((K == EventKind::BarrierArrive || K == EventKind::BarrierLeave) &&
          D.Barrier);
}

/// Without a transaction a thread is in no edge.
bool hasTransaction(const std::vector<Operation> &Ops) {
  return std::any_of(Ops.begin(), Ops.end(), [](const Operation &O) {
    return atsan::trace::isAccess(O.Kind) || O.Kind == EventKind::RegionBegin ||
           O.Kind == EventKind::Start || O.Kind == EventKind::Join;
  });
}

/// A start or join that divides nothing is an access of a variable that only
/// the two threads know: written by the start, and then read by the thread;
/// written by the thread in the end, and read by the join.
Operation startOf(uint32_t Thread, EventKind Kind) {
  return {Kind, 8 + Thread};
}
Operation endOf(uint32_t Thread, EventKind Kind) { return {Kind, 16 + Thread}; }

struct Accesses {
  uint32_t Read = 0, Written = 0; ///< A bit for each variable.

  void add(const Operation &O) {
    Read |= uint32_t(atsan::trace::reads(O.Kind)) << O.Operand;
    Written |= uint32_t(atsan::trace::writes(O.Kind)) << O.Operand;
  }
  void add(const Accesses &A) {
    Read |= A.Read;
    Written |= A.Written;
  }
  bool conflictsWith(const Operation &O) const {
    return (Written | (atsan::trace::writes(O.Kind) ? Read : 0)) >> O.Operand &
           1;
  }
};

/// What the open region of a thread has done, and what the conflict graph says
/// of it: the threads whose present and later transactions it reaches, and the
/// accesses that others made in transactions which it reaches.
struct Region {
  bool Open = false;
  uint8_t Reached = 0;
  Accesses Own, Others;
};

class Explorer {
public:
  Explorer(const Program &P, size_t MaxStates, const Dividers &D)
      : P(P), MaxStates(MaxStates), D(D), IsStarted(P.size()) {
    for (const std::vector<Operation> &Ops : P)
      for (const Operation &O : Ops)
        if (O.Kind == EventKind::Start)
          IsStarted[O.Operand] = true;
  }

  Outcomes run() {
    visit(Machine(P), std::vector<Region>(P.size()),
          std::vector<unsigned>(P.size()));
    return Result;
  }

private:
  void visit(Machine M, std::vector<Region> R, std::vector<unsigned> Depth) {
    for (bool Again = true; Again;) {
      Again = false;
      for (size_t T = 0; T < P.size(); ++T)
        while (M.enabled(T) && M.isSilent(T)) {
          step(M, R, Depth, T);
          Again = true;
        }
    }
    if (!Seen.insert(key(M, R)).second)
      return;
    if (Seen.size() > MaxStates)
      Result.GaveUp = true;
    bool Moves = false, Done = true;
    for (size_t T = 0; T < P.size() && !decided(); ++T) {
      Done &= M.done(T);
      if (!M.enabled(T))
        continue;
      Moves = true;
      Machine M2 = M;
      std::vector<Region> R2 = R;
      std::vector<unsigned> Depth2 = Depth;
      if (step(M2, R2, Depth2, T))
        visit(std::move(M2), std::move(R2), std::move(Depth2));
      else
        Result.Unserializable = true;
    }
    if (!Moves && !Done && !decided())
      Result.Deadlocks = true;
  }

  bool decided() const {
    return Result.GaveUp || (Result.Unserializable && Result.Deadlocks);
  }

  /// False: a cycle closes.
  bool step(Machine &M, std::vector<Region> &R, std::vector<unsigned> &Depth,
            size_t T) {
    const Operation O = M.next(T);
    if (!M.At[T]++ && IsStarted[T] && !D.Start)
      access(R, T, startOf(T, EventKind::Read));
    const bool Closes = !perform(R, Depth, T, O);
    if (M.done(T) && !D.Join && hasTransaction(P[T]))
      access(R, T, endOf(T, EventKind::Write));
    return !Closes;
  }

  bool perform(std::vector<Region> &R, std::vector<unsigned> &Depth, size_t T,
               const Operation &O) {
    if (isBoundary(O.Kind, D)) {
      R[T] = Region();
      R[T].Open = Depth[T];
      for (Region &A : R)
        if (O.Kind == EventKind::Start && A.Reached >> T & 1)
          A.Reached |= 1 << O.Operand;
        else if (O.Kind == EventKind::Join && A.Reached >> O.Operand & 1 &&
                 hasTransaction(P[O.Operand]))
          A.Reached |= 1 << T;
    } else if (O.Kind == EventKind::Start) {
      return access(R, T, startOf(O.Operand, EventKind::Write));
    } else if (O.Kind == EventKind::Join) {
      return access(R, T, endOf(O.Operand, EventKind::Read));
    } else if (O.Kind == EventKind::RegionBegin) {
      if (!Depth[T]++) {
        R[T] = Region();
        R[T].Open = true;
      }
    } else if (O.Kind == EventKind::RegionEnd) {
      if (!--Depth[T])
        R[T] = Region();
    } else if (atsan::trace::isAccess(O.Kind)) {
      return access(R, T, O);
    }
    return true;
  }

  bool access(std::vector<Region> &R, size_t T, const Operation &O) {
    if (R[T].Open && R[T].Others.conflictsWith(O))
      return false;
    for (size_t U = 0; U < R.size(); ++U) {
      Region &A = R[U];
      if (U == T || !A.Open)
        continue;
      if (!(A.Reached >> T & 1) &&
          (A.Own.conflictsWith(O) || A.Others.conflictsWith(O))) {
        A.Reached |= 1 << T;
      }
      if (A.Reached >> T & 1)
        A.Others.add([&] {
          Accesses New;
          New.add(O);
          return New;
        }());
    }
    R[T].Own.add(O);
    // Whoever reaches an open region reaches what that one reaches.
    if (R[T].Open)
      for (size_t U = 0; U < R.size(); ++U)
        if (U != T && R[U].Open && R[U].Reached >> T & 1) {
          R[U].Reached |= R[T].Reached;
          R[U].Others.add(R[T].Own);
          R[U].Others.add(R[T].Others);
        }
    if (!R[T].Open)
      R[T] = Region();
    return true;
  }

  std::string key(const Machine &M, const std::vector<Region> &R) const {
    std::string Key;
    for (size_t T = 0; T < P.size(); ++T) {
      Key += char(M.At[T]);
      if (!R[T].Open)
        continue;
      // What the region did itself follows from where the thread is.
      Key += char(R[T].Reached);
      for (uint32_t Bits : {R[T].Others.Read, R[T].Others.Written})
        for (int Byte = 0; Byte < 4; ++Byte)
          Key += char(Bits >> 8 * Byte);
    }
    return Key;
  }

  const Program &P;
  const size_t MaxStates;
  const Dividers D;
  std::vector<bool> IsStarted;
  std::unordered_set<std::string> Seen;
  Outcomes Result;
};

/// The transaction of each step of an interleaving, in order of their first
/// steps; -1 for steps that are of none.
std::vector<int> transactions(const Program &P, const Interleaving &Order,
                              const Dividers &D) {
  std::vector<int> Of, Open(P.size(), -1);
  std::vector<size_t> At(P.size());
  std::vector<unsigned> Depth(P.size());
  int Count = 0;
  for (uint8_t T : Order) {
    const Operation &O = P[T][At[T]++];
    int This = -1;
    if (isBoundary(O.Kind, D)) {
      This = Count++;
      Open[T] = -1;
    } else if (O.Kind == EventKind::RegionBegin) {
      if (!Depth[T]++)
        This = Open[T] = Count++;
    } else if (O.Kind == EventKind::RegionEnd) {
      --Depth[T];
    } else if (atsan::trace::isAccess(O.Kind) || O.Kind == EventKind::Start ||
               O.Kind == EventKind::Join) {
      if (!Depth[T])
        This = Count++;
      else
        This = Open[T] = Open[T] < 0 ? Count++ : Open[T];
    }
    Of.push_back(This);
  }
  return Of;
}

struct Step {
  uint8_t Thread;
  Operation What;
  int Transaction;
};
std::vector<Step> steps(const Program &P, const Interleaving &Order,
                        const Dividers &D = {}) {
  const std::vector<int> Of = transactions(P, Order, D);
  std::vector<Step> Steps;
  std::vector<size_t> At(P.size());
  for (size_t I = 0; I < Order.size(); ++I) {
    const Operation &O = P[Order[I]][At[Order[I]]++];
    if (Of[I] >= 0)
      Steps.push_back({Order[I], O, Of[I]});
  }
  return Steps;
}

bool conflict(const Step &A, const Step &B) {
  return A.Thread != B.Thread && atsan::trace::isAccess(A.What.Kind) &&
         atsan::trace::isAccess(B.What.Kind) &&
         A.What.Operand == B.What.Operand &&
         (atsan::trace::writes(A.What.Kind) ||
          atsan::trace::writes(B.What.Kind));
}

/// Must A's transaction be before B's in every schedule, for a reason that is
/// no conflict, A being earlier? A barrier is one in serial orders only.
bool ordered(const Step &A, const Step &B, bool Barriers) {
  if (A.Thread == B.Thread)
    return A.Transaction != B.Transaction;
  return (A.What.Kind == EventKind::Start && A.What.Operand == B.Thread) ||
         (B.What.Kind == EventKind::Join && B.What.Operand == A.Thread) ||
         (Barriers && A.What.Kind == EventKind::BarrierArrive &&
          B.What.Kind == EventKind::BarrierLeave &&
          A.What.Operand == B.What.Operand);
}

} // namespace

Outcomes explore(const Program &P, size_t MaxStates, const Dividers &D) {
  return Explorer(P, MaxStates, D).run();
}

bool isFeasible(const Program &P, const Interleaving &Order) {
  Machine M(P);
  for (uint8_t T : Order) {
    if (!M.enabled(T))
      return false;
    ++M.At[T];
  }
  return true;
}

void forEachInterleaving(
    const Program &P,
    const std::function<bool(const Interleaving &, bool Deadlocked)> &Visit) {
  Interleaving Order;
  Machine M(P);
  std::function<bool()> Go = [&] {
    bool Moves = false, Done = true;
    for (size_t T = 0; T < P.size(); ++T) {
      Done &= M.done(T);
      if (!M.enabled(T))
        continue;
      Moves = true;
      ++M.At[T];
      Order.push_back(T);
      const bool More = Go();
      Order.pop_back();
      --M.At[T];
      if (!More)
        return false;
    }
    return Moves || Visit(Order, !Done);
  };
  Go();
}

bool isConflictSerializable(const Program &P, const Interleaving &Order,
                            const Dividers &D) {
  const std::vector<Step> Steps = steps(P, Order, D);
  std::map<int, std::vector<int>> Edges;
  for (size_t J = 0; J < Steps.size(); ++J)
    for (size_t I = 0; I < J; ++I)
      if (conflict(Steps[I], Steps[J]) || ordered(Steps[I], Steps[J], false))
        Edges[Steps[I].Transaction].push_back(Steps[J].Transaction);
  std::map<int, int> Color; // 1: on the path, 2: done.
  std::function<bool(int)> Acyclic = [&](int N) {
    Color[N] = 1;
    for (int Next : Edges[N])
      if (Color[Next] == 1 || (!Color[Next] && !Acyclic(Next)))
        return false;
    Color[N] = 2;
    return true;
  };
  for (const Step &S : Steps)
    if (!Color[S.Transaction] && !Acyclic(S.Transaction))
      return false;
  return true;
}

bool isViewSerializable(const Program &P, const Interleaving &Order) {
  const std::vector<Step> Steps = steps(P, Order);
  int Count = 0;
  for (const Step &S : Steps)
    Count = std::max(Count, S.Transaction + 1);
  std::vector<std::vector<size_t>> Of(Count);
  for (size_t I = 0; I < Steps.size(); ++I)
    Of[Steps[I].Transaction].push_back(I);
  std::vector<uint32_t> Before(Count); // Which must come first.
  for (size_t J = 0; J < Steps.size(); ++J)
    for (size_t I = 0; I < J; ++I)
      if (ordered(Steps[I], Steps[J], true) &&
          Steps[I].Transaction != Steps[J].Transaction)
        Before[Steps[J].Transaction] |= 1u << Steps[I].Transaction;

  constexpr size_t None = ~size_t(0);
  using LastWrites = std::array<size_t, 8>;
  LastWrites Nothing;
  Nothing.fill(None);
  auto Run = [&](size_t I, LastWrites &Last) {
    const Operation &O = Steps[I].What;
    const size_t From = atsan::trace::reads(O.Kind) ? Last[O.Operand] : None;
    if (atsan::trace::writes(O.Kind))
      Last[O.Operand] = I;
    return From;
  };
  std::vector<size_t> ReadFrom;
  LastWrites Final = Nothing;
  for (size_t I = 0; I < Steps.size(); ++I)
    ReadFrom.push_back(
        atsan::trace::isAccess(Steps[I].What.Kind) ? Run(I, Final) : None);

  std::function<bool(uint32_t, LastWrites)> Serial = [&](uint32_t Done,
                                                         LastWrites Last) {
    if (Done == (1u << Count) - 1)
      return Last == Final;
    for (int T = 0; T < Count; ++T) {
      if (Done >> T & 1 || Before[T] & ~Done)
        continue;
      LastWrites Then = Last;
      bool Same = true;
      for (size_t I : Of[T])
        if (atsan::trace::isAccess(Steps[I].What.Kind))
          Same &= Run(I, Then) == ReadFrom[I];
      if (Same && Serial(Done | 1u << T, Then))
        return true;
    }
    return false;
  };
  return Serial(0, Nothing);
}

std::optional<Interleaving> randomInterleaving(const Program &P,
                                               std::mt19937_64 &Random) {
  for (int Attempt = 0; Attempt < 50; ++Attempt) {
    Machine M(P);
    Interleaving Order;
    for (;;) {
      std::vector<uint8_t> Enabled;
      bool Done = true;
      for (size_t T = 0; T < P.size(); ++T) {
        Done &= M.done(T);
        if (M.enabled(T))
          Enabled.push_back(uint8_t(T));
      }
      if (Done)
        return Order;
      if (Enabled.empty())
        break;
      const uint8_t T = Enabled[Random() % Enabled.size()];
      ++M.At[T];
      Order.push_back(T);
    }
  }
  return std::nullopt;
}

std::vector<atsan::trace::Event> events(const Program &P,
                                        const Interleaving &Order) {
  std::vector<atsan::trace::Event> Events;
  std::vector<size_t> At(P.size());
  for (uint8_t T : Order) {
    const Operation &O = P[T][At[T]++];
    atsan::trace::Event E;
    E.Thread = T;
    E.Kind = O.Kind;
    E.Location = uint32_t(100 * T + At[T]);
    switch (O.Kind) {
    case EventKind::Read:
    case EventKind::Write:
    case EventKind::ReadModifyWrite:
      E.Address = variableAddress(O.Operand);
      E.Size = 8;
      break;
    case EventKind::Acquire:
    case EventKind::Release:
    case EventKind::AcquireShared:
    case EventKind::ReleaseShared:
      E.Address = lockAddress(O.Operand);
      break;
    case EventKind::BarrierArrive:
    case EventKind::BarrierLeave:
      E.Address = barrierAddress(O.Operand);
      break;
    case EventKind::Start:
    case EventKind::Join:
      E.Address = O.Operand;
      break;
    case EventKind::HappensBefore:
    case EventKind::HappensAfter:
      if (isSemaphore(O.Operand))
        E.Kind = O.Kind == EventKind::HappensBefore ? EventKind::Release
                                                    : EventKind::Acquire;
      [[fallthrough]];
    case EventKind::Wait:
    case EventKind::Signal:
    case EventKind::Woken:
      E.Address = handOverAddress(O.Operand);
      break;
    default:
      break;
    }
    Events.push_back(E);
    if (At[T] == P[T].size() && !P[T].empty()) {
      E = {};
      E.Thread = T;
      E.Kind = EventKind::End;
      Events.push_back(E);
    }
  }
  return Events;
}

} // namespace atsan_test
