//===- resident.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much memory the process has, for tests of what the runtime takes.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_TEST_RESIDENT_H
#define ATSAN_TEST_RESIDENT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The KiB of a line of /proc/self/smaps_rollup, such as "Rss:".
static inline long resident_kib(const char *what) {
  char line[256];
  long kib = -1;
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  if (!file)
    abort();
  while (kib < 0 && fgets(line, sizeof(line), file))
    if (!strncmp(line, what, strlen(what)))
      kib = atol(line + strlen(what));
  fclose(file);
  if (kib < 0)
    abort();
  return kib;
}

#endif // ATSAN_TEST_RESIDENT_H
