// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: streams in memory, and streams of the program's own functions, do in
// regions what they do without us. Those functions are checked as all code of
// the program, in the region of whoever uses the stream, and so are the buffers
// that the program reads into.
// RUN: %silent %t
// RUN: for i in cookie read; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck --check-prefix=$i %s || exit 1; done
// cookie: region 'streams'
// cookie: SUMMARY: {{.*}}memory_streams.c:{{.*}} in count
// read: region 'streams'
// read: global 'text'
// read: SUMMARY: {{.*}}memory_streams.c:{{.*}} in use_fixed
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include "atsan_test.h"

#include <pthread.h>

static const char *how;
static int written;
static char text[20];

static void use_growing(void) {
  char *memory = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&memory, &size);
  CHECK(file && fprintf(file, "%d bottles", 99) == 10);
  CHECK(fflush(file) == 0 && size == 10 && !strcmp(memory, "99 bottles"));
  CHECK(fseek(file, 1 << 16, SEEK_SET) == 0 && fputc('x', file) == 'x');
  CHECK(fclose(file) == 0 && size == (1 << 16) + 1 && memory[1 << 16] == 'x');
  free(memory);
}

static void use_fixed(void) {
  char memory[] = "one two";
  char word[10];
  FILE *file = fmemopen(memory, sizeof(memory), "r+");
  CHECK(file && fscanf(file, "%9s", word) == 1 && !strcmp(word, "one"));
  CHECK(fseek(file, 4, SEEK_SET) == 0 && fgets(text, sizeof(text), file));
  CHECK(!strcmp(text, "two"));
  CHECK(fseek(file, 0, SEEK_SET) == 0 && fputs("ten", file) >= 0);
  CHECK(fclose(file) == 0 && !strcmp(memory, "ten two"));
}

static ssize_t count(void *cookie, const char *data, size_t size) {
  CHECK(cookie == &written && size == 5 && !memcmp(data, "cooky", 5));
  written += size;
  return size;
}

static void use_cookie(void) {
  cookie_io_functions_t functions = {NULL, count, NULL, NULL};
  FILE *file = fopencookie(&written, "w", functions);
  CHECK(file && fputs("cooky", file) >= 0 && fclose(file) == 0);
}

static void use_all(void) {
  use_growing();
  use_fixed();
  use_cookie();
}

static void *other(void *arg) {
  (void)arg;
  STEP(2) {
    use_growing();
    if (!strcmp(how, "cookie"))
      written = 0;
    if (!strcmp(how, "read"))
      text[1] = 0;
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t thread;
  how = argc > 1 ? argv[1] : "";
  pthread_create(&thread, NULL, other, NULL);
  __atsan_region_begin("streams");
  STEP(1) use_all();
  STEP(3) use_all();
  __atsan_region_end();
  pthread_join(thread, NULL);
  return 0;
}
