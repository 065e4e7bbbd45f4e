//===-- count-steps.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   count-steps <threads> <turns> <program> <argument>...
//
// Counts what an operation executes: locked instructions, fences, system calls;
// and the cache lines that it shares with the same operation in other threads.
// The program (kernels/operations.cpp) stops at int3. From one stop of a thread
// to its next is an operation. After the threads have run their first part at
// the same time, they take turns: first at full speed, then, for as many turns,
// in single steps. Prints JSON with sums over all operations that were stepped.
//
// Only the program's own code is counted: what the kernel does, and what
// processors keep in other units than a line, is not seen.
//
//===----------------------------------------------------------------------===//

#include "Lines.h"
#include "Tracee.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <tuple>

namespace {

// Turns at full speed before the first that is stepped, and what ends the
// stepping of long operations early.
constexpr unsigned kWarmUps = 1000, kMostSteps = 60000, kLinesShown = 12;

struct Counts {
  uint64_t Operations = 0, Instructions = 0, Fences = 0;
  // By address.
  std::map<uint64_t, uint64_t> Locked;
  // By number.
  std::map<uint64_t, uint64_t> SystemCalls;
  Lines Touched;
};

unsigned argument(const char *Text, unsigned Most) {
  char *End;
  unsigned long Value = strtoul(Text, &End, 10);
  if (*End != '\0' || Value == 0 || Value > Most)
    fail("an argument is no number, or too large");
  return Value;
}

void stepOperation(Tracee &Program, pid_t Id, unsigned Thread, Counts &C) {
  ++C.Operations;
  uint64_t Last = 0;
  std::vector<Access> Accesses;
  Program.step(Id, [&](const Instruction &I, const user_regs_struct &R) {
    C.Instructions += !(I.isRepeated() && R.rip == Last);
    Last = R.rip;
    C.Fences += I.isFence();
    if (I.isLocked())
      ++C.Locked[R.rip];
    if (I.isSystemCall())
      ++C.SystemCalls[R.rax];
    I.findAccesses(R, Accesses);
    for (const Access &A : Accesses)
      C.Touched.note(Thread, C.Operations, C.Instructions, R.rip, A.Address,
                     A.Size, A.IsWrite);
  });
}

Counts count(Tracee &Program, const std::vector<pid_t> &Threads,
             unsigned Turns) {
  auto Turn = [&](Counts &C) {
    for (unsigned Thread = 0; Thread < Threads.size(); ++Thread)
      stepOperation(Program, Threads[Thread], Thread, C);
  };
  // The first turn only tells who has which line.
  Counts First, C;
  Turn(First);
  First.Touched.forgetCounts();
  C.Touched = std::move(First.Touched);
  while (C.Operations < Turns * Threads.size() && C.Instructions < kMostSteps)
    Turn(C);
  return C;
}

void print(const char *Name, const std::map<uint64_t, uint64_t> &Numbers) {
  printf("\"%s\": {", Name);
  const char *Separator = "";
  for (auto [Key, Value] : Numbers) {
    printf("%s\"%llu\": %llu", Separator, (unsigned long long)Key,
           (unsigned long long)Value);
    Separator = ", ";
  }
  printf("},\n ");
}

void print(const Counts &C, unsigned Threads) {
  uint64_t Locked = 0, Written = 0, SharedWritten = 0, SharedRead = 0,
           Moved = 0;
  for (auto [Address, Times] : C.Locked)
    Locked += Times;
  std::vector<std::pair<uint64_t, Lines::Line>> Shared;
  for (const auto &[Address, L] : C.Touched.all()) {
    for (unsigned Thread = 0; Thread < Threads; ++Thread) {
      Written += L.Writing[Thread];
      SharedWritten += L.isSharedBy(Thread, false) ? L.Writing[Thread] : 0;
      SharedRead += L.isSharedBy(Thread, true) ? L.Reading[Thread] : 0;
    }
    Moved += L.Moved;
    if (L.Moved)
      Shared.push_back({Address * kLineSize, L});
  }
  printf("{");
  for (auto [Name, Value] : {std::pair("threads", uint64_t(Threads)),
                             {"operations", C.Operations},
                             {"instructions", C.Instructions},
                             {"locked", Locked},
                             {"fences", C.Fences},
                             {"written", Written},
                             {"shared_written", SharedWritten},
                             {"shared_read", SharedRead},
                             {"moved", Moved}})
    printf("\"%s\": %llu, ", Name, (unsigned long long)Value);
  print("system_calls", C.SystemCalls);
  print("locked_at", C.Locked);

  // The hottest first, and each time in the same order.
  std::sort(Shared.begin(), Shared.end(), [](auto &A, auto &B) {
    auto Heat = [](const Lines::Line &L) {
      return std::tuple(L.writers() > 1, L.HeldMoves, L.MovedToWrite, L.Moved);
    };
    return std::pair(Heat(B.second), A.first) <
           std::pair(Heat(A.second), B.first);
  });
  if (Shared.size() > kLinesShown)
    Shared.resize(kLinesShown);
  printf("\"lines\": [");
  const char *Separator = "";
  for (auto &[Address, L] : Shared) {
    printf("%s\n  {", Separator);
    for (auto [Name, Value] : {std::pair("writers", uint64_t(L.writers())),
                               {"moved", L.Moved},
                               {"moved_to_write", L.MovedToWrite},
                               {"held_moves", L.HeldMoves},
                               {"held_instructions", L.HeldInstructions},
                               {"writer", L.Writer},
                               {"reader", L.Reader}})
      printf("\"%s\": %llu, ", Name, (unsigned long long)Value);
    printf("\"address\": \"%#llx\"}",
           (unsigned long long)(L.Written ? L.Written : Address));
    Separator = ",";
  }
  printf("]}\n");
}

} // namespace

void fail(const char *What, uint64_t Number) {
  fprintf(stderr, "count-steps: error: %s (%#llx)\n", What,
          (unsigned long long)Number);
  // What is traced ends with its tracer.
  _Exit(1);
}

int main(int Argc, char **Argv) {
  if (Argc < 4)
    fail("usage: count-steps <threads> <turns> <program> <argument>...");
  const unsigned Threads = argument(Argv[1], kMostThreads);
  const unsigned Turns = argument(Argv[2], 1000000);
  Tracee Program(Argv + 3, Threads);
  // In one order from here on.
  const std::vector<pid_t> InOrder = Program.threads();
  Program.run(InOrder);
  for (unsigned Turn = 0; Turn < kWarmUps; ++Turn)
    for (pid_t Thread : InOrder)
      Program.run({Thread});
  print(count(Program, InOrder, Turns), Threads);
  return 0;
}
