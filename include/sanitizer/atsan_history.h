/*===-- sanitizer/atsan_history.h ----------------------------------*- C -*-===*
 *
 * Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Watches, while a program runs, whether an object with operations to read,
 * write, exchange, compare-and-swap and fetch-and-add behaves as one atomic
 * register: whether each operation can be given one moment between its call and
 * its return that explains its result. A result that no moment explains is
 * reported like a violation of a region, with the stacks of the operation and
 * of one that it contradicts.
 *
 * For C; C++ code may prefer <sanitizer/atsan_history.hpp>, which also works
 * without -fsanitize=atomicity. Without it, these functions are nothing.
 *
 * Every function may be called by any thread, but in no signal handler, and
 *never fails. An object is named by an address that no other live object has.
 *Memory is bounded: some 100 KB for each object. docs/registers.md says what is
 *decided.
 *
 *===----------------------------------------------------------------------===*/
#ifndef ATSAN_HISTORY_H
#define ATSAN_HISTORY_H

enum __atsan_operation {
  __atsan_read,      /* finds a value */
  __atsan_write,     /* leaves `argument` */
  __atsan_exchange,  /* finds a value, leaves `argument` */
  __atsan_cas,       /* leaves `argument` if it finds `expected` */
  __atsan_fetch_add, /* finds a value, adds `argument` */
  __atsan_add,       /* adds `argument`, and tells nothing */
};

#ifdef __SANITIZE_ATOMICITY__

#ifdef __cplusplus
extern "C" {
#endif

/* The object begins to be watched. It holds `initial`; its values have so many
 * bits, 1 to 64. The name is for reports, and is copied; null: none. Nobody
 * may be at work on it. */
void __atsan_history_begin(const void *object, unsigned long long initial,
                           unsigned bits, const char *name)
    __attribute__((nothrow));
/* It is not watched any more. Nobody may be at work on it: an operation that
 * has not returned never will. */
void __atsan_history_end(const void *object) __attribute__((nothrow));

/* Before an operation by the calling thread, and after it. A thread has one
 * operation on an object at a time. `result`: the value that it found (a cas
 * that was refused, too); of a write or an add it is of no account. `changed`:
 * of a cas, whether it took effect. */
void __atsan_call(const void *object, enum __atsan_operation operation,
                  unsigned long long argument, unsigned long long expected)
    __attribute__((nothrow, not_tail_called));
void __atsan_return(const void *object, unsigned long long result, int changed)
    __attribute__((nothrow, not_tail_called));

#ifdef __cplusplus
} /* extern "C" */
#endif

#else /* !__SANITIZE_ATOMICITY__ */

#define __atsan_history_begin(object, initial, bits, name)                     \
  ((void)(object), (void)(initial), (void)(bits), (void)(name))
#define __atsan_history_end(object) ((void)(object))
#define __atsan_call(object, operation, argument, expected)                    \
  ((void)(object), (void)(operation), (void)(argument), (void)(expected))
#define __atsan_return(object, result, changed)                                \
  ((void)(object), (void)(result), (void)(changed))

#endif /* __SANITIZE_ATOMICITY__ */

#endif /* ATSAN_HISTORY_H */
