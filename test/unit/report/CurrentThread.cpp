//===-- CurrentThread.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands for the thread registry of the runtime, and for its choice of how to
// unwind: by tables, which is all that is asked for here.
//
//===----------------------------------------------------------------------===//
#include "CurrentThread.h"

#include "sanitizer_common/sanitizer_stacktrace.h"
#include <pthread.h>

namespace __atsan {
__attribute__((tls_model("initial-exec"))) THREADLOCAL Thread *cur_thread =
    nullptr;

// Nothing in these tests defers a signal or is a fiber.
void SignalsDeliverNow(Thread *) { CHECK(0); }
void FiberNoteStack(Thread *, uptr) { CHECK(0); }
// Nor does any say what was checked.
void NoteRegionPlace() {}
void NoteAccessPlace(u32) {}
} // namespace __atsan

void __sanitizer::BufferedStackTrace::UnwindImpl(uptr pc, uptr bp,
                                                 void *context, bool,
                                                 u32 max_depth) {
  Unwind(max_depth, pc, bp, context, 0, 0, /*request_fast_unwind=*/false);
}

atsan_test::CurrentThread::CurrentThread() {
  pthread_attr_t Attributes;
  void *Bottom;
  size_t Size;
  pthread_getattr_np(pthread_self(), &Attributes);
  pthread_attr_getstack(&Attributes, &Bottom, &Size);
  pthread_attr_destroy(&Attributes);
  Thread.stack_bottom = reinterpret_cast<__atsan::uptr>(Bottom);
  Thread.stack_top = Thread.stack_bottom + Size;
  __atsan::cur_thread = &Thread;
}

atsan_test::CurrentThread::~CurrentThread() {
  __atsan::LocationFreeMemory(&Thread);
  Thread.regions.Destroy();
  __atsan::cur_thread = nullptr;
}
