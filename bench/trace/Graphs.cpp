//===-- Graphs.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks a recorded run with one of two checkers and prints what it found, as
// JSON:
//
//   graphs plain <trace> <seconds> <MiB>    the textbook's conflict graph,
//   which
//                                           stops at a limit and says so
//   graphs summary <trace>                  the checker of the runtime, which
//                                           stops at the first violation
//
// Times are those of the checking alone, without reading and selecting.
//
//===----------------------------------------------------------------------===//

#include "ConflictGraph.h"
#include "Entities.h"
#include "RunSummary.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace trace;

namespace {

[[noreturn]] void fail(const std::string &Text) {
  fprintf(stderr, "graphs: error: %s\n", Text.c_str());
  exit(2);
}

SharedRun readRun(const char *Path) {
  int File = open(Path, O_RDONLY);
  struct stat Status;
  if (File < 0 || fstat(File, &Status) || Status.st_size == 0)
    fail(std::string(Path) + ": cannot be read, or is empty");
  if (Status.st_size % sizeof(Record))
    fail(std::string(Path) + ": is cut off");
  void *Data = mmap(nullptr, Status.st_size, PROT_READ, MAP_PRIVATE, File, 0);
  if (Data == MAP_FAILED)
    fail(std::string(Path) + ": cannot be mapped");
  SharedRun Run = selectShared(static_cast<Record *>(Data),
                               Status.st_size / sizeof(Record));
  munmap(Data, Status.st_size);
  close(File);
  return Run;
}

class Clock {
public:
  double seconds() const {
    std::chrono::duration<double> Passed = Now::now() - Start;
    return Passed.count();
  }

private:
  using Now = std::chrono::steady_clock;
  Now::time_point Start = Now::now();
};

uint64_t residentMiB() {
  unsigned long Size = 0, Resident = 0;
  if (FILE *File = fopen("/proc/self/statm", "r")) {
    if (fscanf(File, "%lu %lu", &Size, &Resident) != 2)
      Resident = 0;
    fclose(File);
  }
  return Resident * sysconf(_SC_PAGESIZE) >> 20;
}

void print(const SharedRun &Run, uint64_t Nodes, uint64_t Edges, double Seconds,
           const char *Verdict, uint64_t Event) {
  printf("{\"events\": %lu, \"shared_events\": %lu, \"entities\": %lu, "
         "\"threads\": %u, \"nodes\": %lu, \"edges\": %lu, \"seconds\": %.6f, "
         "\"verdict\": \"%s\", \"event\": %lu}\n",
         Run.NumEvents, Run.NumSharedEvents, Run.NumSharedEntities,
         Run.NumThreads, Nodes, Edges, Seconds, Verdict, Event);
}

void runPlain(const SharedRun &Run, double MaxSeconds, uint64_t MaxMiB) {
  uint64_t Before = residentMiB();
  Clock Timer;
  ConflictGraph Graph(Run.NumThreads);
  const char *Verdict = nullptr;
  for (size_t I = 0; I < Run.Records.size() && !Verdict; ++I) {
    Graph.add(Run.Records[I]);
    if (I % 1024)
      continue;
    if (Timer.seconds() > MaxSeconds)
      Verdict = "stopped: time";
    else if (residentMiB() > Before + MaxMiB)
      Verdict = "stopped: memory";
  }
  if (!Verdict)
    Verdict = Graph.hasCycle() ? "violation" : "serializable";
  print(Run, Graph.numNodes(), Graph.numEdges(), Timer.seconds(), Verdict, 0);
}

void runSummary(const SharedRun &Run) {
  Clock Timer;
  SummaryResult Result = checkBySummary(Run);
  double Seconds = Timer.seconds();
  SummarySize Size = measureSummary(Run, Result);
  print(Run, Size.Nodes, Size.Edges, Seconds,
        Result.Violation ? "violation" : "serializable", Result.Violation);
}

} // namespace

int main(int Argc, char **Argv) {
  std::string Checker = Argc > 1 ? Argv[1] : "";
  if (Checker == "plain" && Argc == 5)
    runPlain(readRun(Argv[2]), atof(Argv[3]), strtoull(Argv[4], nullptr, 10));
  else if (Checker == "summary" && Argc == 3)
    runSummary(readRun(Argv[2]));
  else
    fail(
        "usage: graphs plain <trace> <seconds> <MiB> | graphs summary <trace>");
}
