//===- StdWriter.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes an event stream as RAPID's STD text. What the text cannot say is said
// by other events with the same verdict, or refused: docs/std-text.md has the
// rules and why they hold.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_STDWRITER_H
#define ATSAN_TRACE_STDWRITER_H

#include "lib/event/NameTable.h"
#include "lib/trace/RunOrder.h"
#include "lib/trace/StdVariables.h"

namespace atsan::trace {

struct StdWriterOptions {
  /// Boundaries within a region that are written as its end and begin around
  /// them. Barriers and waits are nothing but this; a reader of fork and join
  /// may know by itself that they are boundaries.
  bool SplitStart = false;
  bool SplitJoin = false;
  bool SplitBarrier = true;
  bool SplitWait = true;
  bool DropSharedLocks = false; ///< If false, they are refused.
  bool Lenient = false;         ///< Write what cannot have happened, too.
};

/// Not thread-safe.
class StdWriter {
public:
  /// Variables has collected the same stream, and is finished.
  StdWriter(const Names &Known, StdVariables &Variables,
            const StdWriterOptions &O)
      : Known(Known), Variables(Variables), Options(O),
        VariableNames(Variables.size()) {}

  /// Appends the lines of an event to Text. False: the event is refused, and
  /// error() says why, without the name of the trace.
  bool write(const Event &E, std::string &Text);
  const std::string &error() const { return Error; }

private:
  /// Names that the text can say, each given to one thing only.
  class Distinct {
  public:
    std::string name(const std::string &Wanted);

  private:
    /// Names in use, and how often each was tried.
    std::unordered_map<std::string, uint64_t> Taken;
  };

  struct Thread {
    std::string Name;
    std::vector<uint64_t> Regions; ///< Names of the open regions.
    bool HasRun = false;
    bool IsInText = false;
  };

  Thread &thread(uint32_t Number);
  void line(const Event &E, const char *Operation, const std::string &Operand,
            std::string &Text);
  void region(const Event &E, const char *Operation, uint64_t Name,
              std::string &Text);
  void endAll(const Event &E, std::string &Text);
  void beginAll(const Event &E, std::string &Text);
  void access(const Event &E, std::string &Text);
  const std::string &lockName(uint64_t Address);
  void startOrJoin(const Event &E, std::string &Text);
  bool refuse(const std::string &Why);

  const Names &Known;
  StdVariables &Variables;
  StdWriterOptions Options;
  RunOrder Order;
  std::string Error;
  uint64_t Count = 0;

  std::vector<Thread> Threads;
  std::vector<std::string> VariableNames; ///< Empty: not named yet.
  std::unordered_map<uint64_t, std::string> LockNames;
  Distinct DistinctThreads, DistinctVariables, DistinctLocks;
  std::vector<size_t> Touched; ///< The variables of one access.
};

} // namespace atsan::trace

#endif // ATSAN_TRACE_STDWRITER_H
