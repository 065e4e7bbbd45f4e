//===-- Tracee.h - A program whose threads run in turns ----------*- C++
//-*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that says by int3 where a thread may wait for the others. Threads
// that it starts between two such stops belong to the turn of who started them.
//
//===----------------------------------------------------------------------===//
#ifndef TRACEE_H
#define TRACEE_H

#include "Instruction.h"

#include <functional>

class Tracee {
public:
  // Called before each instruction.
  using Visitor =
      std::function<void(const Instruction &, const user_regs_struct &)>;

  // Starts the program, and waits until as many threads have stopped, the first
  // one not counted.
  Tracee(char **Command, unsigned Threads);
  ~Tracee();

  const std::vector<pid_t> &threads() const { return Stopped; }
  // Lets these threads run at full speed, at the same time, to their next stop.
  void run(const std::vector<pid_t> &Threads);
  // Runs one to its next stop, instruction by instruction.
  void step(pid_t Thread, const Visitor &Visit);

private:
  enum class Event { Stepped, Stopped, Started, Ended, Other };
  Event understand(pid_t Thread, int Status);
  void runUntil(size_t Stops);
  Event stepOnce(pid_t Thread, const Visitor &Visit);
  Event afterStep(pid_t Thread, int Status);
  void resume(pid_t Thread, int How);

  pid_t Process;
  // In the order in which they stopped in the last run.
  std::vector<pid_t> Stopped;
  Decoder Code;
  // The signal that a thread gets when it goes on.
  int Signal = 0;
  // Of the last Event::Started.
  pid_t Child = 0;
};

#endif // TRACEE_H
