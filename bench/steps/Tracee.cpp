//===-- Tracee.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tracee.h"

#include <algorithm>
#include <csignal>
#include <optional>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace {

// A thread that waits for another one of its turn does so in a system call, or
// tries again and again.
constexpr unsigned kLooks = 20, kMicrosecondsOfALook = 100, kStepsInARow = 5000;

// What has happened to a thread: nothing, if it is only looked for.
std::optional<int> waitFor(pid_t Thread, int Flags = 0) {
  int Status;
  pid_t Found = waitpid(Thread, &Status, __WALL | Flags);
  if (Found < 0)
    fail("waiting for a thread failed", Thread);
  return Found == 0 ? std::nullopt : std::optional(Status);
}

std::optional<int> lookFor(pid_t Thread) {
  for (unsigned I = 0; I < kLooks; ++I) {
    if (auto Status = waitFor(Thread, WNOHANG))
      return Status;
    usleep(kMicrosecondsOfALook);
  }
  return std::nullopt;
}

bool isFatal(int Number) {
  return Number == SIGSEGV || Number == SIGBUS || Number == SIGILL ||
         Number == SIGFPE || Number == SIGABRT;
}

} // namespace

Tracee::Tracee(char **Command, unsigned Threads) : Process(fork()) {
  if (Process == 0) {
    // Keeps the program at the same addresses, so that runs can be compared.
    personality(ADDR_NO_RANDOMIZE);
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execv(Command[0], Command);
    _exit(127);
  }
  if (Process < 0 || !WIFSTOPPED(*waitFor(Process)))
    fail("the program could not be started");
  ptrace(PTRACE_SETOPTIONS, Process, 0,
         PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
  resume(Process, PTRACE_CONT);
  runUntil(Threads + 1);
  Stopped.erase(std::find(Stopped.begin(), Stopped.end(), Process));
}

Tracee::~Tracee() { kill(Process, SIGKILL); }

void Tracee::resume(pid_t Thread, int How) {
  // It may be gone if the process has been killed.
  ptrace(static_cast<__ptrace_request>(How), Thread, 0, Signal);
  Signal = 0;
}

Tracee::Event Tracee::understand(pid_t Thread, int Status) {
  if (!WIFSTOPPED(Status)) {
    if (Thread == Process)
      fail("the program ended by itself");
    return Event::Ended;
  }
  const int Number = WSTOPSIG(Status);
  if (Status >> 16 == PTRACE_EVENT_CLONE) {
    unsigned long New;
    ptrace(PTRACE_GETEVENTMSG, Thread, 0, &New);
    Child = New;
    return Event::Started;
  }
  if (Status >> 16 != 0 || Number == SIGSTOP)
    return Event::Other;
  if (Number == SIGTRAP) {
    siginfo_t Info;
    ptrace(PTRACE_GETSIGINFO, Thread, 0, &Info);
    return Info.si_code == SI_KERNEL ? Event::Stopped : Event::Stepped;
  }
  if (isFatal(Number))
    fail("the program got a signal", Number);
  Signal = Number;
  return Event::Other;
}

void Tracee::runUntil(size_t Stops) {
  while (Stopped.size() < Stops) {
    int Status;
    pid_t Thread = waitpid(-1, &Status, __WALL);
    if (Thread < 0)
      fail("there is no thread to wait for");
    switch (understand(Thread, Status)) {
    case Event::Stopped:
      Stopped.push_back(Thread);
      break;
    case Event::Ended:
      break;
    default:
      resume(Thread, PTRACE_CONT);
    }
  }
}

void Tracee::run(const std::vector<pid_t> &Threads) {
  const std::vector<pid_t> Now = Threads;
  Stopped.clear();
  for (pid_t Thread : Now)
    resume(Thread, PTRACE_CONT);
  runUntil(Now.size());
}

// Lets a thread that is ready execute one instruction. Returns Event::Other if
// something else happened before it was executed.
Tracee::Event Tracee::stepOnce(pid_t Thread, const Visitor &Visit) {
  user_regs_struct Registers;
  if (ptrace(PTRACE_GETREGS, Thread, 0, &Registers) != 0)
    fail("a thread has no registers", Thread);
  const Instruction &Next = Code.at(Process, Registers.rip);
  if (Next.Decoded.mnemonic != ZYDIS_MNEMONIC_INT3)
    Visit(Next, Registers);
  resume(Thread, PTRACE_SINGLESTEP);
  const auto Status = Next.isSystemCall() ? lookFor(Thread) : waitFor(Thread);
  return Status ? afterStep(Thread, *Status) : Event::Other;
}

Tracee::Event Tracee::afterStep(pid_t Thread, int Status) {
  Event What = understand(Thread, Status);
  if (What == Event::Started)
    waitFor(Child);
  // Neither is the end of the step: a signal, or that its call started a
  // thread.
  if (What == Event::Other || What == Event::Started)
    resume(Thread, PTRACE_SINGLESTEP);
  return What;
}

void Tracee::step(pid_t Thread, const Visitor &Visit) {
  // Those of the turn, by whether they are at an instruction or in a step.
  std::vector<pid_t> Ready{Thread}, InStep;
  unsigned Steps = 0;
  auto Sort = [&](pid_t Of, Event What) {
    switch (What) {
    case Event::Stopped:
      if (Of != Thread)
        fail("a thread stopped in another one's turn", Of);
      break;
    case Event::Stepped:
      Ready.push_back(Of);
      break;
    case Event::Started:
      Ready.push_back(Child);
      [[fallthrough]];
    case Event::Other:
      InStep.push_back(Of);
      break;
    case Event::Ended:
      break;
    }
  };
  // The thread stops last, but for the last moments of those that it joined.
  while (!Ready.empty() || !InStep.empty()) {
    for (pid_t Of : std::exchange(InStep, {}))
      if (const auto Status = waitFor(Of, WNOHANG))
        Sort(Of, afterStep(Of, *Status));
      else
        InStep.push_back(Of);
    if (Ready.empty()) {
      usleep(kMicrosecondsOfALook);
      continue;
    }
    if (++Steps % kStepsInARow == 0)
      std::rotate(Ready.begin(), Ready.begin() + 1, Ready.end());
    const pid_t Of = Ready.back();
    Ready.pop_back();
    Sort(Of, stepOnce(Of, Visit));
  }
}
