//===- Finding.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding: what was found, whom it blames and what it rests on, in words, as
// text and every schema of ours has it (schema/atsan-finding-2.schema.json).
// Programs write theirs (runtime/report/atsan_report_json.cpp), atsan check and
// its kin make theirs of a trace, a model or a history. Strings that a finding
// does not have are empty, and so are stacks.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_FINDING_FINDING_H
#define ATSAN_FINDING_FINDING_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atsan::finding {

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
  /// Index into Finding::Regions; none: outside any region.
  std::optional<size_t> Region;
  std::string Access; ///< "atomic read", "free"...
  uint64_t Size = 0;
  std::string Address;
  /// Is Address the begin of the access, or just some byte of it?
  bool IsBegin = false;
  std::optional<size_t> Memory;
  std::optional<uint64_t> Other; ///< The thread that is started or joined.
  /// The number of the event in its trace, from 1 on; 0: it has none.
  uint64_t Number = 0;
  /// The place by the name that the trace has for it; or empty.
  std::string Location;
  Stack Frames;
  std::string LeftOut; ///< What the stack lacks, "repeated calls"; or empty.
};

/// What fixes the order of two transactions. In a potential finding: two
/// events, and what they show.
struct Step {
  Event First;
  Event Later;
  std::string Why = {};
};

struct Region {
  /// The number of its begin in the trace; 0: it has none.
  uint64_t Number = 0;
  std::string Location; ///< Where it begins, as the trace calls it; or empty.
  std::string Name;
  std::string Title;
  uint64_t Thread = 0;
  uint64_t Run = 0; ///< 1, 2... if there are several by this title.
  bool Blamed = false;
  Stack Begin;
  /// The index in Begin of the frame that a region without a name is called by:
  /// the innermost of the program's own code that had not returned by the time
  /// of its accesses here. None: there is none, or it is the innermost of all.
  std::optional<size_t> Frame;
  Stack Split;
};

struct Memory {
  std::string Address; ///< Empty: it has a name only.
  std::string Kind;    ///< "global", "heap", "variable", "lock"...
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
  uint64_t Child = 0; ///< The parent's first thread is 1; 0: not known.
  Stack Creation;
};

/// A read, the write that it got its value from, and the one that it would get
/// it from in another schedule, by their numbers; 0: none in the run.
struct ChangedRead {
  uint64_t Read = 0, Was = 0, Would = 0;
};

/// How a prediction can happen, by numbers of events.
struct Witness {
  std::vector<uint64_t> Order;
  /// What forces it: the first of each pair before the other.
  std::vector<std::pair<uint64_t, uint64_t>> Constraints;
  // What it takes for granted.
  std::vector<ChangedRead> ChangedReads;
  std::vector<uint64_t>
      ChangedTries; ///< Fail again, though nothing is in their way.
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

struct Finding {
  std::string Log; ///< The file that it was read from; or empty.
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

  /// Further lines for people: locks held, patterns matched.
  std::vector<std::string> Notes;
  std::optional<Witness> Predicted;

  /// Operations of a history around what is wrong, in the order of calls.
  std::vector<Operation> Operations;

  /// If another run has predicted it: the accesses as they came there, and as
  /// they came when they were forced; else empty.
  std::string RecordedOrder, ForcedOrder;

  Stack Use; ///< Where the interface was used in a wrong way.

  /// The number of the thread that is called so, which is added if there is
  /// none yet.
  uint64_t threadCalled(const std::string &Label);

  /// Was nothing bad observed, though other schedules may be bad?
  bool isPotential() const { return Notion == "potential"; }
};

} // namespace atsan::finding

#endif
