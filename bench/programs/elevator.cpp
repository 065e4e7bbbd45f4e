//===-- elevator.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lifts in a building, a thread each. People arrive at floors and press a
// button; a lift without passengers claims a call, fetches who waits there, and
// takes others along on its way. Floors and calls are shared under one mutex.
// Regions: each operation on them.
//
// Known violation (the papers call it benign): a lift looks for a call and
// claims it later, under the lock again. Another lift may have claimed it in
// between; the claim then fails and the lift looks again.
//
//===----------------------------------------------------------------------===//

#include "common.h"
#include "interleave.h"

#include <condition_variable>
#include <mutex>

namespace {

struct Person {
  unsigned From, To;
};

enum Direction { Down, Up };

struct Floor {
  std::vector<Person> Waiting[2]; // By direction.
  bool Claimed[2] = {false, false};
};

// What the buttons and the lifts share.
class Controls {
public:
  Controls(unsigned Floors, uint64_t People) : Floors(Floors), ToCome(People) {}

  // Waits while the building is full.
  void arrive(Person P) {
    std::unique_lock<std::mutex> Lock(Mutex);
    while (Waiting >= 8 * Floors.size())
      Changed.wait(Lock);
    OperationRegion Region("press button");
    Floors[P.From].Waiting[P.To > P.From].push_back(P);
    ++Waiting;
    --ToCome;
    Changed.notify_all();
  }

  // Is there a call that no lift has claimed?
  bool isCalled(unsigned At, Direction D) {
    std::lock_guard<std::mutex> Lock(Mutex);
    return isUnclaimed(Floors[At], D);
  }

  bool claim(unsigned At, Direction D) {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (!isUnclaimed(Floors[At], D))
      return false;
    return Floors[At].Claimed[D] = true;
  }

  // The nearest call becomes the lift's own.
  bool claimNearest(unsigned At, unsigned &Call, Direction &CallDirection) {
    std::unique_lock<std::mutex> Lock(Mutex, std::defer_lock);
    if (kFixed)
      Lock.lock();
    OperationRegion Region("claim nearest call");
    for (unsigned Away = 0; Away < Floors.size(); ++Away)
      for (Direction D : {Down, Up})
        for (unsigned Where : {At - Away, At + Away}) {
          if (Where >= Floors.size())
            continue;
          if (kFixed ? !isUnclaimed(Floors[Where], D) : !isCalled(Where, D))
            continue;
          interleave::middle();
          if (kFixed)
            Floors[Where].Claimed[D] = true;
          else if (!claim(Where, D))
            continue;
          interleave::between();
          Call = Where;
          CallDirection = D;
          return true;
        }
    return false;
  }

  // Waits for something to do. No: everybody has come and been fetched.
  bool awaitCall() {
    std::unique_lock<std::mutex> Lock(Mutex);
    while (Unclaimed() == 0 && ToCome + Waiting != 0)
      Changed.wait(Lock);
    return ToCome + Waiting != 0;
  }

  // The people who wait at a floor for a lift in this direction, as many as
  // fit.
  void board(unsigned At, Direction D, size_t Places,
             std::vector<Person> &Lift) {
    std::lock_guard<std::mutex> Lock(Mutex);
    OperationRegion Region("board");
    std::vector<Person> &Queue = Floors[At].Waiting[D];
    size_t Count = std::min(Places, Queue.size());
    Lift.insert(Lift.end(), Queue.begin(), Queue.begin() + Count);
    Queue.erase(Queue.begin(), Queue.begin() + Count);
    Waiting -= Count;
    Floors[At].Claimed[D] = false;
    Changed.notify_all();
  }

private:
  static bool isUnclaimed(const Floor &F, Direction D) {
    return !F.Waiting[D].empty() && !F.Claimed[D];
  }

  size_t Unclaimed() const {
    size_t Count = 0;
    for (const Floor &F : Floors)
      Count += isUnclaimed(F, Down) + isUnclaimed(F, Up);
    return Count;
  }

  std::mutex Mutex;
  std::condition_variable Changed;
  std::vector<Floor> Floors;
  uint64_t Waiting = 0, ToCome;
};

class Lift {
public:
  explicit Lift(Controls &Building) : Building(Building) {}

  void run() {
    while (Building.awaitCall()) {
      unsigned Call;
      Direction D;
      if (!Building.claimNearest(At, Call, D))
        continue;
      while (At != Call)
        step(At < Call ? Up : Down);
      Building.board(At, D, kPlaces, Passengers);
      while (!Passengers.empty()) {
        step(D);
        leave();
        if (Passengers.size() < kPlaces)
          Building.board(At, D, kPlaces - Passengers.size(), Passengers);
      }
    }
  }

  uint64_t carried() const { return Carried; }

private:
  static constexpr size_t kPlaces = 10;

  void step(Direction D) { D == Up ? ++At : --At; }

  void leave() {
    for (size_t I = Passengers.size(); I-- > 0;)
      if (Passengers[I].To == At) {
        Carried += Passengers[I].From * 1009 + Passengers[I].To;
        Passengers[I] = Passengers.back();
        Passengers.pop_back();
      }
  }

  Controls &Building;
  unsigned At = 0;
  std::vector<Person> Passengers;
  uint64_t Carried = 0;
};

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  unsigned Floors = argument(Argc, Argv, 2, "floors") + 1;
  uint64_t People = argument(Argc, Argv, 3, "people");

  Controls Building(Floors, People);
  std::vector<Lift> Lifts(Threads, Lift(Building));
  std::thread Arrivals([&] {
    Random Rng(3);
    for (uint64_t I = 0; I < People; ++I) {
      unsigned From = Rng.below(Floors), To = Rng.below(Floors - 1);
      Building.arrive({From, To + (To >= From)});
    }
  });
  runThreads(Threads, [&](unsigned Self) { Lifts[Self].run(); });
  Arrivals.join();
  uint64_t Carried = 0;
  for (const Lift &L : Lifts)
    Carried += L.carried();
  return finish("carried", Carried);
}
