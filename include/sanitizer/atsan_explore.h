/*===-- sanitizer/atsan_explore.h ----------------------------------*- C -*-===*
 *
 * Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Runs a function by one schedule of its threads after the other, within a unit
 * test, for C (C++ code may prefer <sanitizer/atsan_explore.hpp>). The program
 * is built with -fsanitize=atomicity -fatomicity-schedule; without the first,
 * the function is run once, as usual. docs/explore.md says what is promised.
 *
 *===----------------------------------------------------------------------===*/
#ifndef ATSAN_EXPLORE_H
#define ATSAN_EXPLORE_H

struct __atsan_explore_options {
  const char *strategy;   /* "surw", "pct", ..., or null for the usual one. */
  unsigned long runs;     /* At most so many schedules; 0: 1000. */
  double seconds;         /* At most so long; 0: no limit. */
  unsigned long seed;     /* Other schedules for another seed; 0: 1. */
  unsigned depth;         /* pct: constraints that a bug may need; 0: 3. */
  unsigned preemptions_1; /* systematic: most preemptions, plus 1; 0: all. */
};

#ifdef __SANITIZE_ATOMICITY__

#ifdef __cplusplus
extern "C" {
#endif

/* Calls function(argument) again and again, each time by another schedule of
 * the threads that it creates. They must have ended, or end by themselves, when
 * it returns. Other threads of the program go on as usual, and should not touch
 * the same data.
 *
 * Stops at the first finding: a violation of a region, a deadlock, a crash, or
 * a call of __atsan_explore_failed. The schedule is written to a file, and
 * replayed, before the finding is reported; the report ends the program unless
 * halt_on_error=0. Returns how many findings there were, 0 or 1; -1 if the
 * options are wrong or another exploration runs, with a message. Not to be
 * called by several threads at a time. */
int __atsan_explore(void (*function)(void *argument), void *argument,
                    const struct __atsan_explore_options *options);

/* Called within the function: the test has failed in this schedule. */
void __atsan_explore_failed(void);

#ifdef __cplusplus
}
#endif

#else

static inline int
__atsan_explore(void (*function)(void *argument), void *argument,
                const struct __atsan_explore_options *options) {
  (void)options;
  function(argument);
  return 0;
}
static inline void __atsan_explore_failed(void) {}

#endif

#endif /* ATSAN_EXPLORE_H */
