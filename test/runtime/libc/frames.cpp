// RUN: %clangxx_atsan -O1 -fno-builtin -I%inputs %s -o %t
// Intent: an access that libc makes for the program is reported with its kind
// and size, in a frame with the name of the function that the program called;
// the summary names the program's code. Where the other thread touches the byte
// behind, nothing is reported.
//
// RUN: for i in strlen,read,8 strcpy,write,8 strncmp,read,8 strdup,read,8 \
// RUN:   wcslen,read,16 memchr,read,8 snprintf,write,8 sscanf,write,8 \
// RUN:   fgets,write,8 fwrite,read,8 read,write,8 write,read,8 \
// RUN:   gettimeofday,write,16 localtime_r,write,56 inet_pton,write,4 \
// RUN:   qsort,read,8 stat,write,144; do \
// RUN:   IFS=, read -r f kind size <<< $i; \
// RUN:   %silent %t $f good || exit 1; \
// RUN:   %exits 66 %t $f > %t.log 2>&1 || exit 1; \
// RUN:   FileCheck -DF=$f -DKIND=$kind -DSIZE=$size %s < %t.log || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <arpa/inet.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <wchar.h>

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: Later: [[KIND]] of [[SIZE]] bytes
// CHECK-NOT: #{{[0-9]}}
// CHECK: #0 {{(__isoc[0-9]+_)?}}[[F]]{{ }}
// CHECK-NEXT: #1 {{.*}}frames.cpp:
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}frames.cpp:

// The first bytes are accessed, as many as the list above says.
alignas(16) static char area[256];
alignas(16) static char other[256];
static int fds[2];

static int compare(const void *, const void *) { return 0; }

// The region has an access of the byte on both sides of the other thread's.
template <class Call> static void run(size_t size, bool good, Call call) {
  char *byte = area + (good ? size : size - 1);
  in_parallel(
      [=] {
        atsan::atomic_region region("user");
        STEP(1) {
          char value = *byte;
          __asm__ volatile("" : "+r"(value)); // Else there is no write.
          *byte = value;
        }
        STEP(3) call();
      },
      [=] {
        STEP(2) {
          char value = *byte;
          __asm__ volatile("" : "+r"(value));
          *byte = value;
        }
      });
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  FILE *file = tmpfile();
  if (!file || pipe(fds))
    return 2;
  memcpy(other, "1234567", 8);
  if (is("strlen") || is("strncmp") || is("strdup") || is("fwrite"))
    memcpy(area, other, 8);
  if (is("strlen"))
    run(8, good, [] { USE(strlen(area)); });
  if (is("strcpy"))
    run(8, good, [] { strcpy(area, other); });
  if (is("strncmp"))
    run(8, good, [] { USE(strncmp(area, other, 20)); });
  if (is("strdup"))
    run(8, good, [] { free(strdup(area)); });
  if (is("wcslen")) {
    area[0] = area[4] = area[8] = 1;
    run(16, good, [] { USE(wcslen(reinterpret_cast<wchar_t *>(area))); });
  }
  if (is("memchr"))
    run(8, good, [] { USE(memchr(area, 1, 8)); });
  if (is("snprintf"))
    run(8, good, [] { snprintf(area, 100, "%d", 1234567); });
  if (is("sscanf"))
    run(8, good, [] { sscanf("1234567 8", "%s", area); });
  if (is("fgets")) {
    fputs("1234567\n", file);
    rewind(file);
    run(8, good, [=] { USE(fgets(area, 8, file)); });
  }
  if (is("fwrite"))
    run(8, good, [=] { fwrite(area, 4, 2, file); });
  if (is("read")) {
    if (write(fds[1], other, 8) != 8)
      return 2;
    run(8, good, [] { USE(read(fds[0], area, 100)); });
  }
  if (is("write"))
    run(8, good, [] { USE(write(fds[1], area, 8)); });
  if (is("gettimeofday"))
    run(16, good,
        [] { gettimeofday(reinterpret_cast<timeval *>(area), nullptr); });
  if (is("localtime_r"))
    run(56, good, [] {
      time_t now = 0;
      localtime_r(&now, reinterpret_cast<tm *>(area));
    });
  if (is("inet_pton"))
    run(4, good, [] { inet_pton(AF_INET, "127.0.0.1", area); });
  if (is("qsort"))
    run(8, good, [] { qsort(area, 2, 4, compare); });
  if (is("stat"))
    run(144, good, [] { stat("/", reinterpret_cast<struct stat *>(area)); });
}
