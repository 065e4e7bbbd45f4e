//===-- atsan_interceptors_algorithm.cpp ----------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorting and searching: libc works on the data of the program here.
// What the program's own functions do that are called back is seen there, also
// the reads of elements that they compare.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_interceptors.h"

using namespace __atsan;

typedef int (*Compare)(const void *, const void *);
typedef int (*CompareWith)(const void *, const void *, void *);

// --- Arrays. -----------------------------------------------------------------

ATSAN_INTERCEPTOR(void, qsort, void *base, uptr number, uptr size,
                  Compare compare) {
  ATSAN_ENTER(qsort, base, number, size, compare);
  recorder.Read(base, number * size);
  REAL(qsort)(base, number, size, compare);
  recorder.Write(base, number * size);
}

ATSAN_INTERCEPTOR(void, qsort_r, void *base, uptr number, uptr size,
                  CompareWith compare, void *argument) {
  ATSAN_ENTER(qsort_r, base, number, size, compare, argument);
  recorder.Read(base, number * size);
  REAL(qsort_r)(base, number, size, compare, argument);
  recorder.Write(base, number * size);
}

// Appends the key if it is not there.
ATSAN_INTERCEPTOR(void *, lsearch, const void *key, void *base, uptr *number,
                  uptr size, Compare compare) {
  ATSAN_ENTER(lsearch, key, base, number, size, compare);
  recorder.ReadObject(number);
  uptr old_number = *number;
  void *res = REAL(lsearch)(key, base, number, size, compare);
  if (*number != old_number) {
    recorder.Read(key, size);
    recorder.Write(res, size);
    recorder.WriteObject(number);
  }
  return res;
}

// --- Trees: their nodes are libc's; the root stands for all of them. ---------

// A node begins with its key.
ATSAN_AROUND(void *, tsearch, (const void *key, void **root, Compare compare),
             (key, root, compare), recorder.ReadObject(root),
             if (res && *static_cast<const void **>(res) == key)
                 recorder.WriteObject(root))

ATSAN_BEFORE(void *, tfind,
             (const void *key, void *const *root, Compare compare),
             (key, root, compare), recorder.ReadObject(root))

ATSAN_AROUND(void *, tdelete, (const void *key, void **root, Compare compare),
             (key, root, compare), recorder.ReadObject(root),
             if (res) recorder.WriteObject(root))
