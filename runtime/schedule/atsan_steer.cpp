//===-- atsan_steer.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that is held looks again whenever something has changed, and every
// few milliseconds: what it waits for may also have become impossible without
// anybody's saying so.
//
//===----------------------------------------------------------------------===//
#include "runtime/schedule/atsan_steer.h"

#include "runtime/options/atsan_flags.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "runtime/schedule/atsan_schedule_wait.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {
namespace {

constexpr u64 kMillisecond = 1000 * 1000;
// A thread that has left its point has executed the step after so long, even if
// it comes to no other point. (An access is the next thing that it does.)
constexpr u64 kStepTime = 5 * kMillisecond;
// If all threads sleep at this many looks, one after the other, nobody will
// come.
constexpr u32 kLooksAtSleepers = 20;

struct Steering {
  InternalMmapVector<OrderInRun> orders;
  InternalMmapVector<u64> places;  // The keys of those that orders name.
  InternalMmapVector<SteeredThread *> threads;
  u32 num_open;  // Orders that are kOpen or kPassing.
  u32 num_held;  // Threads.
};

StaticSpinMutex mutex;
Steering *steering;
// Counts what may matter to threads that are held.
atomic_uint32_t changes;

// --- Places. -----------------------------------------------------------------

constexpr u32 kNoPlace = ~0u;
// A place remembers in its flags whether orders name it.
constexpr u32 kPlaceShift = 8, kNotNamed = 1, kFirstNamed = 2;

u32 AddNamedPlace(u64 key) {
  auto &places = steering->places;
  for (u32 i = 0; i < places.size(); i++)
    if (places[i] == key)
      return i;
  places.push_back(key);
  return places.size() - 1;
}

u32 LookUp(const Place *place) {
  u32 known = kNotNamed;
  const u64 key = PlaceKey(place);
  for (u32 i = 0; i < steering->places.size(); i++)
    if (steering->places[i] == key)
      known = i + kFirstNamed;
  __atomic_fetch_or(&const_cast<Place *>(place)->flags, known << kPlaceShift,
                    __ATOMIC_RELAXED);
  return known;
}

u32 IndexOf(const Place *place) {
  u32 known = __atomic_load_n(&place->flags, __ATOMIC_RELAXED) >> kPlaceShift;
  if (UNLIKELY(!known))
    known = LookUp(place);
  return known == kNotNamed ? kNoPlace : known - kFirstNamed;
}

// --- States of orders. -------------------------------------------------------

bool IsOpen(const OrderInRun &o) {
  return o.state == OrderState::kOpen || o.state == OrderState::kPassing;
}

void WakeHeld() {
  if (!steering->num_held)
    return;
  atomic_fetch_add(&changes, 1, memory_order_release);
  WakeAll(&changes);
}

// The last one to be settled ends the steering.
void Settle(OrderInRun *o, OrderState state) {
  o->state = state;
  if (--steering->num_open == 0)
    __atomic_store_n(&__atsan_scheduled, 0, __ATOMIC_RELEASE);
  WakeHeld();
}

// The thread has executed the steps whose points it has left.
void SettlePassed(SteeredThread *self) {
  self->passes = false;
  for (OrderInRun &o : steering->orders)
    if (o.state == OrderState::kPassing && o.order->first.thread == self->path)
      Settle(&o, OrderState::kKept);
}

// --- Holding. ----------------------------------------------------------------

SteeredThread *FindByPath(u64 path) {
  for (SteeredThread *t : steering->threads)
    if (t->path == path)
      return t;
  return nullptr;
}

// Finds the thread that has to come to the first point, or the one that has to
// create it.
SteeredThread *AwaitedBy(const OrderInRun &o) {
  SteeredThread *t = FindByPath(o.order->first.thread);
  return t ? t : FindByPath(o.order->first.parent);
}

// Finds the thread that this one waits for. One whose order is settled goes on,
// even if it is not awake yet.
SteeredThread *AwaitedBy(const SteeredThread *t, bool *needs_lock) {
  if (!t->held_by)
    return BlockerOf(t, needs_lock);
  return IsOpen(*t->held_by) ? AwaitedBy(*t->held_by) : nullptr;
}

// Whether the thread waits, through others, for `self`, which is held.
bool WaitsFor(SteeredThread *t, const SteeredThread *self, bool *needs_lock) {
  for (uptr i = 0; t && i <= steering->threads.size(); i++) {
    if (t == self)
      return true;
    t = AwaitedBy(t, needs_lock);
  }
  return false;
}

// Whether all threads that are not held sleep in the kernel. Takes some time.
bool AllOthersSleep() {
  for (const SteeredThread *t : steering->threads)
    if (!t->has_ended && !t->held_by &&
        (!t->kernel_id || !IsAsleep(t->kernel_id)))
      return false;
  return true;
}

// A thread that is held at the second point of an order.
class Held {
 public:
  Held(SteeredThread *self, OrderInRun *order)
      : self_(self),
        order_(order),
        deadline_(RealTime(kMonotonicClock) +
                  flags()->schedule_wait * kMillisecond) {}

  void Wait() {
    {
      SpinMutexLock l(&mutex);
      self_->held_by = order_;
      steering->num_held++;
    }
    for (;;) {
      const u32 seen = atomic_load(&changes, memory_order_acquire);
      {
        SpinMutexLock l(&mutex);
        Look();
        if (!IsOpen(*order_)) {
          self_->held_by = nullptr;
          steering->num_held--;
          return;
        }
      }
      WaitWhile(&changes, seen);
    }
  }

 private:
  void Look() {
    const u64 now = RealTime(kMonotonicClock);
    if (order_->state == OrderState::kPassing) {
      if (now - order_->passed_at >= kStepTime)
        Settle(order_, OrderState::kKept);
      return;
    }
    if (order_->state != OrderState::kOpen)
      return;
    SteeredThread *awaited = AwaitedBy(*order_);
    bool needs_lock = false;
    if (awaited && WaitsFor(awaited, self_, &needs_lock))
      Settle(order_,
             needs_lock ? OrderState::kNeedsLock : OrderState::kNeverCame);
    else if ((awaited && awaited->has_ended) || now >= deadline_ ||
             SleptLong(now))
      Settle(order_, OrderState::kNeverCame);
  }

  // Not each change is a reason to look at all threads.
  bool SleptLong(u64 now) {
    if (now < next_look_)
      return false;
    next_look_ = now + kLookInterval;
    looks_ = AllOthersSleep() ? looks_ + 1 : 0;
    return looks_ >= kLooksAtSleepers;
  }

  static constexpr u64 kLookInterval = 5 * kMillisecond;
  SteeredThread *const self_;
  OrderInRun *const order_;
  const u64 deadline_;
  u64 next_look_ = 0;
  u32 looks_ = 0;
};

// The thread is for the n-th time at a place that orders name.
void ComeToNamed(SteeredThread *self, u32 place) {
  u32 visit;
  {
    SpinMutexLock l(&mutex);
    visit = ++self->visits[place];
  }
  const auto Is = [=](const PointName &point, u32 index) {
    return index == place && point.thread == self->path && point.visit == visit;
  };
  for (OrderInRun &o : steering->orders)
    if (Is(o.order->second, o.second_place))
      Held(self, &o).Wait();
  SpinMutexLock l(&mutex);
  for (OrderInRun &o : steering->orders) {
    if (!Is(o.order->first, o.first_place) || o.state != OrderState::kOpen)
      continue;
    o.state = OrderState::kPassing;
    o.passed_at = RealTime(kMonotonicClock);
    self->passes = true;
  }
}

SteeredThread *NewThread(SteeredThread *parent) {
  auto *t = new (InternalAlloc(sizeof(SteeredThread))) SteeredThread();
  t->parent = parent;
  t->path =
      parent ? PathOfChild(parent->path, ++parent->children) : kPathOfMain;
  t->visits.resize(steering->places.size());
  steering->threads.push_back(t);
  return t;
}

}  // namespace

void SteerAt(SteeredThread *self, const Place *place) {
  const u32 index = IndexOf(place);
  if (LIKELY(!self->passes && index == kNoPlace))
    return;
  ScopedInRuntime in_runtime(cur_thread);
  if (self->passes) {
    SpinMutexLock l(&mutex);
    SettlePassed(self);
  }
  if (index != kNoPlace)
    ComeToNamed(self, index);
}

// --- Waiting for locks and ends. ---------------------------------------------

void SteerWantsLock(SteeredThread *self, uptr lock) {
  SpinMutexLock l(&mutex);
  self->wanted_lock = lock;
  WakeHeld();
}

void SteerTriedLock(SteeredThread *self, uptr lock, bool is_taken) {
  SpinMutexLock l(&mutex);
  self->wanted_lock = 0;
  if (is_taken)
    NoteSteeredLock(lock, self);
}

void SteerUnlocked(SteeredThread *self, uptr lock) {
  SpinMutexLock l(&mutex);
  NoteSteeredUnlock(lock, self);
}

void SteerJoins(SteeredThread *self, u32 tid) {
  SpinMutexLock l(&mutex);
  for (SteeredThread *t : steering->threads)
    if (t->tid == tid)
      self->joined = t;
  WakeHeld();
}

void SteerJoined(SteeredThread *self) {
  SpinMutexLock l(&mutex);
  self->joined = nullptr;
}

// --- Life of threads and of the run. -----------------------------------------

void SteerChild(SteeredThread *parent, Thread *child) {
  SpinMutexLock l(&mutex);
  child->steered = NewThread(parent);
  child->steered->tid = child->tid;
}

void SteerChildFailed(Thread *child) {
  SpinMutexLock l(&mutex);
  child->steered->has_ended = true;
  child->steered = nullptr;
  WakeHeld();
}

void SteerBegin(Thread *thr) {
  SteeredThread *self = thr->steered;
  if (!self)
    return;
  {
    SpinMutexLock l(&mutex);
    self->kernel_id = GetTid();
  }
  SteerAt(self, ATSAN_SCHEDULE_PLACE("begin"));
}

void SteerEnd(Thread *thr) {
  SteeredThread *self = thr->steered;
  if (!self)
    return;
  SteerAt(self, ATSAN_SCHEDULE_PLACE("end"));
  SpinMutexLock l(&mutex);
  SettlePassed(self);
  self->has_ended = true;
  thr->steered = nullptr;
  WakeHeld();
}

void SteerRun(Thread *thr, const InternalMmapVector<Order> *orders) {
  alignas(Steering) static char storage[sizeof(Steering)];
  SpinMutexLock l(&mutex);
  steering = new (storage) Steering();
  for (const Order &o : *orders)
    steering->orders.push_back({&o, AddNamedPlace(o.first.place),
                                AddNamedPlace(o.second.place),
                                OrderState::kOpen, 0});
  steering->num_open = steering->orders.size();
  thr->steered = NewThread(nullptr);
  thr->steered->tid = thr->tid;
  thr->steered->kernel_id = GetTid();
  __atomic_store_n(&__atsan_scheduled, 1, __ATOMIC_RELEASE);
}

void SteerOver() {
  SpinMutexLock l(&mutex);
  __atomic_store_n(&__atsan_scheduled, 0, __ATOMIC_RELEASE);
  for (OrderInRun &o : steering->orders)
    if (IsOpen(o))
      o.state = o.state == OrderState::kPassing ? OrderState::kKept
                                                : OrderState::kNeverCame;
  WakeHeld();
}

const InternalMmapVector<OrderInRun> &SteeredOrders() {
  return steering->orders;
}

const char *WordFor(OrderState state) {
  switch (state) {
    case OrderState::kNeedsLock:
      return "needs-a-lock-that-is-held";
    case OrderState::kNeverCame:
      return "never-came";
    default:
      return "kept";
  }
}

}  // namespace __atsan
