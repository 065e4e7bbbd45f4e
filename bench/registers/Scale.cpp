//===- Scale.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: scale-registers one-writer|unique|repeated OPERATIONS PROCESSES [text]
//
// Makes a history of a register that works, all processes at work all the time,
// and decides it in memory: prints the algorithm, the processor time of the
// decision, and the memory of the process, with the history and without it. Or
// prints the history, for `atsan registers`.
//
// one-writer: the first process writes, the others read. unique: half writes of
// values that no other write has. repeated: compare-and-swap, swap and
// fetch-add of few values, each of which tells what it found.
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Decide.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <sys/resource.h>

using namespace atsan::registers;

namespace {

class Maker {
public:
  Maker(const std::string &What, size_t Count, unsigned Processes)
      : What(What), Count(Count), Open(Processes) {
    Made.Operations.reserve(Count);
  }
  Register make() {
    while (Ended != Count) {
      Process &P = Open[Random() % Open.size()];
      ++Now;
      if (!P.IsOpen)
        call(P, static_cast<unsigned>(&P - Open.data()));
      else if (!P.IsDone)
        takeEffect(P);
      else
        ret(P);
    }
    return std::move(Made);
  }

private:
  struct Process {
    bool IsOpen = false, IsDone = false;
    size_t Index = 0;
  };

  void call(Process &P, unsigned Number) {
    if (Made.Operations.size() == Count)
      return;
    P = {true, false, Made.Operations.size()};
    Operation O;
    O.Process = Number;
    O.Call = Now;
    if (What == "one-writer")
      O.What = Number ? Kind::Read : Kind::Write;
    else if (What == "unique")
      O.What = Random() % 2 ? Kind::Read : Kind::Write;
    else
      O.What =
          Random() % 3 ? Random() % 2 ? Kind::Swap : Kind::Cas : Kind::FetchAdd;
    Made.Operations.push_back(O);
  }
  void takeEffect(Process &P) {
    Operation &O = Made.Operations[P.Index];
    P.IsDone = true;
    O.Expected = Held;
    if (O.What == Kind::Write)
      Held = What == "unique" ? Value(P.Index + 1) : Value(Random() % 1000);
    else if (O.isReadModifyWrite())
      Held = Random() % 4;
    O.Argument = Held;
  }
  void ret(Process &P) {
    Made.Operations[P.Index].Return = Now;
    P.IsOpen = false;
    ++Ended;
  }

  const std::string What;
  const size_t Count;
  std::vector<Process> Open;
  std::mt19937_64 Random{1};
  Register Made;
  Value Held = 0;
  Stamp Now = 0;
  size_t Ended = 0;
};

void print(const Operation &O) {
  std::printf("p%u %lld %lld ", unsigned(O.Process),
              static_cast<long long>(O.Call), static_cast<long long>(O.Return));
  const auto Argument = static_cast<long long>(O.Argument);
  const auto Expected = static_cast<long long>(O.Expected);
  switch (O.What) {
  case Kind::Read:
    std::printf("read -> %lld\n", Argument);
    break;
  case Kind::Write:
    std::printf("write %lld\n", Argument);
    break;
  case Kind::Cas:
    std::printf("cas %lld %lld -> true\n", Expected, Argument);
    break;
  case Kind::Swap:
    std::printf("swap %lld -> %lld\n", Argument, Expected);
    break;
  default:
    std::printf("add %lld -> %lld\n", Argument - Expected, Expected);
  }
}

double megabytes() {
  rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  return double(Usage.ru_maxrss) / 1024;
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc < 4 || Argc > 5) {
    std::fprintf(stderr, "usage: scale-registers one-writer|unique|repeated "
                         "OPERATIONS PROCESSES [text]\n");
    return 2;
  }
  const size_t Count = std::strtoull(Argv[2], nullptr, 10);
  const auto Processes = static_cast<unsigned>(std::atoi(Argv[3]));
  const Register R = Maker(Argv[1], Count, Processes).make();
  if (Argc == 5) {
    for (const Operation &O : R.Operations)
      print(O);
    return 0;
  }
  Values Known;
  const double Before = megabytes();
  const std::clock_t Begin = std::clock();
  const Decision D = decide(R, Known, Request());
  const double Seconds = double(std::clock() - Begin) / CLOCKS_PER_SEC;
  std::printf("%s: %s, %.3f s, %.0f MB, of which the history %.0f MB\n",
              D.Algorithm,
              D.Is == Verdict::Linearizable ? "linearizable" : "not so",
              Seconds, megabytes(), Before);
  return D.Is != Verdict::Linearizable;
}
