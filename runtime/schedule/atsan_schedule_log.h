//===-- atsan_schedule_log.h ------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An observer that writes down the events of a controlled run, each with the
// point that its thread had come to before it. From this, `atsan explore`
// predicts other schedules: a point can be named in a schedule, an event
// cannot.
//
// A log is text. Each line is one event:
//
//   atsan-steps 1
//   KIND THREAD PATH OPERAND SIZE LOCATION ATOMIC PLACE VISIT FRESH [SOURCE]
//
// KIND: a number of EventKind. THREAD: the number that the operands of starts
// and joins speak of; PATH: the thread's name in schedules. OPERAND: what
// Event::Address is, hexadecimal. PLACE, VISIT: the last point, as a switch
// names it. FRESH: 1 if no event before has had this point. SOURCE: the
// point's file, line and column, if they are known.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_LOG_H
#define ATSAN_SCHEDULE_LOG_H

namespace __atsan {

// Begins, if the option schedule_log is given. By the main thread, before the
// run is controlled.
void ScheduleLogInit();
// The run is over, or the process dies: writes what is left.
void ScheduleLogAtExit();

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_LOG_H
