//===- Report.h -------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A report as read from a JSON log (schema/atsan-report-1.schema.json), or from
// what atsan check found in a trace (CheckReader.h), or atsan registers in a
// history (RegistersReader.h). Strings
// that the report does not have are empty, and so are stacks.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_REPORT_H
#define ATSAN_REPORT_REPORT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atsan::report {

struct Frame {
  std::string Function;
  std::string File;
  unsigned Line = 0; ///< 0: not known.
  /// 0 if it is not known.
  unsigned Column = 0;
  std::string Module;
  std::string Offset;
};

/// The innermost frame first.
using Stack = std::vector<Frame>;

struct Event {
  std::string Role;               ///< "access", "thread start"...
  std::optional<uint64_t> Thread; ///< None: one of several that have ended.
  uint64_t Transaction = 0;
  /// Index into Report::Regions; none: outside any region.
  std::optional<size_t> Region;
  std::string Access; ///< "atomic read", "free"...
  uint64_t Size = 0;
  std::string Address;
  /// Is Address the begin of the access, or just some byte of it?
  bool IsBegin = false;
  std::optional<size_t> Memory;
  Stack Frames;
};

/// What fixes the order of two transactions. In a potential finding: two
/// events, and what they show.
struct Step {
  Event First;
  Event Later;
  std::string Why = {};
};

struct Region {
  std::string Name;
  std::string Title;
  uint64_t Thread = 0;
  uint64_t Run = 0; ///< 1, 2... if there are several by this title.
  bool Blamed = false;
  Stack Begin;
  Stack Split;
};

struct Memory {
  std::string Address;
  std::string Kind;
  std::string Label;
  std::string Name;
  std::string File;
  uint64_t Line = 0;
  Stack Allocation;
};

struct Thread {
  uint64_t Id = 0;
  std::string Name;
  /// What the thread is called; empty: by its number and name.
  std::string Label;
  std::optional<uint64_t> Parent;
  Stack Creation;
};

/// An operation on a register, from its call to its return.
struct Operation {
  uint64_t Thread = 0;
  std::string What; ///< "read -> 1".
  uint64_t Call = 0;
  std::optional<uint64_t> Return; ///< None: it has none, or nobody knows.
  bool IsCore = false;            ///< Is it one of those that contradict?
  bool IsOffending = false;       ///< By whose return it was one too many?
  Stack Frames;
};

struct Report {
  std::string Log; ///< The file that it was read from.
  std::string Kind;
  std::string Message;
  std::string Fingerprint;
  std::string Notion;
  std::string Shape; ///< "lost update"..., or empty.
  std::string Program;
  std::string Suppression;
  uint64_t Pid = 0;
  std::optional<Frame> Summary;
  std::vector<Thread> Threads;

  // Parts of a violation.
  std::vector<Step> Steps;
  std::vector<Region> Regions;
  std::vector<Memory> Objects;

  /// Operations of a history around what is wrong, in the order of calls.
  std::vector<Operation> Operations;

  /// If another run has predicted it: the accesses as they came there, and as
  /// they came when they were forced; else empty.
  std::string RecordedOrder, ForcedOrder;

  Stack Use; ///< Where the interface was used in a wrong way.

  /// Was nothing bad observed, though other schedules may be bad?
  bool isPotential() const { return Notion == "potential"; }
};

/// What a process has checked (schema/atsan-process-1.schema.json).
struct Process {
  std::string Log;
  std::string Program;
  std::string LeftOpen; ///< A region that never ended; or empty.
  uint64_t Pid = 0;
  uint64_t Modules = 0;
  uint64_t Regions = 0;
  uint64_t Excluded = 0;
  uint64_t Places = 0;
  bool Ended = false; ///< If not, it was killed after its record was begun.

  /// Has the process checked something for certain? One that is killed in its
  /// first region may have done nothing else.
  bool checkedSomething() const { return Modules && Regions && Places; }
};

} // namespace atsan::report

#endif
