//===-- atsan_checked.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much of the process was checked, so that a run that found nothing can be
// told from one that looked at nothing: with report_format=json and a log_path
// each process leaves one record (schema/atsan-process-1.schema.json), at its
// first region for the case that it is killed, and at its end with all figures.
// What was surely not meant is said: nothing was compiled for the sanitizer, or
// a region was left open.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_CHECKED_H
#define ATSAN_CHECKED_H

#include "runtime/state/atsan_thread.h"

namespace __atsan {

struct Checked {
  u64 modules;   // Instrumented ones: mostly, source files.
  u64 regions;   // Outermost ones that began.
  u64 excluded;  // Those that a list kept from beginning.
  u64 places;    // In the code: of accesses in regions.
};
Checked GetChecked();

void CheckedInit();
void NoteModule();
// The thread's first function has returned: it was not cancelled.
void NoteThreadReturned();
// Before its regions are ended for it.
void NoteThreadEnd(Thread *thr);
// The program has called exit(), maybe within a region.
void NoteExitCall();
// At exit. If the program has not called it, libc has: main has returned.
void NoteExit();
// Before the process ends. May be called again.
void NoteProcessEnd();
void CheckedAfterForkInChild();

}  // namespace __atsan

#endif  // ATSAN_CHECKED_H
