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
  u64 modules;   // Instrumented modules: mostly, source files.
  u64 regions;   // Outermost regions that began.
  u64 excluded;  // Regions that a list kept from beginning.
  u64 places;    // Places in the code of accesses in regions.
};
Checked GetChecked();

void CheckedInit();
void NoteModule();
// Counts operations of watched objects that have returned.
void NoteOperations(u64 number);
// The thread's first function has returned: it was not cancelled.
void NoteThreadReturned();
// Called before the regions of a thread that ends are ended for it.
void NoteThreadEnd(Thread *thr);
// The program has called exit(), maybe within a region.
void NoteExitCall();
// Called at exit. If the program has not called exit(), main has returned.
void NoteExit();
// Called before the process ends, maybe more than once.
void NoteProcessEnd();
void CheckedAfterForkInChild();

}  // namespace __atsan

#endif  // ATSAN_CHECKED_H
