//===-- atsan_location.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interned code locations. A LocId stands for (kind, size, call stack, region
// context) of an access; a region context for (name, begin stack) of the
// outermost region. Both live as long as the process, in the stack depot.
//
// Within a region only the frames below the region's own frame are walked (by
// frame pointers), the others come from the region's begin stack: so a location
// costs a few loads and a look-up in a per-thread cache.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LOCATION_H
#define ATSAN_LOCATION_H

#include "runtime/location/atsan_deep_stack.h"

namespace __atsan {

// The name of critical sections, by which a report tells them from regions that
// somebody marked.
constexpr char kSectionName[] = "";
// The part of region `context` that follows a boundary (rule 5) at `at`: the
// region's context from there on, so that reports can say so.
u32 InternRegionPart(Thread *thr, u32 context, const AccessPoint &at);

struct LocationInfo {
  AccessKind kind;
  uptr size;           // Bytes of the whole access.
  u32 region_context;  // 0: the access was outside every region.
  // How often the region had been entered by an edge before: of two of its
  // locations the one with more is the later one.
  u32 entered;
  LeftOut left_out;
  BufferedStackTrace stack;
};
// Returns false for id 0.
bool DescribeLocation(LocId id, LocationInfo *info);

// Describes any id: a location's, a plain stack's, a region's.
bool DescribeStack(u32 id, BufferedStackTrace *stack);

struct RegionInfo {
  const char *name;  // May be nullptr.
  BufferedStackTrace begin_stack;
  // Where the boundary is that this part of the region follows; or empty.
  BufferedStackTrace split_stack;
};
bool DescribeRegion(u32 context, RegionInfo *info);

// The stack of the calling thread from `at` up, by frame pointers.
void UnwindStack(Thread *thr, const AccessPoint &at, BufferedStackTrace *stack);
// A hash of the stack that UnwindStack finds.
u64 HashStack(const Thread *thr, const AccessPoint &at);
// A hash of the name's content.
u64 HashName(const char *name);
u32 InternStack(Thread *thr, const AccessPoint &at);
// Interns a stack by unwind tables, which also see through libraries without
// frame pointers (std::thread's constructor is in one); takes microseconds.
u32 InternStackByTables(const AccessPoint &at);
// Interns a stack by frame pointers, for a thread that needs no cache of
// locations.
u32 InternStackByFrames(Thread *thr, const AccessPoint &at);
// The point in the function that at.fp belongs to: code in a library without
// frame pointers leaves its caller's in place. Takes microseconds.
AccessPoint FrameOwner(const Thread *thr, const AccessPoint &at);
// The address to which the function returns that `at` is in, or 0. Takes
// microseconds.
uptr ReturnAddressByTables(const AccessPoint &at);

// Walks the stack of any thread of which a frame is known: `frames` gets the
// frame pointers that belong to the pcs (0 where there is none).
u32 WalkStack(const Thread *thr, const AccessPoint &at, uptr *pcs, uptr *frames,
              u32 max_frames);

// The point that the thread interned last: within a report, that of the event
// which the report is about.
AccessPoint LastInternedPoint(const Thread *thr);

// Frees what the thread's state has allocated here.
void LocationFreeMemory(Thread *thr);

// Called around fork, beside StackDepotLockBeforeFork.
void LocationLockForFork();
void LocationUnlockAfterFork();

// Frames of code without frame pointers make `fp` garbage: it is believed only
// where the ABI puts frames, above the frame that was left last. `stack_top`
// has this alignment, too.
constexpr uptr kStackAlignment = 2 * sizeof(uptr);
inline bool IsFrame(uptr fp, uptr lowest, uptr stack_top) {
  return LIKELY(fp >= lowest) && LIKELY(fp < stack_top) &&
         LIKELY(fp % kStackAlignment == 0);
}

// On a signal's stack, or one that the program has made, the thread's own
// frames are not the current ones.
inline bool IsOnOwnStack(const Thread *thr, uptr here) {
  return here - thr->stack_bottom < thr->stack_top - thr->stack_bottom;
}

// --- The way of nearly every access inside a region. -------------------------

// A region that the thread has begun lately, with the frames of its stack.
struct alignas(1024) RegionMemo {
  static constexpr uptr kPlaces = 16;
  // Deeper stacks are walked each time.
  static constexpr u32 kMaxFrames = 60;
  const char *name;  // In constant memory, or nullptr.
  uptr pc;           // Where the begin mark returns; 0: unknown.
  RegionFrame frame;
  uptr stack_top;
  u64 hash;  // HashRegion of the id.
  u32 id;
  u32 num_frames;
  SavedFrame frames[kMaxFrames];

  static uptr Place(const char *name, const AccessPoint &at) {
    return (reinterpret_cast<uptr>(name) + at.pc + at.fp / kStackAlignment) %
           kPlaces;
  }
};

// The ids of hashes. Entries come in pairs. A thread begins with kFewest, and
// has twice as many whenever so many were put: most threads need few, and touch
// the memory of no more.
template <uptr kFewest, uptr kMost>
struct alignas(SANITIZER_CACHE_LINE_SIZE) IdTable {
  struct Entry {
    u64 hash;
    u32 id;
  };
  Entry entries[kMost];
  u64 mask;  // For the distance of an entry from the first, in bytes.
  u64 num_put;

  static constexpr u64 MaskOf(uptr size) { return (size - 1) * sizeof(Entry); }
  void Init() { mask = MaskOf(kFewest); }
  const Entry *Place(u64 hash) const {
    return reinterpret_cast<const Entry *>(reinterpret_cast<uptr>(entries) +
                                           (hash * 4 & mask));
  }
  static const Entry *Beside(const Entry *entry) {
    return reinterpret_cast<const Entry *>(reinterpret_cast<uptr>(entry) ^
                                           sizeof(Entry));
  }

  // Looks for the hash at its place and at the one beside that.
  ALWAYS_INLINE bool Has(u64 hash, u32 *id) const {
    const Entry *entry = Place(hash);
    if (UNLIKELY(entry->hash != hash)) {
      entry = Beside(entry);
      if (entry->hash != hash)
        return false;
    }
    *id = entry->id;
    return true;
  }
  u32 Find(u64 hash) const {
    u32 id;
    return Has(hash, &id) ? id : 0;
  }
  void Put(u64 hash, u32 id) {
    if (UNLIKELY(++num_put > mask / sizeof(Entry)) && mask < MaskOf(kMost)) {
      // What is at another place now is put there again.
      mask = 2 * mask + sizeof(Entry);
      num_put = 0;
    }
    // An entry that is in the way moves from its own place to the one beside.
    // If it is beside its own place already, it has to leave: two of different
    // places in a pair would drive each other out for ever.
    Entry *place = const_cast<Entry *>(Place(hash));
    if (Place(place->hash) == place)
      *const_cast<Entry *>(Beside(place)) = *place;
    *place = {hash, id};
  }
};

struct LocationCache {
  // Has accesses not far below the region's frame, by a hash that is cheap.
  IdTable<1024, 32768> near;
  IdTable<4096, 131072> all;  // Has every access, by its full hash.
  AccessPoint last_point;
  uptr words[kStackTraceMax];  // Too big for a user's stack.
  RegionMemo regions[RegionMemo::kPlaces];
  DeepStack deep;
};

// The hash of a location: in which region it is, then the code addresses from
// the access up to the region's frame, or as far as frames go; at last what
// access it is.
inline u64 HashRegion(u32 context, u32 entered = 0) {
  return context * 0xd6e8feb86659fd93ull + entered * 0xa3b195354a39b70dull;
}
inline u64 HashStep(u64 hash, uptr pc) {
  return (hash ^ pc) * 0x9e3779b97f4a7c15ull;
}
// The hash if the region's frame was not met: 1 is no code address.
inline u64 HashNotMet(u64 hash) { return HashStep(hash, 1); }
// A step of the hash for the near entries, with a factor that fits an
// instruction: return addresses differ in their lower halves, which it moves.
inline u64 HashCaller(u64 hash, uptr pc) {
  return hash * static_cast<u64>(-0x61c8864fll) ^ pc;
}
inline u64 HashEnd(u64 hash) { return hash ^ hash >> 32; }
inline u64 HashAccess(u64 hash, AccessKind kind, uptr size) {
  return HashEnd(HashStep(hash, size << 8 | static_cast<u64>(kind)));
}

// Whether the access is in the region's frame, or not far below; then its hash
// among the near ones. A call of a hook is of one kind, and of one size unless
// at.pc has another one in its upper bits (PointOf). The thread need not be
// in a region. here(): a frame below the access's.
template <class Here>
ALWAYS_INLINE bool HashNear(const Thread *thr, const AccessPoint &at, Here here,
                            u64 *hash) {
  const uptr region_fp = thr->recording_fp;
  *hash = thr->region_hash ^ at.pc;
  if (at.fp != region_fp) {
    uptr fp = at.fp, lowest = here();
    // The first frame of another stack may say that it was called by one of a
    // stack that is gone.
    if (UNLIKELY(lowest < thr->stack_bottom) || UNLIKELY(fp < thr->deep_below))
      return false;
    for (u32 depth = kMaxHashedDepth;; depth--) {
      if (UNLIKELY(!IsFrame(fp, lowest, region_fp)) || UNLIKELY(!depth))
        return false;
      const uptr *frame = reinterpret_cast<const uptr *>(fp);
      *hash = HashCaller(*hash, frame[1]);
      lowest = fp;
      fp = frame[0];
      if (fp == region_fp)
        break;
    }
  }
  return LIKELY(thr->region_frame.HasItsCaller(region_fp));
}

// Finds what InternLocation would return. If false, FindLocation may find it.
template <class Here>
ALWAYS_INLINE bool FindLocationNear(const Thread *thr, const AccessPoint &at,
                                    Here here, LocId *loc) {
  u64 hash;
  return LIKELY(HashNear(thr, at, here, &hash)) &&
         LIKELY(thr->location_cache->near.Has(hash, loc));
}

// Finds the memo of a region that begins at `at`; nullptr: there is none.
// `here`: a frame below that of the region, or in it. If so, a walk would visit
// the memo's frames, for each of them says where the next one is; they may be
// read, since they lie between `here` and the top of the stack.
ALWAYS_INLINE const RegionMemo *FindRegionMemo(const Thread *thr,
                                               const char *name,
                                               const AccessPoint &at,
                                               uptr here) {
  const LocationCache *cache = thr->location_cache;
  if (UNLIKELY(!cache))
    return nullptr;
  const RegionMemo *m = &cache->regions[RegionMemo::Place(name, at)];
  if (UNLIKELY(m->pc != at.pc) || UNLIKELY(m->frame.fp != at.fp) ||
      UNLIKELY(m->name != name) || UNLIKELY(m->stack_top != thr->stack_top) ||
      UNLIKELY(here < thr->stack_bottom) || UNLIKELY(at.fp < here))
    return nullptr;
  __m128i differ = _mm_setzero_si128();
  uptr fp = at.fp;
  const SavedFrame *frame = m->frames, *end = frame + m->num_frames;
#pragma clang loop unroll(disable)
  do {
    differ = _mm_or_si128(differ, frame->Differs(fp));
    fp = frame->parent;
  } while (++frame != end);
  return IsZero(differ) ? m : nullptr;
}

// Whether a memo may be of a region that has begun.
extern ATSAN_HIDDEN bool region_memos_exist;

// Finds the context of an outermost region that no memo is of, by a walk over
// the stack. Returns a memo that is good until the next call, and is found
// again if `is_constant`: the name is nullptr, or in constant memory.
const RegionMemo *InternRegion(Thread *thr, const char *name, bool is_constant,
                               const AccessPoint &at);

// Gives the thread the context of its outermost region.
ALWAYS_INLINE void SetRegionContext(Thread *thr, const RegionMemo *memo) {
  thr->region_frame = memo->frame;
  thr->region_hash = memo->hash;
  thr->entered = 0;
  thr->region_context = memo->id;
}

// Interns the begin stack and name of an outermost region, which begins at `at`
// in the function that is inlined into, or in a caller. is_constant() is asked
// where there is no memo.
template <class IsConstant>
ALWAYS_INLINE u32 InternRegionContext(Thread *thr, const char *name,
                                      const AccessPoint &at,
                                      IsConstant is_constant) {
  const RegionMemo *memo = FindRegionMemo(thr, name, at, GET_CURRENT_FRAME());
  if (UNLIKELY(!memo))
    memo = InternRegion(thr, name, is_constant(), at);
  SetRegionContext(thr, memo);
  return memo->id;
}

// Where code may lie. A walk that finds another return address has left the
// stack, or taken what code without frame pointers has in the register for one.
inline bool IsCode(uptr addr) {
  constexpr uptr kLowest = 4096, kEnd = 1ull << 47;
  return addr - kLowest < kEnd - kLowest;
}

// Steps `hash` over the code addresses from `at` up to the frame for which
// is_end(fp) says so, or as far as frames go; 0: there are more. `here`: a
// frame below the access's, on the thread's own stack.
template <class IsEnd>
ALWAYS_INLINE u64 HashCalls(const Thread *thr, u64 hash, const AccessPoint &at,
                            uptr here, IsEnd is_end) {
  hash = HashStep(hash, at.pc);
  uptr fp = at.fp, lowest = here;
  for (u32 depth = 0; depth < kMaxHashedDepth; depth++) {
    if (!IsFrame(fp, lowest, thr->stack_top) || is_end(fp))
      return hash;
    const uptr *frame = reinterpret_cast<const uptr *>(fp);
    if (UNLIKELY(!IsCode(frame[1])))
      return hash;
    hash = HashStep(hash, frame[1]);
    lowest = fp + 2 * sizeof(uptr);
    fp = frame[0];
  }
  return 0;
}

// Hashes the calls up to the region's frame, as HashCalls; *met: it was
// reached.
ALWAYS_INLINE u64 HashUpToRegion(const Thread *thr, const AccessPoint &at,
                                 uptr here, bool *met) {
  return HashCalls(thr, thr->region_hash, at, here,
                   [&](uptr fp) { return *met = thr->region_frame.IsAt(fp); });
}

// Finds what InternLocation would return deep below the region's frame; 0: call
// that one.
LocId FindDeepLocation(Thread *thr, const AccessPoint &at, AccessKind kind,
                       uptr size);

// What distinguishes accesses of different kinds and sizes at one point, for
// the near entries: code addresses have 47 bits. The lower bits lead to
// different places of the table.
constexpr u32 kCodeBits = 47;
inline AccessPoint PointOf(const AccessPoint &at, AccessKind kind, uptr size) {
  const uptr what = size << 1 | IsWrite(kind);
  return {at.pc ^ what << 3 ^ what << kCodeBits, at.fp};
}

// Finds what InternLocation would return anywhere in a region; 0: call that
// one. Only while a transaction is open. kAny: at this point are plain reads
// and writes of several sizes, below 2^16.
template <bool kAny = false>
ALWAYS_INLINE LocId FindLocation(Thread *thr, AccessPoint at, AccessKind kind,
                                 uptr size, uptr here) {
  LocationCache *cache = thr->location_cache;
  cache->last_point.pc = at.pc;
  cache->last_point.fp = at.fp;
  auto lowest_frame = [&] { return here; };
  const AccessPoint near_point = kAny ? PointOf(at, kind, size) : at;
  LocId id = 0;
  if (LIKELY(FindLocationNear(thr, near_point, lowest_frame, &id)))
    return id;
  if (UNLIKELY(at.fp < thr->deep_below)) {
    id = FindDeepLocation(thr, at, kind, size);
    if (LIKELY(id))
      return id;
  }
  if (UNLIKELY(!IsOnOwnStack(thr, here)))
    return 0;
  bool met = false;
  const u64 hash = HashUpToRegion(thr, at, here, &met);
  if (UNLIKELY(!met))
    return 0;
  id = cache->all.Find(HashAccess(hash, kind, size));
  u64 near_hash;
  if (id && HashNear(thr, near_point, lowest_frame, &near_hash))
    cache->near.Put(near_hash, id);
  return id;
}

// Defined in report/. A region has begun at a place that the thread did not
// know; an access in a region has the location `id`.
void NoteRegionPlace();
void NoteAccessPlace(u32 id);

}  // namespace __atsan

#endif  // ATSAN_LOCATION_H
