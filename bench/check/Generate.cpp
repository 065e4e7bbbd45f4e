//===- Generate.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes traces of any length for `atsan check`, all serializable, so that every
// event is looked at:
//
//   generate SHAPE THREADS VARIABLES EVENTS FILE
//
// locks:   regions of 20 accesses, each under one of 4 x THREADS locks that
//          share out the variables among them; any number are open at a time.
// sor:     a stencil with barriers, as the largest runs of CAV'08: each thread
//          writes its own part in turn with reading its neighbours'.
// reached: as locks, inside a region of thread 0 that everybody depends on and
//          that stays open: nothing may be forgotten.
// objects: regions on objects of four variables, each under the object's lock.
// released: as objects, but one in 64 regions gives the lock back in between:
//          serializable as it is, and another schedule need not be.
//
// FILE ends in .std: text; else binary.
//
//===----------------------------------------------------------------------===//

#include "lib/trace/BinaryWriter.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

using namespace atsan::trace;

namespace {

struct Numbers final : Names {
  std::string thread(uint32_t T) const override {
    return "T" + std::to_string(T);
  }
  std::string variable(uint64_t A) const override {
    return "x" + std::to_string(A);
  }
  std::string lock(uint64_t A) const override {
    return "l" + std::to_string(A);
  }
  std::string region(uint64_t) const override { return ""; }
  std::vector<Frame> stack(uint32_t) const override { return {}; }
  std::string location(uint32_t L) const override { return std::to_string(L); }
};

class Sink {
public:
  explicit Sink(const std::string &Name) {
    if (Name.size() > 4 && Name.substr(Name.size() - 4) == ".std") {
      Text.open(Name, std::ios::binary);
      return;
    }
    std::string Error;
    Binary = createBinary(Name, Known, Error);
    if (!Binary) {
      std::cerr << Name << ": " << Error << '\n';
      exit(2);
    }
  }
  void put(const Event &E) {
    Events.push_back(E);
    if (Events.size() == 4096)
      flush();
  }
  bool finish() {
    flush();
    return Binary ? Binary->finish() : bool(Text.flush());
  }

private:
  void flush() {
    if (Binary) {
      Binary->write({Events.data(), Events.size()});
    } else {
      for (const Event &E : Events)
        line(E);
    }
    Events.clear();
  }
  void line(const Event &E) {
    const char *Form = E.Kind == EventKind::Read      ? "T%u|r(x%llu)|%u\n"
                       : E.Kind == EventKind::Write   ? "T%u|w(x%llu)|%u\n"
                       : E.Kind == EventKind::Acquire ? "T%u|acq(l%llu)|%u\n"
                       : E.Kind == EventKind::Release ? "T%u|rel(l%llu)|%u\n"
                                                      : nullptr;
    char Line[80];
    if (Form)
      snprintf(Line, sizeof(Line), Form, E.Thread,
               static_cast<unsigned long long>(E.Address), E.Location);
    else if (E.Kind == EventKind::RegionBegin || E.Kind == EventKind::RegionEnd)
      snprintf(Line, sizeof(Line), "T%u|%s|%u\n", E.Thread,
               E.Kind == EventKind::RegionBegin ? "begin" : "end", E.Location);
    else
      return; // Barriers.
    Text << Line;
  }

  Numbers Known;
  std::unique_ptr<BinaryWriter> Binary;
  std::ofstream Text;
  std::vector<Event> Events;
};

struct Settings {
  std::string Shape;
  unsigned Threads, Variables;
  uint64_t Events;
};

class Generator {
public:
  Generator(const Settings &S, Sink &Out)
      : S(S), Out(Out), Of(S.Threads),
        Owner(isOfObjects() ? std::max(1u, S.Variables / 4) : 4 * S.Threads,
              -1) {}
  void run();

private:
  struct Thread {
    unsigned Step = 0;
    int Lock = -1;
    bool Releases = false;
  };

  unsigned below(unsigned N) {
    State = State * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>((State >> 33) % N);
  }
  void put(EventKind Kind, unsigned T, uint64_t Address, unsigned Location) {
    Event E;
    E.Kind = Kind;
    E.Thread = T;
    E.Address = Address;
    E.Size = isAccess(Kind) ? 8 : 0;
    E.Location = Location;
    Out.put(E);
    ++Count;
  }
  // Variables are words; locks lie far from them.
  static uint64_t word(uint64_t Number) { return 0x10000 + 8 * Number; }
  static uint64_t lockAt(uint64_t Number) { return 0x10000000 + 64 * Number; }

  bool isOfObjects() const {
    return S.Shape == "objects" || S.Shape == "released";
  }
  void lockStep(unsigned T);
  void objectStep(unsigned T);
  void sorPhase();

  Settings S;
  Sink &Out;
  std::vector<Thread> Of;
  std::vector<int> Owner;
  uint64_t State = 1, Count = 0, Phase = 0;
};

} // namespace

void Generator::lockStep(unsigned T) {
  Thread &Me = Of[T];
  const unsigned PerLock = std::max(1u, S.Variables / unsigned(Owner.size()));
  switch (Me.Step) {
  case 0:
    Me.Lock = below(Owner.size());
    if (Owner[Me.Lock] >= 0) {
      Me.Lock = -1; // It is held: work on something of its own instead.
      put(EventKind::Read, T, word(S.Variables + T), 1);
      return;
    }
    Owner[Me.Lock] = T;
    put(EventKind::Acquire, T, lockAt(Me.Lock), 2);
    break;
  case 1:
    put(EventKind::RegionBegin, T, 0, 3);
    break;
  case 22:
    put(EventKind::RegionEnd, T, 0, 4);
    break;
  case 23:
    put(EventKind::Release, T, lockAt(Me.Lock), 5);
    Owner[Me.Lock] = -1;
    Me = Thread();
    return;
  default: {
    const bool IsWrite = !below(3);
    put(IsWrite ? EventKind::Write : EventKind::Read, T,
        word(Me.Lock * PerLock + below(PerLock)), IsWrite ? 7 : 6);
  }
  }
  ++Me.Step;
}

void Generator::objectStep(unsigned T) {
  Thread &Me = Of[T];
  if (Me.Step == 0) {
    Me.Lock = below(Owner.size());
    if (Owner[Me.Lock] >= 0) {
      put(EventKind::Read, T, word(S.Variables + T), 1);
      return;
    }
    Owner[Me.Lock] = T;
    Me.Releases = S.Shape == "released" && !below(64);
  }
  const auto Field = [&](unsigned I) { return word(Me.Lock * 4 + I); };
  const auto Lock = [&](EventKind Kind, unsigned Location) {
    put(Kind, T, lockAt(Me.Lock), Location);
  };
  switch (Me.Step++) {
  case 0:
    return Lock(EventKind::Acquire, 2);
  case 1:
    return put(EventKind::RegionBegin, T, 0, 3);
  case 2:
  case 3:
  case 4:
  case 5:
    return put(EventKind::Read, T, Field(Me.Step - 3), 3 + Me.Step);
  case 6:
    if (!Me.Releases)
      return put(EventKind::Write, T, Field(1), 10);
    return Lock(EventKind::Release, 11);
  case 7:
    if (!Me.Releases)
      return put(EventKind::Write, T, Field(2), 12);
    return Lock(EventKind::Acquire, 13);
  case 8:
    return put(EventKind::Write, T, Field(0), 14);
  case 9:
    return put(EventKind::RegionEnd, T, 0, 15);
  default:
    Lock(EventKind::Release, 16);
    Owner[Me.Lock] = -1;
    Me = Thread();
  }
}

// One colour is written, the other is read, across the borders of the parts.
void Generator::sorPhase() {
  const unsigned Part = std::max(2u, S.Variables / S.Threads);
  const unsigned Colour = Phase++ % 2;
  for (unsigned T = 0; T < S.Threads; ++T) {
    put(EventKind::BarrierLeave, T, 0x40, 1);
    put(EventKind::RegionBegin, T, 0, 2);
  }
  for (unsigned I = Colour; I < Part; I += 2)
    for (unsigned T = 0; T < S.Threads; ++T) {
      const uint64_t At = uint64_t(T) * Part + I;
      put(EventKind::Read, T, word(At ? At - 1 : At + 1), 3);
      put(EventKind::Read, T,
          word(At + 1 < uint64_t(S.Threads) * Part ? At + 1 : At - 1), 4);
      put(EventKind::Read, T, word(At), 5);
      put(EventKind::Write, T, word(At), 6);
    }
  for (unsigned T = 0; T < S.Threads; ++T) {
    put(EventKind::RegionEnd, T, 0, 7);
    put(EventKind::BarrierArrive, T, 0x40, 8);
  }
}

void Generator::run() {
  if (S.Shape == "sor") {
    while (Count < S.Events)
      sorPhase();
    return;
  }
  unsigned First = 0;
  if (S.Shape == "reached") {
    First = 1;
    const uint64_t Flag = S.Variables + S.Threads;
    put(EventKind::RegionBegin, 0, 0, 10);
    put(EventKind::Read, 0, word(Flag), 11);
    for (unsigned T = 1; T < S.Threads; ++T)
      put(EventKind::Write, T, word(Flag), 12);
  }
  unsigned T = First;
  while (Count < S.Events) {
    if (!below(8))
      T = First + below(S.Threads - First);
    if (isOfObjects())
      objectStep(T);
    else
      lockStep(T);
  }
}

int main(int Argc, char **Argv) {
  Settings S;
  if (Argc == 6) {
    S.Shape = Argv[1];
    S.Threads = atoi(Argv[2]);
    S.Variables = atoi(Argv[3]);
    S.Events = strtoull(Argv[4], nullptr, 10);
  }
  if (Argc != 6 || S.Threads < 2 || !S.Variables ||
      (S.Shape != "locks" && S.Shape != "sor" && S.Shape != "reached" &&
       S.Shape != "objects" && S.Shape != "released")) {
    std::cerr << "usage: generate locks|sor|reached|objects|released THREADS "
                 "VARIABLES EVENTS FILE\n";
    return 2;
  }
  Sink Out(Argv[5]);
  Generator(S, Out).run();
  if (Out.finish())
    return 0;
  std::cerr << Argv[5] << ": cannot be written\n";
  return 2;
}
