//===-- atsan_library_new.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At a given place in a function without frame pointer the return address is
// always equally far from the stack pointer. How far, unwind tables tell once.
//
//===----------------------------------------------------------------------===//
#include "runtime/memory/atsan_library_new.h"

#include <dlfcn.h>

#include "runtime/location/atsan_location.h"

namespace __atsan {

CodeRange library_new;

// The names in the ABI of C++ of new and new[], each with and without
// std::nothrow. Functions with an alignment use the frame pointer's register.
static const char *const kNames[] = {"_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t",
                                     "_ZnamRKSt9nothrow_t"};
static const char *const kLibraries[] = {"libstdc++.so.6", "libc++abi.so.1"};
constexpr uptr kLongest = 64;  // What follows is no caller of malloc.

void LibraryNewInit() {
  if (library_new.size)
    return;
  ScopedInRuntime in_runtime(cur_thread);
  uptr begin = ~0ull, end = 0;
  for (const char *library : kLibraries) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    for (const char *name : kNames) {
      uptr address = handle ? reinterpret_cast<uptr>(dlsym(handle, name)) : 0;
      if (!address)
        continue;
      begin = Min(begin, address);
      end = Max(end, address + kLongest);
    }
    if (handle)
      dlclose(handle);
    if (end)
      break;
  }
  // That a library is not on this machine is no error of the program's, see
  // __atsan_init.
  if (!dlsym(RTLD_DEFAULT, "dlsym"))
    dlerror();
  if (end)
    library_new = {begin, end - begin};
}

// --- The distance from the stack pointer to the return address. --------------

namespace {

struct Place {
  atomic_uintptr_t pc;
  uptr distance;
};
constexpr uptr kTaken = 1;  // No pc: the distance comes.
constexpr uptr kUnknown = ~0ull;
constexpr u32 kMaxPlaces = 4;
constexpr uptr kMaxFrame = 128;

Place places[kMaxPlaces];

uptr Measure(const AccessPoint &at, uptr sp) {
  uptr returns_to = ReturnAddressByTables(at);
  for (uptr distance = 0; returns_to && distance < kMaxFrame;
       distance += sizeof(uptr))
    if (*reinterpret_cast<const uptr *>(sp + distance) == returns_to)
      return distance;
  return kUnknown;
}

uptr DistanceAt(const AccessPoint &at, uptr sp) {
  for (Place &place : places)
    if (atomic_load(&place.pc, memory_order_acquire) == at.pc)
      return place.distance;
  uptr distance = Measure(at, sp);
  for (Place &place : places) {
    uptr pc = 0;
    if (atomic_compare_exchange_strong(&place.pc, &pc, kTaken,
                                       memory_order_acq_rel)) {
      place.distance = distance;
      atomic_store(&place.pc, at.pc, memory_order_release);
      break;
    }
    if (pc == at.pc)  // Another thread has found it, too.
      break;
  }
  return distance;
}

}  // namespace

AccessPoint SkipLibraryNew(Thread *thr, AccessPoint at, uptr sp) {
  AccessPoint caller = at;
  while (caller.pc - library_new.begin < library_new.size &&
         sp - thr->stack_bottom < thr->stack_top - thr->stack_bottom) {
    uptr distance = DistanceAt(caller, sp);
    if (distance == kUnknown)
      return at;
    caller.pc = *reinterpret_cast<const uptr *>(sp + distance);
    sp += distance + sizeof(uptr);
  }
  return caller;
}

}  // namespace __atsan
