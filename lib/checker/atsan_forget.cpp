//===-- atsan_forget.cpp ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that is born has no history: what a page knows of it ends. Mostly
// there is nothing, or what is dead and may stay.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_forget.h"

#include <emmintrin.h>

#include "lib/checker/atsan_access.h"
#include "lib/checker/atsan_detail.h"
#include "lib/checker/atsan_page.h"
#include "lib/checker/atsan_read_log.h"
#include "lib/checker/atsan_sweep.h"

namespace __atsan {

namespace {

// Forgets bytes of one granule. The caller, whose slot is `own`, if it has one,
// is at work in the page.
NOINLINE void ForgetInCell(SlotId own, uptr granule, const CellRef &ref,
                           u32 bytes) {
  auto Without = [bytes](Cell e) {
    Cell rest = WithMasks(e, WritesOf(e) & ~bytes, ReadsOf(e) & ~bytes);
    return BytesOf(rest) ? rest : kEmptyCell;
  };
  Cell c = atomic_load(ref.cell, memory_order_relaxed);
  if (IsSwept(c)) {
    EndsSwept(ref.page, granule);
    c = bytes == 0xff ? kEmptyCell : Unsweep(granule, ref);
  }
  if (IsDetail(c)) {
    BeginListChange(ref.cell);
    if (IsLogged(c))
      c = CollectLogs(own, granule, ref, c);
    ForEachEntry(BlockOf(c), [&](Cell e, LocId, atomic_uint64_t *place) {
      atomic_store_relaxed(place, Without(e));
      return true;
    });
    c = FinishDetail(BlockOf(c), ref.locs);
  } else {
    c = Without(c);
  }
  atomic_store(ref.cell, c, memory_order_release);
}

// While such an object lives, its thread is at work in the page of `addr`.
class ScopedPage {
 public:
  ScopedPage(const CheckerThread *thr, uptr addr, Page *page)
      : thr_(thr), page_(page) {
    if (LIKELY(thr != nullptr))
      EnterPage(thr, addr, page);
    else
      EnterPageUnseen(addr, page);
  }
  ~ScopedPage() {
    if (LIKELY(thr_ != nullptr))
      LeavePage(thr_, page_);
    else
      LeavePageUnseen(page_);
  }
  ScopedPage(const ScopedPage &) = delete;
  ScopedPage &operator=(const ScopedPage &) = delete;
  SlotId Own() const { return thr_ ? thr_->slot : kNoSlot; }

 private:
  const CheckerThread *thr_;
  Page *page_;
};

// Has the cell nothing to forget? Dead is as good as forgotten. *dead: a
// transaction known to be dead, or an empty cell; neighbours often have one in
// common.
ALWAYS_INLINE bool IsForgotten(Cell c, Cell *dead) {
  if (!c || SameTxn(c, *dead))
    return true;
  if (!IsSingle(c) || IsLive(TxnOf(c)))
    return false;
  *dead = c;
  return true;
}

// Forgets some bytes of one granule.
NOINLINE void ForgetPart(const CheckerThread *thr, uptr granule, u32 bytes) {
  const CellRef ref = ShadowGet(granule);
  Cell c = atomic_load(ref.cell, memory_order_acquire);
  Cell dead = kEmptyCell;
  if (IsForgotten(c, &dead) || (IsSingle(c) && !(BytesOf(c) & bytes)))
    return;
  ScopedPage at_work(thr, granule, ref.page);
  ForgetInCell(at_work.Own(), granule, ref, bytes);
}

// --- Whole granules of one page, four at a time. -----------------------------

// Are all cells from *i on forgotten? If not, *i becomes the first group that
// is not.
bool AreForgotten(const AtomicCell *cell, uptr count, uptr *i) {
  Cell dead = kEmptyCell;
  if (count < kGroup) {
    for (uptr k = 0; k < count; k++)
      if (!IsForgotten(atomic_load(cell + k, memory_order_acquire), &dead))
        return false;
    return true;
  }
  for (;; *i = NextGroup(*i, count)) {
    const Group group(cell + *i);
    if (SameTxn(group.Any(), group.All())) {
      if (!IsForgotten(group.Any(), &dead))
        return false;
    } else {
      for (Cell c : group.c)
        if (!IsForgotten(c, &dead))
          return false;
    }
    if (*i == count - kGroup)
      return true;
  }
}

// Clears kCount cells side by side if none is a list or swept. Two words are
// stored by one instruction; none is torn (docs/soundness.md).
template <uptr kCount>
ALWAYS_INLINE bool ClearSingle(AtomicCell *cell) {
  __m128i *two = reinterpret_cast<__m128i *>(cell);
  __m128i any = _mm_setzero_si128();
#pragma clang loop unroll(full)
  for (uptr k = 0; k < kCount / 2; k++)
    any = _mm_or_si128(any, _mm_loadu_si128(two + k));
  // Lists and swept cells have the sign of a word; a list that is being changed
  // has not, but the caller is at work in the page.
  static_assert(kDetailMode & kSweptCell & 1ull << 63);
  if (UNLIKELY(_mm_movemask_pd(_mm_castsi128_pd(any))))
    return false;
#pragma clang loop unroll(full)
  for (uptr k = 0; k < kCount / 2; k++)
    _mm_storeu_si128(two + k, _mm_setzero_si128());
  return true;
}

// Clears cells, at work in their page.
class Clearing {
 public:
  Clearing(SlotId own, uptr begin, uptr count, const CellRef &ref)
      : own_(own), begin_(begin), count_(count), ref_(ref) {}

  ALWAYS_INLINE void One(uptr i) {
    AtomicCell *cell = ref_.cell + i;
    Cell c = atomic_load(cell, memory_order_relaxed);
    if (LIKELY(IsSingle(c)))
      atomic_store(cell, kEmptyCell, memory_order_release);
    else if (!IsSwept(c) || !SweepsForget())
      ForgetInCell(own_, begin_ + i * kGranule,
                   {cell, ref_.locs + 2 * i, ref_.page}, 0xff);
  }
  ALWAYS_INLINE void Four(uptr i) {
    AtomicCell *cell = ref_.cell + i;
    if (LIKELY(ClearSingle<kGroup>(cell)) ||
        (IsSwept(Group(cell).Any()) && SweepsForget()))
      return;
    for (uptr k = 0; k < kGroup; k++)
      One(i + k);
  }

 private:
  // Can the page's sweeps forget the range? Then its swept cells may stay
  // swept.
  bool SweepsForget() {
    if (sweeps_ == kNotAsked)
      sweeps_ = ForgetInSweeps(ref_.page, begin_, begin_ + count_ * kGranule)
                    ? kForget
                    : kDoNotForget;
    return sweeps_ == kForget;
  }

  SlotId own_;
  uptr begin_, count_;
  CellRef ref_;
  enum { kNotAsked, kForget, kDoNotForget } sweeps_ = kNotAsked;
};

// Clears cells from the group at i on.
NOINLINE void ClearCells(const CheckerThread *thr, uptr begin, uptr count,
                         uptr i) {
  const CellRef ref = ShadowGet(begin);
  ScopedPage at_work(thr, begin, ref.page);
  Clearing clearing(at_work.Own(), begin, count, ref);
  if (count < kGroup) {
    for (i = 0; i < count; i++)
      clearing.One(i);
    return;
  }
  for (;; i = NextGroup(i, count)) {
    clearing.Four(i);
    if (i == count - kGroup)
      return;
  }
}

// Clears cells for the owner of their page, until there is a list or a sweep.
// Returns how far it came; count: to the end.
ALWAYS_INLINE uptr ClearOwnCells(const CheckerThread *thr, uptr begin,
                                 uptr count, uptr i, AtomicCell *cell,
                                 Page *page) {
  if (!TryEnterPage(thr, begin, page))
    return i;
  if (count < kGroup) {
    if (LIKELY(IsSingle(AnyOfFew(cell, count)))) {
      const uptr all[] = {0, count / 2, count - 1};
      for (uptr k : all)
        atomic_store(cell + k, kEmptyCell, memory_order_release);
      i = count;
    }
  } else {
    AtomicCell *at = cell + i;
    AtomicCell *last = cell + count - kGroup;
#pragma clang loop unroll(disable)
    while (at + kGroup <= last && ClearSingle<2 * kGroup>(at))
      at += 2 * kGroup;
    for (at = Min(at, last); ClearSingle<kGroup>(at);
         at = Min(at + kGroup, last))
      if (at == last) {
        at = cell + count;
        break;
      }
    i = at - cell;
  }
  LeavePage(thr, page);
  return i;
}

void ForgetInPage(const CheckerThread *thr, uptr begin, uptr end) {
  const uptr whole = RoundUpTo(begin, kGranule);
  const uptr past = RoundDownTo(end, kGranule);
  if (UNLIKELY(begin < whole))
    ForgetPart(thr, whole - kGranule,
               BytesBetween(whole - kGranule, begin, end));
  if (whole < past)
    CheckerForget(thr, whole, past - whole);
  if (UNLIKELY(past < end && whole <= past))
    ForgetPart(thr, past, BytesBetween(past, begin, end));
}

}  // namespace

void ForgetInPages(const CheckerThread *thr, uptr addr, uptr size) {
  if (size == 0 || !HasShadow(addr) || !HasShadow(addr + size - 1))
    return;
  ForEachTouchedPage(addr, addr + size, [thr](uptr begin, uptr end) {
    ForgetInPage(thr, begin, end);
  });
}

void ForgetCells(const CheckerThread *thr, uptr begin, uptr count, uptr first,
                 AtomicCell *cell, Page *page) {
  // The owner of the page need not know whether the cells are dead.
  if (LIKELY(thr &&
             atomic_load(&page->word, memory_order_relaxed) == thr->owner_word))
    first = ClearOwnCells(thr, begin, count, first, cell, page);
  else if (AreForgotten(cell, count, &first))
    return;
  if (first != count)
    ClearCells(thr, begin, count, first);
}

void CheckerForget(const CheckerThread *thr, uptr addr, uptr size) {
  History history;
  if (FindHistory(addr, size, &history))
    ForgetHistory(thr, addr, size, history);
}

void CheckerUnmap(const CheckerThread *thr, uptr addr, uptr size) {
  if (!size || !HasShadow(addr) || !HasShadow(addr + size - 1))
    return;
  CheckerForget(thr, addr, size);
  bool is_touched = false;
  ForEachTouchedPage(addr, addr + size, [&](uptr begin, uptr end) {
    is_touched = true;
    if (end - begin < kShadowPage)
      return;
    // Cells that sweeps have forgotten are swept still, and will be empty.
    Page *page = ShadowGet(begin).page;
    ScopedPage at_work(thr, begin, page);
    page->swept_begin = page->swept_end = 0;
  });
  if (is_touched)
    ShadowRelease(RoundUpTo(addr, kShadowPage),
                  RoundDownTo(addr + size, kShadowPage));
}

}  // namespace __atsan
