/*===-- sanitizer/atsan_interface.h --------------------------------*- C -*-===*
 *
 * Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Public interface of AtomicitySanitizer, for C and C++ (C++ code may prefer
 * <sanitizer/atsan.hpp>). Without -fsanitize=atomicity everything in here
 * compiles to nothing, so that marks can stay in production code.
 *
 * What is checked: each region must be serializable. That is, the run must have
 * the same conflicts (accesses of two threads to the same byte, at least one of
 * them a write, in the order in which they happened) as some run in which no
 * other thread gets in between the region's accesses.
 *
 * Every function may be called by any thread at any time, also in signal
 * handlers and in destructors of thread-local variables, concerns the calling
 * thread only (or the fiber that it runs), never blocks, and never fails,
 *except as said below. Wrong use is an error of the program, which is reported
 *with a stack and fails the run like a violation. No function changes errno.
 *
 *===----------------------------------------------------------------------===*/
#ifndef ATSAN_INTERFACE_H
#define ATSAN_INTERFACE_H

/* A report, and an event of its cycle: see __atsan_on_report below. */
typedef struct __atsan_report __atsan_report;

struct __atsan_event {
  const char *access; /* "read", "atomic write", "thread start"... */
  void *address;      /* Null for the begin and the end of threads. */
  unsigned long size; /* In bytes; 0 if it is not known. */
  int thread;         /* As in the report; -1 if it is not known. */
  const char *region; /* Null outside regions. */
};

#ifdef __SANITIZE_ATOMICITY__

/* Regions must not cost landing pads. The caller's frame is needed: reports
 * name it, and longjmp is judged by it. */
#define ATSAN_NOTHROW __attribute__((nothrow, not_tail_called))

#ifdef __cplusplus
extern "C" {
#endif

/* --- Regions. ------------------------------------------------------------- */

/* Begins a region that is meant to be atomic. Regions nest, to any depth: the
 * outermost one is checked, as a whole. By default a thread start or join, a
 * barrier wait or a condition wait divides a region into two that are checked
 * each for itself (run-time option region_splits). */
void __atomic_begin(void) ATSAN_NOTHROW;

/* Ends the innermost open region; not a critical section, which its lock ends.
 * If none is open, that is reported as an error of the program and fails the
 * run like a violation. A region also ends when its thread ends, and when
 * longjmp leaves the code that began it. */
void __atomic_end(void) ATSAN_NOTHROW;

/* The same, with a name, which must live until the region ends; reports have a
 * copy. A null pointer means: no name. The ends of both kinds match both kinds
 * of begins. */
void __atsan_region_begin(const char *name) ATSAN_NOTHROW;
void __atsan_region_end(void) ATSAN_NOTHROW;

/* Inside a region: what it has done so far was an attempt that failed and had
 * no effect, such as the load before a compare-exchange that failed. The region
 * is checked from here on, as if it began here. Outside regions it does
 * nothing. */
void __atomic_restart(void) ATSAN_NOTHROW;

/* --- Locks that are built from atomic operations. ------------------------- */

/* Atomic operations are data: a lock made of them would put every pair of
 * critical sections in conflict. These annotations tell the accesses that
 * implement a lock from the data that it protects: accesses between a `pre`
 * call and its `post` call are ignored. With the run-time option lock_edges=1 a
 * release is also ordered before the next acquire.
 *
 * Names, parameters and constants correspond to those of __tsan_mutex_* in
 * <sanitizer/tsan_interface.h>. `addr` identifies the lock: the address of an
 * object of at least 4 bytes. */

/* Kinds of locks. */
#define __atsan_mutex_linker_init (1u << 0)     /* Static, never destroyed. */
#define __atsan_mutex_write_reentrant (1u << 1) /* A writer may lock again. */
#define __atsan_mutex_read_reentrant (1u << 2)  /* A reader may lock again. */
#define __atsan_mutex_not_static (1u << 8)      /* Opposite of linker_init. */

/* Kinds of operations. */
#define __atsan_mutex_read_lock (1u << 3)        /* Shared. */
#define __atsan_mutex_try_lock (1u << 4)         /* May fail. */
#define __atsan_mutex_try_lock_failed (1u << 5)  /* Has failed: post_lock. */
#define __atsan_mutex_recursive_lock (1u << 6)   /* Takes several levels. */
#define __atsan_mutex_recursive_unlock (1u << 7) /* Gives back all levels. */
#define __atsan_mutex_try_read_lock                                            \
  (__atsan_mutex_read_lock | __atsan_mutex_try_lock)
#define __atsan_mutex_try_read_lock_failed                                     \
  (__atsan_mutex_try_read_lock | __atsan_mutex_try_lock_failed)

/* The lock begins or ends its life. Destroying a lock that is linker_init does
 * nothing. */
void __atsan_mutex_create(void *addr, unsigned flags) ATSAN_NOTHROW;
void __atsan_mutex_destroy(void *addr, unsigned flags) ATSAN_NOTHROW;

/* Around the code that locks. `recursion` is the number of levels that are
 * taken, and counts only with recursive_lock; else it is one. */
void __atsan_mutex_pre_lock(void *addr, unsigned flags) ATSAN_NOTHROW;
void __atsan_mutex_post_lock(void *addr, unsigned flags,
                             int recursion) ATSAN_NOTHROW;

/* Around the code that unlocks. pre_unlock returns the number of levels that
 * are given back: with recursive_unlock all that the thread holds, else one. */
int __atsan_mutex_pre_unlock(void *addr, unsigned flags) ATSAN_NOTHROW;
void __atsan_mutex_post_unlock(void *addr, unsigned flags) ATSAN_NOTHROW;

/* Around the code that wakes waiters. */
void __atsan_mutex_pre_signal(void *addr, unsigned flags) ATSAN_NOTHROW;
void __atsan_mutex_post_signal(void *addr, unsigned flags) ATSAN_NOTHROW;

/* Within one of the pairs above, around code that has nothing to do with the
 * lock: its accesses count. */
void __atsan_mutex_pre_divert(void *addr, unsigned flags) ATSAN_NOTHROW;
void __atsan_mutex_post_divert(void *addr, unsigned flags) ATSAN_NOTHROW;

/* --- Memory of a custom allocator. ---------------------------------------- */

/* A byte is another one after its death: what happened to it before makes no
 * conflict with what happens later. The runtime knows malloc, new, mmap and the
 * stack. Code that hands out parts of larger blocks, and takes them back, calls
 * these; otherwise users of the same memory at different times seem to share
 * data.
 *
 * death: before the memory may be handed out again. It is a write of all `size`
 * bytes by the calling thread, which conflicts with what was done to them
 * before. (A use after it is of another byte, and no conflict; after free it is
 * one.)
 *
 * birth: before the memory is handed out for the first time, or without a call
 * of death. Not an access. */
void __atsan_memory_birth(const void *addr, __SIZE_TYPE__ size) ATSAN_NOTHROW;
void __atsan_memory_death(const void *addr, __SIZE_TYPE__ size) ATSAN_NOTHROW;

/* --- Fibers. -------------------------------------------------------------- */

/* For code that switches between stacks by itself, with swapcontext or by hand.
 * Each fiber is a thread of its own for the checker: it has its own regions,
 * which stay open while others run, and conflicts of two fibers are conflicts
 * of two threads, whichever thread runs them. Names and parameters are those of
 * __tsan_*_fiber in <sanitizer/tsan_interface.h>.
 *
 * Without these calls, all that a thread runs is one thread of execution, on
 * whatever stack. So a C++20 coroutine belongs to whoever resumes it, and a
 * region must not be open across a suspension (co_await): on the same thread it
 * would include what the thread does meanwhile, and on another one its end has
 * no begin, which is reported. */

/* What the calling thread runs: a fiber, or the thread itself, to which one can
 * switch back just as well. */
void *__atsan_get_current_fiber(void) ATSAN_NOTHROW;

/* A fiber begins its life as a thread that is started here: it is ordered after
 * what the caller has done, and divides the caller's region (region_splits).
 * `flags` must be 0. */
void *__atsan_create_fiber(unsigned flags) ATSAN_NOTHROW;

/* Ends it, and its open regions, as if it were joined here. No thread may run
 * it: destroying the running fiber, or a thread, is an error. */
void __atsan_destroy_fiber(void *fiber) ATSAN_NOTHROW;

/* Right before the switch. The fiber may have been created by, and have run on,
 * another thread, but must not run anywhere now. Switching is no order: which
 * fiber runs when is not data. */
void __atsan_switch_to_fiber(void *fiber, unsigned flags) ATSAN_NOTHROW;
#define __atsan_switch_to_fiber_no_sync (1u << 0) /* Changes nothing here. */

/* For reports. The name is copied. */
void __atsan_set_fiber_name(void *fiber, const char *name) ATSAN_NOTHROW;

/* --- Code that is annotated for ThreadSanitizer. -------------------------- */

/* The runtime also has the functions of <sanitizer/tsan_interface.h> and
 * <sanitizer/tsan_interface_atomic.h>, and the dynamic annotations
 * (AnnotateHappensBefore, ...):
 *   - __tsan_mutex_*, __tsan_*_fiber     as the functions above
 *   - __tsan_mutex_pre_divert, ...post_divert
 *                                        nothing: what a lock does to sleep and
 *                                        to wake others is its own business
 *   - AnnotateRWLock*                    as a lock without pre calls
 *   - __tsan_acquire, __tsan_release, AnnotateHappensBefore and ...After
 *                                        with lock_edges=1, order from the last
 *                                        release; else nothing, as for locks
 *   - AnnotateIgnoreReads*, ...Writes*   where both are ignored, accesses do
 *                                        not count; one alone does nothing
 *   - AnnotateNewMemory                  as __atsan_memory_birth
 *   - __tsan_read1 and its kin           an access
 *   - __tsan_atomic32_load and its kin   the operation, always in the strongest
 *                                        order, and its access
 *   - __tsan_external_read, ...write     an access of the object's first byte
 *   - __tsan_get_report_data and its kin 0: there is no report
 *   - what is about data races only, such as AnnotateBenignRace: nothing
 * What a program may define for ThreadSanitizer to call (__tsan_on_report,
 * __tsan_default_options, ...) nobody calls.
 *
 * Code that has its annotations only where ThreadSanitizer is on gets them by
 * the compiler's option -fatomicity-tsan-annotations. */

/* --- For the program to define. ------------------------------------------- */

/* Options that ATSAN_OPTIONS overrides, as a string in the same form. Called
 * once, early: do not rely on constructors having run. */
const char *__atsan_default_options(void);

/* Called for each report, after it was printed and before it ends the program
 * (run-time option halt_on_error). Its accesses and regions do not count. It
 * may not end the program, start or join threads, or keep the report. */
void __atsan_on_report(__atsan_report *report);

/* --- Reports, for __atsan_on_report. -------------------------------------- */

/* Strings and structs are valid until the hook returns. A later version only
 * adds to this one. */

/* Of this interface: 1. */
unsigned __atsan_report_version(void);

/* "atomicity-violation", or a wrong use of the functions above:
 * "region-end-without-begin"; or "linearizability-violation", of
 * <sanitizer/atsan_history.h>. */
const char *__atsan_report_kind(__atsan_report *report);
/* What the report says, as one sentence. */
const char *__atsan_report_message(__atsan_report *report);
/* The same for the same error in every run. */
const char *__atsan_report_fingerprint(__atsan_report *report);
/* The line of a suppressions file that suppresses it, or a null pointer. */
const char *__atsan_report_suppression(__atsan_report *report);
/* All of it, as with the run-time option report_format=json. */
const char *__atsan_report_json(__atsan_report *report);

/* The cycle: how many steps it has; 0 if the report is no violation. */
unsigned long __atsan_report_steps(__atsan_report *report);
/* The first or the later event of a step, the first step being 0. Returns 0 if
 * there is no such step. The last argument is sizeof(struct __atsan_event). */
int __atsan_report_event(__atsan_report *report, unsigned long step, int later,
                         struct __atsan_event *event, unsigned long event_size);
/* The event's stack, innermost frame first: stores up to `max` addresses within
 * the calls and returns how many there are. Without steps: the stack of the
 * wrong use. */
unsigned long __atsan_report_stack(__atsan_report *report, unsigned long step,
                                   int later, void **pcs, unsigned long max);

/* --- Functions. ----------------------------------------------------------- */

/* The whole function is a region, however it is left. */
#define ATSAN_ATOMIC __attribute__((annotate("atsan_atomic")))
/* Accesses of the function do not count. */
#define ATSAN_NO_SANITIZE __attribute__((annotate("atsan_no_sanitize")))

#undef ATSAN_NOTHROW
#ifdef __cplusplus
} /* extern "C" */
#endif

#else /* !__SANITIZE_ATOMICITY__ */

#define __atomic_begin() ((void)0)
#define __atomic_end() ((void)0)
#define __atsan_region_begin(name) ((void)(name))
#define __atsan_region_end() ((void)0)
#define __atomic_restart() ((void)0)

/* A function, because nobody need use the result. */
#ifdef __GNUC__
__attribute__((unused))
#endif
static int
atsan_one_level(const volatile void *addr) {
  (void)addr;
  return 1;
}

#define __atsan_memory_birth(addr, size) ((void)(addr), (void)(size))
#define __atsan_memory_death(addr, size) ((void)(addr), (void)(size))

#define __atsan_get_current_fiber() ((void *)0)
#define __atsan_create_fiber(flags) ((void)(flags), (void *)0)
#define __atsan_destroy_fiber(fiber) ((void)(fiber))
#define __atsan_switch_to_fiber(fiber, flags) ((void)(fiber), (void)(flags))
#define __atsan_switch_to_fiber_no_sync (1u << 0)
#define __atsan_set_fiber_name(fiber, name) ((void)(fiber), (void)(name))

#define __atsan_mutex_create(addr, flags) ((void)(addr))
#define __atsan_mutex_destroy(addr, flags) ((void)(addr))
#define __atsan_mutex_pre_lock(addr, flags) ((void)(addr))
#define __atsan_mutex_post_lock(addr, flags, recursion)                        \
  ((void)(addr), (void)(recursion))
#define __atsan_mutex_pre_unlock(addr, flags) atsan_one_level(addr)
#define __atsan_mutex_post_unlock(addr, flags) ((void)(addr))
#define __atsan_mutex_pre_signal(addr, flags) ((void)(addr))
#define __atsan_mutex_post_signal(addr, flags) ((void)(addr))
#define __atsan_mutex_pre_divert(addr, flags) ((void)(addr))
#define __atsan_mutex_post_divert(addr, flags) ((void)(addr))

/* A program may define __atsan_on_report in any case; nobody calls it. */
#define __atsan_report_version() 0u
#define __atsan_report_kind(report) ((void)(report), "")
#define __atsan_report_message(report) ((void)(report), "")
#define __atsan_report_fingerprint(report) ((void)(report), "")
#define __atsan_report_suppression(report) ((void)(report), "")
#define __atsan_report_json(report) ((void)(report), "")
#define __atsan_report_steps(report) ((void)(report), 0ul)
#define __atsan_report_event(report, step, later, event, event_size)           \
  ((void)(report), (void)(event), 0)
#define __atsan_report_stack(report, step, later, pcs, max)                    \
  ((void)(report), (void)(pcs), 0ul)

#define ATSAN_ATOMIC
#define ATSAN_NO_SANITIZE

#endif /* __SANITIZE_ATOMICITY__ */

#endif /* ATSAN_INTERFACE_H */
