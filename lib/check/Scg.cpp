//===- Scg.cpp ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Drives the core, and is its other side: the seams of atsan_checker.h.
//
//===----------------------------------------------------------------------===//

#include "lib/check/Scg.h"
#include "lib/check/Limits.h"
#include "lib/check/Violations.h"
#include "lib/checker/atsan_checker.h"
#include "lib/checker/atsan_page.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_stacktrace.h"
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <deque>
#include <map>
#include <unistd.h>

using namespace atsan;
using namespace atsan::check;
using namespace __atsan;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

/// The most bytes of an access that is worth a shadow; more is a mistake, or
/// for ConflictGraph.
constexpr uint64_t MaxAccess = uint64_t(1) << 30;
/// One whose shadow is looked at before, if there is a limit of memory.
constexpr uint64_t LargeAccess = uint64_t(1) << 20;
/// The core knows no page of number 0, where STD text has its variables. Every
/// address is moved up by a page; Linux leaves that much room below 2^47.
constexpr uint64_t Shift = kShadowPage;
constexpr uint64_t MemoryEnd = (uint64_t(1) << atsan_abi::kAddressBits) - Shift;
/// Locks lie here, 8 bytes each, where Linux puts nothing of its own accord.
constexpr uint64_t LockBase = uint64_t(3) << 44;
constexpr uint64_t LockEnd = LockBase + (uint64_t(1) << 36);
/// The ends of threads lie behind the locks, 8 bytes for each number. Any
/// number of joins may follow an end, so it is kept as a lock keeps its
/// release.
constexpr uint64_t OwnEnd = LockEnd + (uint64_t(8) << 32);
uint64_t placeOfEnd(uint32_t Thread) { return LockEnd + 8 * uint64_t(Thread); }

class Scg final : public Analysis {
public:
  Scg(const Options &O, uint64_t RenumberAfter);
  ~Scg() override;

  bool consume(trace::EventSpan Events) override;
  void finish() override {
    limitIsReached(/*Interval=*/1);
    Found.finish();
  }
  const std::vector<Finding> &findings() const override {
    return Found.findings();
  }
  std::string notion() const override { return conflictGraphNotion(Given); }
  std::string gaveUp() const override { return Limit.why(); }
  std::vector<std::pair<std::string, uint64_t>> statistics() const override;

  void violation(CheckerThread *Thread, const Cycle &C);
  static void sayWhereAndExit();

  static Scg *Running;

private:
  struct LiveThread {
    CheckerThread Checker = {};
    NumberedEvent RegionBegin;
  };
  // What a thread number stands for. If it runs and is not live, nothing that
  // is known of it matters, for no region was open.
  struct alignas(16) Thread {
    LiveThread *Live = nullptr;
    bool Runs = false;
    bool IsEndKept = false; // Kept at placeOfEnd().
  };

  // The reference is good until at() of a thread that is new.
  Thread &at(uint64_t Number) {
    if (__builtin_expect(Number >= Threads.size(), 0))
      addThreads(Number);
    return Threads[Number];
  }
  void addThreads(uint64_t Number);
  void runs(Thread &T, uint32_t Number) {
    if (__builtin_expect(!T.Runs, 0))
      begin(T, Number);
  }
  void begin(Thread &T, uint32_t Number);
  LiveThread &live(uint32_t Number) {
    Thread &T = at(Number);
    return __builtin_expect(T.Live != nullptr, 1) ? *T.Live
                                                  : appear(T, Number, nullptr);
  }
  LiveThread &appear(Thread &T, uint32_t Number, LiveThread *Parent);
  void end(Thread &T, uint32_t Number);

  void pass(const Event &E, Step S);
  void access(const Event &E);
  void other(const Event &E);
  void lock(const Event &E);
  void forget(const Event &E);
  void start(const Event &E);
  void join(const Event &E);
  bool isFar(const Event &E);
  bool isTooLarge(const Event &E);
  void renumber();
  bool limitIsReached(uint64_t Interval);
  void lookAtSummary();

  AccessPoint here() const { return {static_cast<uptr>(Count - Base), 0}; }
  uint64_t eventOf(LocId Location) const {
    return Location ? Base + Location : 0;
  }

  Options Given;
  uint64_t RenumberAfter;
  Limits Limit;
  Transactions Order;
  Violations Found;
  uint64_t Count = 0;
  uint64_t Base = 0; // Locations count from here.
  const Event *Current = nullptr;
  bool Stop = false;
  // For the figures: the largest summary that was seen.
  uint64_t MostActive = 0, MostEdges = 0;
  uint64_t Looks = 0, NextLook = 0;
  uint64_t LooksSeen = 0; // How often Limit had looked.

  std::vector<Thread> Threads;
  std::deque<LiveThread> LiveThreads; // The core keeps their addresses.
  std::vector<LiveThread *> Unused;
  std::map<uint64_t, uint32_t> Locks;
};

Scg *Scg::Running;

} // namespace

Scg::Scg(const Options &O, uint64_t RenumberAfter)
    : Given(O), RenumberAfter(RenumberAfter), Limit(O), Order(O.Splits),
      Found(O) {
  assert(!Running && "the core's state is global");
  Running = this;
  static bool Initialized;
  if (Initialized) {
    CheckerReset();
  } else {
    SanitizerToolName = "atsan check";
    SetUserDieCallback(sayWhereAndExit);
    CheckerOptions Exact;
    Exact.gate_stays = false; // The gate says how many regions are open.
    CheckerInit(Exact);
    Initialized = true;
  }
}

// Exits after the core has said what is missing, such as address space.
void Scg::sayWhereAndExit() {
  std::fprintf(stderr,
               "atsan check: error: scg could not go on at event %llu; use "
               "--algorithm=conflict-graph\n",
               static_cast<unsigned long long>(Running ? Running->Count : 0));
  _exit(2);
}

Scg::~Scg() {
  CheckerLimitRows(~static_cast<uptr>(0));
  Running = nullptr;
}

bool Scg::consume(trace::EventSpan Events) {
  renumber();
  if (limitIsReached(/*Interval=*/1))
    return false;
  for (const Event &E : Events) {
    // An event may concern all regions that are open.
    if (__atsan_gate && limitIsReached(__atsan_gate < 256 ? 16 : 1))
      return false;
    ++Count;
    if (!trace::isAccess(E.Kind)) {
      other(E);
    } else if (__atsan_gate) {
      // While no region is open nothing that happens can be on a cycle.
      access(E);
    } else {
      runs(at(E.Thread), E.Thread);
    }
    if (__builtin_expect(Stop, 0))
      return false;
  }
  return true;
}

bool Scg::limitIsReached(uint64_t Interval) {
  if (Limit.reached(Interval))
    return true;
  if (Given.MaxMemoryBytes && Limit.looks() != LooksSeen) {
    LooksSeen = Limit.looks();
    CheckerLimitRows(Limit.bytesLeft());
  }
  if (__builtin_expect(CheckerRowsAreFull(), 0))
    Limit.giveUp(Limits::memoryIsReached(Given.MaxMemoryBytes));
  return !Limit.why().empty();
}

// Makes the core's numbers suffice for the next events.
void Scg::renumber() {
  const uint64_t Used = Count - Base;
  if (Used >= RenumberAfter && !__atsan_gate)
    Base = Count;
  else if (Used > UINT32_MAX - (uint64_t(1) << 28))
    Limit.giveUp("some region was open at any time for more than 4 billion "
                 "events, which scg does not number; use "
                 "--algorithm=conflict-graph, or make regions shorter");
}

// --- Threads. ----------------------------------------------------------------

void Scg::addThreads(uint64_t Number) { Threads.resize(Number + 1); }

void Scg::begin(Thread &T, uint32_t Number) {
  T.Runs = true;
  if (T.IsEndKept) // The former thread will not be joined any more.
    CheckerForget(placeOfEnd(Number), 8);
  T.IsEndKept = false;
}

Scg::LiveThread &Scg::appear(Thread &T, uint32_t Number, LiveThread *Parent) {
  runs(T, Number);
  if (Unused.empty()) {
    LiveThreads.emplace_back();
    T.Live = &LiveThreads.back();
  } else {
    T.Live = Unused.back();
    Unused.pop_back();
    *T.Live = LiveThread();
  }
  CheckerThreadCreate(Parent ? &Parent->Checker : nullptr, here(),
                      &T.Live->Checker, Number);
  return *T.Live;
}

void Scg::end(Thread &T, uint32_t Number) {
  T.Runs = false;
  if (!T.Live)
    return;
  CheckerThread *Its = &T.Live->Checker;
  // Joins of a thread that had no transaction are no edges.
  T.IsEndKept = __atsan_gate && Its->has_run;
  if (T.IsEndKept)
    CheckerRelease(Its, placeOfEnd(Number), LockMode::kExclusive, here());
  CheckerThreadEnd(Its, /*will_be_joined=*/false);
  Unused.push_back(T.Live);
  T.Live = nullptr;
}

void Scg::start(const Event &E) {
  Thread &Child = at(E.Address);
  if (Child.Runs)
    return;
  runs(Child, E.Address);
  if (__atsan_gate)
    appear(Child, E.Address, &live(E.Thread));
}

void Scg::join(const Event &E) {
  Thread &Child = at(E.Address);
  if (E.Address == E.Thread)
    return;
  if (Child.Runs)
    end(Child, E.Address);
  if (Child.IsEndKept && __atsan_gate)
    CheckerAcquire(&live(E.Thread).Checker, placeOfEnd(E.Address),
                   LockMode::kShared, here());
}

// --- Memory and locks. -------------------------------------------------------

// Gives up if the shadow of a large access would be too much.
bool Scg::isTooLarge(const Event &E) {
  if (Limit.bytesLeft() / 4 >= E.Size ||
      Limit.bytesLeft() >= CheckerShadowNeeded(E.Address + Shift, E.Size))
    return false;
  Limit.giveUp(Limits::memoryIsReached(Given.MaxMemoryBytes));
  Stop = true;
  return true;
}

// Gives up if the event is beyond what the core has a shadow for.
bool Scg::isFar(const Event &E) {
  const bool InOwn =
      E.Address + Shift < OwnEnd && E.Address + Shift + E.Size > LockBase;
  if (E.Size <= MaxAccess && E.Address <= MemoryEnd - E.Size && !InOwn)
    return false;
  Limit.giveUp("event " + std::to_string(Count) + " accesses " +
               std::to_string(E.Size) +
               " bytes at a place that scg has no room for; use "
               "--algorithm=conflict-graph");
  Stop = true;
  return true;
}

void Scg::pass(const Event &E, Step S) {
  if (__builtin_expect(!Found.hasHeld(), 1))
    return;
  Found.pass(E, S);
  Stop |= !Found.wantsMore();
}

void Scg::access(const Event &E) {
  pass(E, Step::Inside);
  if (__builtin_expect(E.Size > MaxAccess || E.Address >= LockBase - Shift,
                       0) &&
      isFar(E))
    return;
  if (__builtin_expect(E.Size > LargeAccess, 0) && isTooLarge(E))
    return;
  Current = &E;
  const AccessKind Kind = E.Kind == EventKind::Read    ? AccessKind::kRead
                          : E.Kind == EventKind::Write ? AccessKind::kWrite
                                                       : AccessKind::kAtomicRmw;
  CheckerAccess(&live(E.Thread).Checker, E.Address + Shift, E.Size, Kind,
                here());
}

void Scg::forget(const Event &E) {
  if (!__atsan_gate || !E.Size || E.Address >= MemoryEnd)
    return;
  const Thread &T = at(E.Thread);
  const CheckerThread *By = T.Live ? &T.Live->Checker : nullptr;
  // What is kept between LockBase and OwnEnd is no memory of the trace.
  const uint64_t Begin = E.Address + Shift;
  const uint64_t End = Begin + std::min(E.Size, MemoryEnd - E.Address);
  if (Begin < LockBase)
    CheckerForget(By, Begin, std::min(End, LockBase) - Begin);
  if (End > OwnEnd)
    CheckerForget(By, std::max(Begin, OwnEnd), End - std::max(Begin, OwnEnd));
  for (auto I = Locks.lower_bound(E.Address);
       I != Locks.end() && I->first - E.Address < E.Size; ++I)
    CheckerForget(By, LockBase + 8 * uint64_t(I->second), 8);
}

void Scg::lock(const Event &E) {
  if (!Given.LockEdges || !__atsan_gate)
    return;
  const uint32_t Number =
      Locks.try_emplace(E.Address, Locks.size()).first->second;
  const uptr Place = LockBase + 8 * uint64_t(Number);
  CheckerThread *By = &live(E.Thread).Checker;
  switch (E.Kind) {
  case EventKind::Acquire:
    return CheckerAcquire(By, Place, LockMode::kExclusive, here());
  case EventKind::AcquireShared:
    return CheckerAcquire(By, Place, LockMode::kShared, here());
  case EventKind::Release:
    return CheckerRelease(By, Place, LockMode::kExclusive, here());
  default:
    return CheckerRelease(By, Place, LockMode::kShared, here());
  }
}

// --- Everything but accesses. ------------------------------------------------

void Scg::other(const Event &E) {
  Current = &E;
  // Accesses do not come here: they change nothing in Order.
  const Step S = Order.take(E);
  pass(E, S);
  if (S == Step::Begin) {
    LiveThread &T = live(E.Thread);
    T.RegionBegin = {Count, E};
    CheckerRegionBegin(&T.Checker);
    MostActive = std::max<uint64_t>(MostActive, __atsan_gate);
    return;
  }
  Thread &T = at(E.Thread);
  if (E.Kind != EventKind::End)
    runs(T, E.Thread);
  // A boundary stands between two parts of the region, in neither of them.
  const bool IsDivided = T.Live && T.Live->Checker.active &&
                         (S == Step::Unary || S == Step::Restart);
  if (IsDivided || (S == Step::End && T.Live)) {
    lookAtSummary();
    CheckerRegionEnd(&T.Live->Checker);
  }
  // A start or join is a transaction even if it is no edge.
  if (__atsan_gate && (E.Kind == EventKind::Start || E.Kind == EventKind::Join))
    live(E.Thread).Checker.has_run = true;
  switch (E.Kind) {
  case EventKind::Birth:
  case EventKind::Death:
    forget(E);
    break;
  case EventKind::Acquire:
  case EventKind::Release:
  case EventKind::AcquireShared:
  case EventKind::ReleaseShared:
    lock(E);
    break;
  case EventKind::Start:
    start(E);
    break;
  case EventKind::Join:
    join(E);
    break;
  case EventKind::End:
    end(T, E.Thread);
    break;
  default:
    break;
  }
  if (IsDivided)
    CheckerRegionBegin(&at(E.Thread).Live->Checker);
}

// Counts edges, which takes the square of the open regions: at the ends of the
// first regions, then of some, so that it costs less than the events.
void Scg::lookAtSummary() {
  if (Count < NextLook)
    return;
  const uint64_t Pairs = uint64_t(__atsan_gate) * __atsan_gate;
  NextLook = Count + (++Looks < 1000 ? Pairs / 64 : (1 << 14) + Pairs);
  MostEdges = std::max<uint64_t>(MostEdges, CheckerGetStats().active_edges);
}

// --- What was found. ---------------------------------------------------------

void Scg::violation(CheckerThread *Of, const Cycle &C) {
  const NumberedEvent &Begin = Threads[Of->tid].Live->RegionBegin;
  std::vector<Relation> Way;
  for (uptr I = 0; I < C.size; ++I) {
    const Edge &E = C.edges[I];
    const bool IsJoin = E.addr >= LockEnd && E.addr < OwnEnd;
    const char *Why = IsJoin    ? reason::ThreadJoin
                      : !E.addr ? reason::ThreadStart
                      : E.addr >= LockBase && E.addr < LockEnd
                          ? reason::Lock
                          : reason::Conflict;
    Way.push_back(relation(Why, IsJoin ? 0 : eventOf(E.src_loc), E.src_tid,
                           eventOf(E.dst_loc), E.dst_tid));
  }
  // The way to the first edge is not known in detail.
  if (C.summarized)
    Way.insert(Way.begin(), {Begin, Way.front().First, reason::EndedThreads});
  Found.add(Begin, {Count, *Current}, std::move(Way));
  Stop = !Found.wantsMore();
}

std::vector<std::pair<std::string, uint64_t>> Scg::statistics() const {
  const CheckerStats S = CheckerGetStats();
  return {{"most active transactions at once", MostActive},
          {"most edges between active transactions seen", MostEdges},
          {"edges added", S.edges_added},
          {"numbers of rows looked at", S.numbers_looked_at},
          {"thread slots used", S.slots_used},
          {"thread slots merged", S.slots_merged},
          {"bytes of shadow reserved", S.shadow_bytes},
          {"lists of byte detail at the end", S.detail_blocks}};
}

std::unique_ptr<Analysis> atsan::check::makeScg(const Options &O,
                                                uint64_t RenumberAfter) {
  return std::make_unique<Scg>(O, RenumberAfter);
}

// --- The seams. --------------------------------------------------------------

namespace __atsan {

LocId InternLocation(CheckerThread *, const AccessPoint &At, AccessKind, uptr) {
  return At.pc;
}

// Nothing to do: events have numbers, so that their order is known.
void OnRegionEntered(CheckerThread *) {}

void OnViolation(CheckerThread *Of, const Cycle &C) {
  Scg::Running->violation(Of, C);
}

} // namespace __atsan

// sanitizer_common wants this function from every tool. Nothing of ours is ever
// unwound.
void __sanitizer::BufferedStackTrace::UnwindImpl(uptr, uptr, void *, bool,
                                                 u32) {
  size = 0;
}
