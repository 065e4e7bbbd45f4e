/*===- effect.c - Whether the value of a read has an effect ----------------===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* For source_fuzz.py, in the program that was built at -O0:
|*
|*   program effects FILE
|*
|* reads lines "function input interval byte byte ..." and runs the function
|* again with other values in these bytes, all together and one by one, from the
|* beginning of the interval to its end. If all shared memory at every visible
|* point, what the function passes there, the visible points themselves and the
|* result stay as they were, nothing that others can see depends on what the
|* interval reads there. It prints "effect", byte and value, or "none".
|*
\*===----------------------------------------------------------------------===*/
#include "recorder.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kMostBytes = 256, kEachAlone = 24 };

static struct {
  uint32_t interval, bytes, byte[kMostBytes];
  /* What the bytes are combined with, and what is put in its place. */
  uint8_t mask[kMostBytes], original[kMostBytes];
  uint64_t trace;
} trial;

/* Written by the child, which may crash at any time. */
static struct {
  uint32_t byte, mask;
} *last;

static uint8_t snapshot[kShared], visible_snapshot[64];

/* As before at the end, where the run is not changed. */
static uint8_t is_as_before[kBytes];

void give_away(uint64_t value) {
  trial.trace = (trial.trace ^ value) * 0x9e3779b97f4a7c15u;
  trial.trace ^= trial.trace >> 29;
}

static void give_memory_away(const char *from, const char *to) {
  for (; from + 8 <= to; from += 8)
    give_away(*(const uint64_t *)from);
  for (; from < to; ++from)
    give_away((uint8_t)*from);
}

static void change(void) {
  for (uint32_t i = 0; i < trial.bytes; ++i) {
    char *at = byte_address(trial.byte[i]);
    if (!at)
      continue;
    trial.original[i] = (uint8_t)*at;
    *at = (char)(trial.original[i] ^ trial.mask[i]);
  }
}

/* A byte that is stored as it was read, "x = x", or not at all, is the same
   with and without this read and this write: an optimizer may leave both out.
 */
static int is_stored_as_read(uint32_t i) {
  uint32_t byte = trial.byte[i];
  uint8_t now = (uint8_t)*byte_address(byte);
  if (!trial.mask[i])
    is_as_before[byte] = now == trial.original[i];
  return is_as_before[byte] && now == (trial.original[i] ^ trial.mask[i]);
}

/* At the end, what was on the stack is gone, and others' frames lie there. */
static int is_gone(const char *at, uint32_t end) {
  char *frame = __builtin_frame_address(0);
  return end == 9 && at > frame - (1 << 20) && at < frame + (1 << 20);
}

void end_interval_of_trial(uint32_t interval, uint32_t end) {
  if (interval == trial.interval) {
    for (uint32_t i = 0; i < trial.bytes; ++i) {
      char *at = byte_address(trial.byte[i]);
      if (!at || is_gone(at, end))
        continue;
      int is_as_read = is_stored_as_read(i);
      if (!is_written(trial.byte[i]) || is_as_read)
        *at = (char)trial.original[i];
    }
  }
  give_away(end);
  give_memory_away(__start_shared_memory, __stop_shared_memory);
  give_memory_away(__start_visible_memory, __stop_visible_memory);
  for (uint32_t i = kShared; i < kBytes; ++i) {
    char *at = byte_address(i);
    if (at && !is_gone(at, end))
      give_away((uint8_t)*at);
  }
  if (interval + 1 == trial.interval)
    change();
}

static uint64_t try_once(const struct entry *entry,
                         struct arguments arguments) {
  /* Other values may make it endless, which is an effect. */
  struct itimerval limit = {{0, 0}, {1, 0}};
  setitimer(ITIMER_VIRTUAL, &limit, 0);
  memcpy(__start_shared_memory, snapshot,
         (size_t)(__stop_shared_memory - __start_shared_memory));
  memcpy(__start_visible_memory, visible_snapshot,
         (size_t)(__stop_visible_memory - __start_visible_memory));
  trial.trace = 1;
  if (trial.interval == 0)
    change();
  give_away((uint64_t)run_trial(entry, arguments));
  return trial.trace;
}

/* Those that change one bit, all, or make small numbers and letters of what is
   usual in the inputs. */
static const uint8_t masks[] = {0xff, 0x01, 0x80, 0x02, 0x03, 0x04, 0x05, 0x07,
                                0x08, 0x0f, 0x10, 0x20, 0x40, 0x60, 0x61, 0x62,
                                0x63, 0x64, 0x7a, 0x7f, 0xc8, 0xb5, 0xde, 0x37};

/* Other values for the bytes, and for pointers other objects: a read through a
   pointer that has no effect has none either where the pointer is another. */
static void choose_masks(uint32_t mask, uint32_t variant) {
  for (uint32_t i = 0; i < trial.bytes; ++i) {
    char *at = byte_address(trial.byte[i]);
    char *pointer = trial.byte[i] < kShared ? pointer_around(at) : 0;
    trial.mask[i] = (uint8_t)(mask < 256 ? mask : any(256));
    if (!pointer)
      continue;
    uint64_t was, other = (uint64_t)(uintptr_t)(variant & 1 ? garr : gbrr);
    memcpy(&was, snapshot + (pointer - __start_shared_memory), sizeof was);
    if (pointer != (char *)&gptr)
      other = (uint64_t)(uintptr_t)&gnodes[variant % 4];
    trial.mask[i] = (uint8_t)((was ^ other) >> 8 * (at - pointer));
  }
}

static int differs_with(const struct entry *entry, struct arguments arguments,
                        uint64_t expected, uint32_t mask) {
  last->byte = trial.byte[0];
  last->mask = mask;
  return try_once(entry, arguments) != expected;
}

static int has_effect(const struct entry *entry, struct arguments arguments) {
  memset(trial.mask, 0, sizeof trial.mask);
  uint64_t expected = try_once(entry, arguments);
  if (differs_with(entry, arguments, expected, 0))
    return 1;
  /* What the bytes are, to make them zero. */
  uint8_t zero[kMostBytes];
  memcpy(zero, trial.original, sizeof zero);
  enum { kRandom = 8, kTrials = sizeof masks + kRandom };
  for (uint32_t i = 0; i < kTrials; ++i) {
    choose_masks(i < sizeof masks ? masks[i] : 256, i);
    if (differs_with(entry, arguments, expected,
                     i < sizeof masks ? masks[i] : 256))
      return 1;
  }
  uint32_t bytes = trial.bytes, all[kMostBytes];
  memcpy(all, trial.byte, sizeof all);
  int is_plain = 1;
  for (uint32_t j = 0; j < bytes; ++j)
    is_plain &= all[j] >= kShared || !pointer_around(byte_address(all[j]));
  memcpy(trial.mask, zero, sizeof zero);
  if (is_plain && differs_with(entry, arguments, expected, 257))
    return 1;
  for (uint32_t j = 0; bytes > 1 && j < bytes; j += 1 + bytes / kEachAlone) {
    trial.bytes = 1;
    trial.byte[0] = all[j];
    if (all[j] < kShared && pointer_around(byte_address(all[j]))) {
      char *pointer = pointer_around(byte_address(all[j]));
      for (; trial.bytes <= sizeof pointer; ++trial.bytes)
        trial.byte[trial.bytes - 1] =
            (uint32_t)(pointer - __start_shared_memory) + trial.bytes - 1;
      trial.bytes = sizeof pointer;
    }
    for (uint32_t i = 0; i < sizeof masks; ++i) {
      choose_masks(masks[i], i);
      if (differs_with(entry, arguments, expected, masks[i]))
        return 1;
    }
  }
  return 0;
}

/* In a child: other values may make it crash. */
static int has_effect_in_child(const struct entry *entry,
                               struct arguments arguments) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    _exit(has_effect(entry, arguments));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status != 0;
}

static int parse(char *line, const struct entry **entry, uint32_t *input) {
  char *word = strtok(line, " \n");
  for (*entry = functions; (*entry)->name; ++*entry) {
    if (word && !strcmp((*entry)->name, word))
      break;
  }
  if (!(*entry)->name)
    return 0;
  *input = (uint32_t)atoi(strtok(0, " \n"));
  trial.interval = (uint32_t)atoi(strtok(0, " \n"));
  for (trial.bytes = 0; trial.bytes < kMostBytes; ++trial.bytes) {
    if (!(word = strtok(0, " \n")))
      break;
    trial.byte[trial.bytes] = (uint32_t)atoi(word);
  }
  return trial.bytes != 0;
}

int find_effects(const char *file) {
  static char line[64 * kMostBytes];
  FILE *lines = fopen(file, "r");
  if (!lines)
    return 4;
  last = mmap(0, sizeof *last, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  while (fgets(line, sizeof line, lines)) {
    const struct entry *entry;
    uint32_t input;
    if (!parse(line, &entry, &input))
      return 5;
    struct arguments arguments;
    start_inputs(entry->name);
    for (uint32_t i = 0; i <= input; ++i)
      arguments = next_input();
    memcpy(snapshot, __start_shared_memory,
           (size_t)(__stop_shared_memory - __start_shared_memory));
    memcpy(visible_snapshot, __start_visible_memory,
           (size_t)(__stop_visible_memory - __start_visible_memory));
    if (!has_effect_in_child(entry, arguments)) {
      puts("none");
      continue;
    }
    char text[64];
    name_byte(last->byte, text);
    printf("effect %s mask 0x%x\n", text, last->mask);
  }
  fclose(lines);
  return 0;
}
