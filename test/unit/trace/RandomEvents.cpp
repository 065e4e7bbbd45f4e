//===- RandomEvents.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomEvents.h"
#include "test/unit/Events.h"
#include <algorithm>

using namespace atsan::trace;

namespace {

class Generator {
public:
  Generator(std::mt19937_64 &Random, const RandomOptions &O)
      : Random(Random), Options(O), Threads(O.Threads) {}

  std::vector<Event> run() {
    Threads[0].HasStarted = true;
    // The others are started, or just there.
    for (unsigned T = 1; T < Options.Threads; ++T)
      Threads[T].IsForked = below(2);
    while (Events.size() < Options.Events)
      step(below(Options.Threads));
    return std::move(Events);
  }

private:
  struct Thread {
    bool IsForked = false, HasStarted = false, HasRun = false;
    bool HasEnded = false;
    unsigned Depth = 0;
    std::vector<uint64_t> Held, Shared;
  };

  uint64_t below(uint64_t N) { return Random() % N; }

  void add(uint32_t T, EventKind K, uint64_t Address = 0, uint64_t Size = 0) {
    Event E = atsan_test::event(T, K, Address, Size);
    E.Location = static_cast<uint32_t>(below(100));
    E.IsAtomic = K == EventKind::ReadModifyWrite;
    Events.push_back(E);
    Threads[T].HasRun = true;
  }

  bool isHeld(uint64_t Lock) const {
    return std::any_of(Threads.begin(), Threads.end(), [&](const Thread &T) {
      return std::count(T.Held.begin(), T.Held.end(), Lock) ||
             std::count(T.Shared.begin(), T.Shared.end(), Lock);
    });
  }

  void memory(uint32_t T, EventKind K) {
    uint64_t Size = Options.OnlyStd ? 8 : 1 + below(Options.MaxSize);
    const uint64_t At =
        Options.OnlyStd ? 8 * below(Options.Bytes) : below(Options.Bytes);
    if (!Options.OnlyStd)
      Size = std::min<uint64_t>(Size, Options.Bytes - At);
    add(T, K, 0x1000 + At, Size);
  }

  void step(uint32_t Number) {
    Thread &T = Threads[Number];
    if (T.HasEnded)
      return;
    if (T.IsForked && !T.HasStarted) {
      const auto Parent = static_cast<uint32_t>(below(Options.Threads));
      if (!Threads[Parent].HasStarted || Threads[Parent].HasEnded)
        return;
      add(Parent, EventKind::Start, Number);
    }
    T.HasStarted = true;
    const uint64_t Lock = 0x2000 + 8 * below(2);
    switch (below(Options.OnlyStd ? 12 : 20)) {
    case 0:
    case 1:
    case 2:
      return memory(Number, EventKind::Read);
    case 3:
    case 4:
    case 5:
      return memory(Number, EventKind::Write);
    case 6:
    case 7:
      ++T.Depth;
      return add(Number, EventKind::RegionBegin, below(3));
    case 8:
      if (T.Depth) {
        --T.Depth;
        add(Number, EventKind::RegionEnd, below(3));
      }
      return;
    case 9:
      if (!isHeld(Lock) || std::count(T.Held.begin(), T.Held.end(), Lock)) {
        T.Held.push_back(Lock);
        add(Number, EventKind::Acquire, Lock);
      }
      return;
    case 10:
      if (!T.Held.empty()) {
        add(Number, EventKind::Release, T.Held.back());
        T.Held.pop_back();
      }
      return;
    case 11: {
      const auto Other = static_cast<uint32_t>(below(Options.Threads));
      Thread &O = Threads[Other];
      if (Other == Number || !O.HasStarted || !(O.HasRun || O.IsForked) ||
          !O.Held.empty() || !O.Shared.empty())
        return;
      if (!O.HasEnded && !Options.OnlyStd && below(2))
        add(Other, EventKind::End);
      O.HasEnded = true;
      return add(Number, EventKind::Join, Other);
    }
    case 12:
    case 13:
      return memory(Number, EventKind::ReadModifyWrite);
    case 14:
      return memory(Number, below(2) ? EventKind::Birth : EventKind::Death);
    case 15:
      return add(Number, EventKind::Pointer, 0x1000, 0x1000);
    case 16:
      return add(Number, EventKind::Restart);
    case 17:
      return add(Number,
                 below(2) ? EventKind::BarrierArrive : EventKind::BarrierLeave,
                 0x3000);
    case 18:
      return add(Number, EventKind::Wait, 0x3008);
    default:
      return shared(Number, T, Lock);
    }
  }

  void shared(uint32_t Number, Thread &T, uint64_t Lock) {
    if (!Options.SharedLocks)
      return;
    if (!T.Shared.empty()) {
      add(Number, EventKind::ReleaseShared, T.Shared.back());
      T.Shared.pop_back();
    } else if (!isHeld(Lock)) {
      T.Shared.push_back(Lock);
      add(Number, EventKind::AcquireShared, Lock);
    }
  }

  std::mt19937_64 &Random;
  RandomOptions Options;
  std::vector<Thread> Threads;
  std::vector<Event> Events;
};

} // namespace

std::vector<Event> atsan::trace::randomEvents(std::mt19937_64 &Random,
                                              const RandomOptions &O) {
  return Generator(Random, O).run();
}
