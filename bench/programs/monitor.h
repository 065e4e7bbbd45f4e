//===-- monitor.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the collections share: objects, a lock in each collection that its
// methods take again and again (as synchronized methods do), and exceptions.
//
//===----------------------------------------------------------------------===//
#ifndef MONITOR_H
#define MONITOR_H

#include "common.h"
#include "interleave.h"

#include <mutex>
#include <stdexcept>

struct IndexOutOfBounds : std::out_of_range {
  IndexOutOfBounds() : std::out_of_range("index") {}
};

// An iterator noticed that its collection has changed.
struct ConcurrentModification : std::runtime_error {
  ConcurrentModification() : std::runtime_error("modified") {}
};

// What collections hold pointers to. Never changes.
struct Object {
  int Value;
};

inline bool equal(const Object *A, const Object *B) {
  return A == B || (A && B && A->Value == B->Value);
}

// The base class of a collection. Two that lie side by side, one for each
// thread, share no cache line: whether they do would decide the time, and
// depends on how the compiler lays out a frame.
class alignas(64) Monitor {
  friend class Synchronized;
  std::recursive_mutex Mutex;

protected:
  Monitor() = default;
  Monitor(const Monitor &) {} // A copy has a lock of its own.
};

// For the length of a method. With a second monitor, that one's lock is held as
// long: it makes a method atomic that calls several methods of its argument.
class Synchronized {
public:
  explicit Synchronized(Monitor &Self) : First(&Self), Second(nullptr) {
    First->Mutex.lock();
  }
  Synchronized(Monitor &Self, Monitor &Other)
      : First(std::min(&Self, &Other)), Second(std::max(&Self, &Other)) {
    First->Mutex.lock();
    Second->Mutex.lock();
  }
  ~Synchronized() {
    if (Second)
      Second->Mutex.unlock();
    First->Mutex.unlock();
    if (First == Argument)
      interleave::middle();
  }
  Synchronized(const Synchronized &) = delete;
  Synchronized &operator=(const Synchronized &) = delete;

  // After a call of this thread on it, another thread may get in between.
  static thread_local const Monitor *Argument;

private:
  Monitor *First, *Second;
};

inline thread_local const Monitor *Synchronized::Argument = nullptr;

// A method that calls methods of its argument. The known bugs: it should hold
// the argument's lock from the first call to the last.
class SynchronizedWith : public Synchronized {
public:
#ifdef FIXED
  SynchronizedWith(Monitor &Self, Monitor &Other) : Synchronized(Self, Other) {}
#else
  SynchronizedWith(Monitor &Self, Monitor &) : Synchronized(Self) {}
#endif
};

#endif // MONITOR_H
