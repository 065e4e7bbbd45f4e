//===-- atsan_report.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A report as plain data, between those who make it (atsan_report_build.cpp,
// atsan_report_memory.cpp, atsan_report_identity.cpp) and those who print it
// (atsan_report_text.cpp, atsan_report_json.cpp) or hand it on to the program
// (atsan_report_api.cpp). Everything is symbolized already; printers decide on
// words only.
//
// When to report, and what happens then, is atsan_report.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REPORT_H
#define ATSAN_REPORT_H

#include "runtime/location/atsan_location.h"
#include "runtime/report/atsan_json.h"
#include "sanitizer_common/sanitizer_symbolizer.h"

namespace __atsan {

struct PotentialFinding;  // atsan_potential.h

constexpr u32 kUnknownThread = ~0u;  // One of several finished threads.
constexpr u32 kNone = ~0u;           // No index into a report's vectors.

enum class EventRole {
  kAccess,       // An access or a lock operation.
  kThreadStart,  // The parent starts a thread.
  kThreadBegin,  // The child begins: no code belongs to that.
  kThreadEnd,    // The child ends: no code belongs to that.
  kThreadJoin,
};

// What an edge of the cycle begins or ends with.
struct ReportEvent {
  EventRole role;
  TxnRef txn;
  u32 tid;
  bool located;  // False: neither kind, size, region nor stack are known.
  AccessKind kind;
  uptr size;
  uptr addr;           // 0 for thread start and join.
  bool addr_is_begin;  // False: `addr` is some byte of the access.
  u32 region;          // Index, or kNone: outside every region.
  u32 entered;         // Orders events of one region: see LocationInfo.
  u32 memory;          // Index of what is at `addr`, or kNone.
  LocId loc;
  SymbolizedStack *stack;
  LeftOut left_out;
};

struct ReportStep {
  ReportEvent first;
  ReportEvent later;
  // Did the region of `later` run from its begin to its end while the region
  // was open that the cycle closes in?
  bool later_ran_whole;
  // What the two events of a potential finding have to do with each other.
  char *why;
};

struct ReportRegion {
  TxnRef txn;
  u32 tid;
  u32 context;
  u32 run;     // 1, 2...: the cycle has several runs of a region by that title.
  char *name;  // May be nullptr.
  char *title;   // "region 'name'" or "region at file:line".
  bool section;  // A critical section, which nobody marked.
  SymbolizedStack *begin;
  // The frame of `begin` by which a region without a name is called: the
  // innermost of the program's own code that had not returned by the time of
  // its accesses in the report. nullptr: there is none.
  const SymbolizedStack *frame;
  SymbolizedStack *split;  // The boundary that this part follows, or nullptr.
};

// kMapped: a file, or what processes share without one.
enum class MemoryKind { kGlobal, kHeap, kStack, kTls, kMapped, kUnknown };

struct ReportMemory {
  uptr addr;
  MemoryKind kind;
  // The object around `addr`, where it is known.
  uptr begin;
  uptr size;
  char *name;      // The variable's, the mapped file's, or nullptr.
  char *function;  // The function of the stack frame, or nullptr.
  char *file;      // The file of the declaration, or nullptr.
  uptr line;
  u32 tid;          // The thread that allocated the block, or owns the stack.
  bool freed;       // The block is not live any more.
  u32 same_object;  // Index of an earlier address in that object, or kNone.
  SymbolizedStack *alloc_stack;
};

struct ReportThread {
  u32 tid;
  char name[64];  // Empty: the thread has none.
  u32 parent_tid;
  bool finished;
  SymbolizedStack *creation;  // nullptr for the main thread.
};

// A name that an error has in every run (docs/report.md says of what it is
// made): "1-" and 16 hexadecimal digits, where 1 is the version of the recipe.
struct Fingerprint {
  char text[24];
};

constexpr char kViolationKind[] = "atomicity-violation";
constexpr char kIrreducibleKind[] = "irreducible-region";
constexpr char kNotLinearizableKind[] = "linearizability-violation";
// The kind of a suppression that matches one finding (atsan_suppressions.h).
constexpr char kFingerprintSuppression[] = "fingerprint";

struct ViolationReport {
  bool potential = false;  // False: an observed cycle.
  // The steps, in the order of the cycle; steps[0].first and steps.back().later
  // belong to the region that the cycle closes in. In a potential finding,
  // steps[0] are the two events of the region between which others may come;
  // other steps say why.
  InternalMmapVector<ReportStep> steps;
  InternalMmapVector<ReportRegion> regions;  // In order of appearance.
  InternalMmapVector<ReportMemory> memory;   // One per distinct address.
  InternalMmapVector<ReportThread> threads;  // Every thread that is named.
  Fingerprint fingerprint = {};
  char *suppression = nullptr;  // The line that suppresses it: "kind:pattern".

  ViolationReport() = default;
  ~ViolationReport();
  ViolationReport(const ViolationReport &) = delete;
  ViolationReport &operator=(const ViolationReport &) = delete;

  const char *Kind() const {
    return potential ? kIrreducibleKind : kViolationKind;
  }
  // The event that the report's summary and fingerprint are about.
  const ReportEvent &Closing() const {
    return steps[potential ? 0 : steps.size() - 1].later;
  }
};

// An operation on a register that cannot have been atomic, and one that it
// contradicts, before they are symbolized. Stacks are those of the calls.
struct OperationFinding {
  struct Operation {
    InternalScopedString what;  // "read finds 1".
    u32 tid;
    u32 stack;  // 0: there is no such operation.
  };
  InternalScopedString message;
  Operation bad;
  Operation other;
};

// What one place of the code is to blame for: a wrong use of the interface, a
// deadlock, an operation that cannot have been atomic, or a test of an object
// that is not linearizable.
struct PlaceReport {
  const char *kind;  // The kind of error in the summary line.
  const char *message;
  const char *history;  // The operations of a test, in lines; or nullptr.
  u32 tid;
  SymbolizedStack *stack;
  const OperationFinding *operation;  // nullptr: a wrong use.
  SymbolizedStack *other;             // The stack of the other operation.
  ViolationReport named;              // Has only the threads.
  Fingerprint fingerprint;
};

// --- Making. -----------------------------------------------------------------

void BuildReport(const Cycle &cycle, ViolationReport *report);
void BuildReport(const PotentialFinding &finding, ViolationReport *report);
// The index of the description of `addr` in report->memory.
u32 DescribeMemory(ViolationReport *report, uptr addr);
// Appends "0x1234 (global 'balance')". No report may be in the making.
void AppendMemoryAt(InternalScopedString *out, uptr addr);
// The start of the function that the code is in, or 0.
uptr FunctionStart(uptr pc);
// Whether the loader has mapped a segment of a program or library there.
bool IsInLoadedModule(uptr addr);
// Makes sure that `tid` and its ancestors are in report->threads.
void AddThread(ViolationReport *report, u32 tid);

// The stack with inlined frames, without frames of ours on top and of thread or
// process start below; owned by the caller. nullptr for an empty trace.
SymbolizedStack *SymbolizeStack(const StackTrace &trace);
// The innermost frame of the program's code that is not in a header of the C++
// library, and its callers. nullptr if there is none.
const SymbolizedStack *FromUserFrame(const SymbolizedStack *stack);
// The frame that the stack is about: that one, or the innermost of all. nullptr
// for an empty stack.
const AddressInfo *UserFrame(const SymbolizedStack *stack);
// Takes away what demanglers add for the ABI of a function or variable that has
// std::string in its type: "[abi:cxx11]" is not in the source.
void RemoveAbiTags(char *name);
// Puts `<...>` in place of template arguments, if the name is long. Takes
// `name` and gives back what to free.
char *ShortenName(char *name);
// A name as the program's source has it. The demangler takes names without the
// prefix of mangled ones for types: "x" is "long long" to it.
const char *DemangledName(const char *name);

// Appends a name in the way that text shows it: without control characters.
void AppendPrintable(InternalScopedString *out, const char *name);

// Returns "region 'name'"; a region without a name is called by the place where
// it begins. To be freed with InternalFree. In a report, NameRegions finds one
// that says more.
char *RegionTitle(const char *name, const SymbolizedStack *begin);

Fingerprint MakeFingerprint(const ViolationReport &report);
Fingerprint MakeFingerprint(const PlaceReport &report);
// The line that suppresses this finding and no other. The report must have its
// fingerprint. To be freed with InternalFree.
char *SuppressionLine(const ViolationReport &report);

// --- Printing. ---------------------------------------------------------------

void PrintReportText(const ViolationReport &report);
void PrintCycle(const ViolationReport &report);
// Prints an event with its stack; `when`: "First" or "Later".
void PrintEvent(const char *when, const ViolationReport &report,
                const ReportEvent &event);
constexpr char kStackIndent[] = "      ";
void PrintStackText(const SymbolizedStack *stack, const char *indent);
void PrintSummary(const char *kind, const SymbolizedStack *stack);
// Appends "T1", "T1 'name'" or "the main thread".
void AppendThreadName(InternalScopedString *out, const ViolationReport &report,
                      u32 tid);
void PrintThreads(const ViolationReport &report);
void PrintHints(const ViolationReport &report);
void PrintReportText(const PlaceReport &report);

// Appends one line, without the line break.
void AppendReportJson(JsonWriter *out, const ViolationReport &report);
void AppendReportJson(JsonWriter *out, const PlaceReport &report);

// --- Handing on (atsan_report_api.cpp). --------------------------------------

// Calls __atsan_on_report of the program.
void HandOn(const ViolationReport &report);
void HandOn(const PlaceReport &report);

// --- Deciding (atsan_report.cpp). --------------------------------------------

// How many errors were reported or counted so far; nonzero fails the run.
u32 ReportCount();
void ReportsAfterForkInChild();

// Prints the cycle, unless the same was printed before.
void ReportCycle(Thread *thr, const Cycle &cycle);

// Prints a potential finding, unless the same was printed before.
void ReportPotential(Thread *thr, const PotentialFinding &finding);

// While it is true, findings are only counted: an exploration reports them when
// it has replayed them.
extern bool hold_findings;
extern u32 findings_of_run;

// An error in the use of the interface, at `at` in thread `thr`, or what a test
// there has shown, with its history. Ends the program like a violation does.
void ReportUsageError(Thread *thr, const AccessPoint &at, const char *message,
                      const char *kind, const char *history = nullptr);

// Prints the finding, unless one at the same place was printed before.
void ReportOperation(Thread *thr, const OperationFinding &finding);

}  // namespace __atsan

#endif  // ATSAN_REPORT_H
