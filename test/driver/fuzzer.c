// RUN: %atsan_driver_clang -fsanitize=atomicity,fuzzer -g %s -o %t
// RUN: %run %t -runs=10 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -fsanitize=fuzzer -fsanitize=atomicity -c %s -o %t.o
// RUN: %atsan_driver_clangxx -fsanitize=fuzzer,atomicity %t.o -o %t.apart
// RUN: %run %t.apart -runs=10 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -fsanitize=atomicity,fuzzer,undefined %s -o %t.undefined
// RUN: %run %t.undefined -runs=10 2>&1 | FileCheck %s
// CHECK: Done 10 runs
// Intent: libFuzzer works together with atomicity, compiled and linked at once
// or apart, and UBSan too. A violation in the function that is fuzzed ends the
// run, and the input that shows it is kept.
// RUN: rm -rf %t.found && mkdir %t.found
// RUN: env FUZZED_REGION=1 ATSAN_OPTIONS=region_splits=none not %run %t -runs=10 -artifact_prefix=%t.found/ 2>&1 | FileCheck --check-prefix=FOUND %s
// FOUND: AtomicitySanitizer: atomicity violation
// RUN: ls %t.found | FileCheck --check-prefix=KEPT %s
// KEPT: crash-
//
// Switched off, or without atomicity, it is clang's own.
// RUN: env ATSAN_WRAPPER=off %atsan_driver_clang -### -fsanitize=atomicity,fuzzer %s 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: %atsan_driver_clang -### -fsanitize=fuzzer %s 2>&1 | FileCheck --check-prefix=OFF %s
// OFF: libclang_rt.fuzzer-x86_64.a
// OFF-NOT: libclang_rt.atomicity

#include <pthread.h>
#include <sanitizer/atsan_interface.h>
#include <stddef.h>
#include <stdlib.h>

static long total;

static void *add(void *amount) {
  total += (long)amount;
  return NULL;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  __atomic_begin();
  long before = total;
  if (getenv("FUZZED_REGION")) {
    // It comes in between, as the region is not divided here.
    pthread_t other;
    pthread_create(&other, NULL, add, (void *)1);
    pthread_join(other, NULL);
  }
  total = before + (size > 3 && data[0] == 'x');
  __atomic_end();
  return 0;
}
