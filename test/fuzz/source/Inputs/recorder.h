/*===- recorder.h - What the parts of the recorder share -------------------===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#ifndef SOURCE_FUZZ_RECORDER_H
#define SOURCE_FUZZ_RECORDER_H
#include "shared.h"
#include <stdint.h>
#include <string.h>

/* Bytes are numbered: those of the shared memory, then those of each object
   that share() was called with. */
enum { kShared = 8192, kLocals = 8, kLocalSize = 64, kInputs = 8 };
enum { kBytes = kShared + kLocals * kLocalSize };

extern char __start_shared_memory[], __stop_shared_memory[];
extern char __start_visible_memory[], __stop_visible_memory[];

/* What is recorded of a byte in an interval. */
enum {
  kHookRead = 1,
  kHookWrite = 2,
  /* Before the machine code wrote the byte in this interval, and after. */
  kReadFirst = 4,
  kReadLater = 8,
  kWrite = 16,
  kRead = kReadFirst | kReadLater,
  /* Not only as the rest of an aligned word, the first byte of which is all
     that was asked for: x86 code loads such words to extend that byte. */
  kReadWanted = 32,
  /* Together with the next byte, by one access: of the source, or of a hook. */
  kReadNext = 64,
  kWriteNext = 128,
};

/* recorder.c */
/* A hook of the pass was called; what is kHookRead or kHookWrite. */
void hook(const void *at, uint64_t size, unsigned what);
/* A function of libc accesses memory: as the hook, and as the machine code. */
void both(const void *at, uint64_t size, int is_write);
struct arguments {
  struct node *first, *second;
  int *numbers;
  char *text;
  int n, c;
};
/* Fills the memory as for the next run, and says what it is called with. */
struct arguments next_input(void);
/* Calls end_interval_of_trial at the end of each interval, the last too. */
long run_trial(const struct entry *entry, struct arguments arguments);
/* Whether the byte was written in the interval that is about to end. */
int is_written(uint32_t byte);
/* The first byte of the shared pointer that this byte is part of, or null. */
char *pointer_around(char *at);
/* Null where nothing of this number is shared yet. */
char *byte_address(uint32_t byte);

/* inputs.c */
void start_inputs(const char *name);
uint32_t any(uint32_t limit);
void fill(void);
void name_byte(uint32_t byte, char *text);

/* effect.c */
void end_interval_of_trial(uint32_t interval, uint32_t end);
/* A value that the program under test gives away. */
void give_away(uint64_t value);
int find_effects(const char *file);
#endif
