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
 * options are wrong or another exploration runs. That is said, and the program
 * ends with exit code 2; so it does if nothing was checked, since it was
 * compiled without -fatomicity-schedule or the function has started no thread.
 * Not to be called by several threads at a time. */
int __atsan_explore(void (*function)(void *argument), void *argument,
                    const struct __atsan_explore_options *options);

/* Called within the function: the test has failed in this schedule. */
void __atsan_explore_failed(void);

/* --- For what makes tests, as <sanitizer/atsan_linearizable.hpp> does. ---- */

/* A test that is explored. Nothing is said of what it shows until it is kept:
 * a smaller test may show the same. */
struct __atsan_test {
  void (*run)(void *argument); /* As the function of __atsan_explore. */
  /* Called after each run, when schedules are not controlled: has it failed? */
  int (*has_failed)(void *argument);
  /* Called where a run does not end, before the process does: lines that say
   * what has happened. */
  const char *(*history)(void *argument);
  void *argument;
  const char *name; /* A line without '#' that says which test it is. */
};

enum {
  __atsan_tests_skipped = 0,  /* Another call's schedule is replayed. */
  __atsan_tests_searched = 1, /* Each test by many schedules. */
  __atsan_tests_replayed = 2, /* One test, by one schedule: *name. */
  __atsan_tests_run_once = 3, /* Others control schedules: once each. */
};

enum {
  __atsan_test_passed = 0,
  __atsan_test_failed = 1,   /* Its has_failed said so. */
  __atsan_test_reported = 2, /* The runtime has found something. */
};

/* An exploration begins, in which tests are tried. Returns how they are.
 * `size_of_test` is sizeof(struct __atsan_test): if the runtime's is another
 * one, the program ends with a message. Of these functions, only stamps may be
 * taken by several threads at a time. */
int __atsan_tests_begin(unsigned long size_of_test, const char **name);
/* Runs the test by schedules, until it fails. -1: the options are wrong,
 * with a message. */
int __atsan_test_try(const struct __atsan_test *test,
                     const struct __atsan_explore_options *options);
/* Of the last try that failed, and its outcome: leaves out of its schedule what
 * the failure does not need, writes it to a file, runs the test by it again and
 * again, and says how to do so. It has been run by it when this returns.
 * Nothing where tests are not searched. */
void __atsan_test_keep(const struct __atsan_test *test, int outcome);
/* A later stamp is greater. Which of two threads comes first is the schedule's
 * choice. */
unsigned long __atsan_test_stamp(void);
/* Reports that an object is not linearizable, as a violation of a region is.
 * The message is a sentence, the history some lines. */
void __atsan_test_report(const char *message, const char *history)
    __attribute__((not_tail_called));

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
