/*===- recorder.c - Who accesses the shared memory, by interval ------------===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* In place of the runtime, for source_fuzz.py. For each byte of the shared
|* memory and each interval between two visible points, it records what the
|* pass's hooks tell and what the machine code does (machine_code.py has put a
|* call in front of each instruction that accesses memory). As
|*
|*   program write FILE   it writes what AddressSanitizer's pass tells at -O0 to
|*                        a file: the accesses of the source.
|*   program compare FILE it compares its own sets with these, and prints what
|*                        differs. With "hide=gb", no hook tells reads of gb.
|*   program effects FILE see effect.c.
|*
|* Missing reads are listed with all their bytes, to be looked at by effect.c.
|*
\*===----------------------------------------------------------------------===*/
#include "recorder.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static uint8_t seen[kBytes], source[kBytes];
static uint16_t touched[kBytes];
static uint32_t touches;
static struct {
  char *start;
  size_t size;
} locals[kLocals];

/* Read by the calls in machine_code.py's code. */
uint64_t witness_low, witness_size;
uint32_t witness_always;
uint64_t witness_mask, witness_lanes[8], witness_indices[8];
uint32_t witness_element, witness_count, witness_index_size, witness_scale;

uint32_t __atsan_gate = 1, __atsan_enabled = 1;

static int is_running, is_comparing, is_trial, is_weak_visible;
static uint8_t hidden[kShared];
static uint32_t *words, word, words_end;
static uint64_t runs, intervals, dropped_reads, dropped_writes, differences;
static const char *name;
static uint32_t input, interval;

/* Printed when the run is over: here, the program's vector registers are live.
 */
enum { kPending = 64 };
static struct difference {
  const char *kind;
  uint32_t interval, byte;
  uint8_t seen, source;
} pending[kPending];
static uint32_t pendings;

/* The first byte of a row is enough. */
static void differs(const char *kind, uint32_t byte) {
  ++differences;
  for (uint32_t i = 0; i < pendings; ++i) {
    if (pending[i].kind == kind)
      return;
  }
  if (pendings < kPending)
    pending[pendings++] =
        (struct difference){kind, interval, byte, seen[byte], source[byte]};
}

/* All bytes of missing reads, in order of their intervals. */
enum { kMissing = 65536 };
static struct {
  uint32_t interval, byte;
} missing[kMissing];
static uint32_t missings;

static void read_is_missing(uint32_t byte) {
  if (missings == kMissing) {
    differs("missing-read", byte);
    return;
  }
  missing[missings].interval = interval;
  missing[missings++].byte = byte;
}

static void print_missing_reads(void) {
  for (uint32_t i = 0; i < missings; ++i) {
    char text[64];
    if (i == 0 || missing[i].interval != missing[i - 1].interval) {
      name_byte(missing[i].byte, text);
      printf("%s%s unread %s %u %u", i ? "\n" : "", name, text, input,
             missing[i].interval);
    }
    printf(" %u", missing[i].byte);
  }
  if (missings)
    printf("\n");
  missings = 0;
}

static void print_differences(void) {
  print_missing_reads();
  for (uint32_t i = 0; i < pendings; ++i) {
    struct difference d = pending[i];
    char text[64];
    name_byte(d.byte, text);
    printf("%s %s input %u interval %u %s hooks %s%s machine %s%s source "
           "%s%s\n",
           name, d.kind, input, d.interval, text,
           d.seen & kHookRead ? "r" : "-", d.seen & kHookWrite ? "w" : "-",
           d.seen & kRead ? "r" : "-", d.seen & kWrite ? "w" : "-",
           d.source & kRead ? "r" : "-", d.source & kWrite ? "w" : "-");
  }
  pendings = 0;
}

/* Of a function that does not come to an end, or not to a good one. */
static void stop(int signal) {
  const char *text[] = {"stopped by signal in ", name, "\n"};
  for (int i = 0; i < 3; ++i)
    (void)!write(2, text[i], strlen(text[i]));
  _exit(99);
}

static void limit_time(void) {
  struct itimerval limit = {{0, 0}, {0, 500000}};
  setitimer(ITIMER_VIRTUAL, &limit, 0);
}

static void put(uint32_t value) {
  if (word == words_end)
    stop(0);
  words[word++] = value;
}

static void compare(uint32_t byte) {
  uint8_t is = seen[byte], was = source[byte];
  int hook_reads = is & kHookRead, hook_writes = is & kHookWrite;
  if (hook_reads && !(was & kRead))
    differs("added-read", byte);
  if (hook_writes && !(was & kWrite))
    differs("added-write", byte);
  uint8_t next = byte + 1 < kBytes ? source[byte + 1] : 0;
  if ((is & kReadNext) && !(was & kReadNext) && (was & next & kRead))
    differs("joined-reads", byte);
  if ((is & kWriteNext) && !(was & kWriteNext) && (was & next & kWrite))
    differs("joined-writes", byte);
  int is_rest = !(is & kReadWanted) && (seen[byte & ~3u] & kHookRead);
  if (is_rest)
    ;
  else if ((is & kReadFirst) && (was & kRead) && !hook_reads)
    read_is_missing(byte);
  else if ((is & kReadLater) && (was & kRead) && !hook_reads && !hook_writes)
    differs("missing-read-later", byte);
  if ((is & kWrite) && !hook_writes)
    differs("missing-write", byte);
  dropped_reads += (was & kRead) && !hook_reads;
  dropped_writes += (was & kWrite) && !hook_writes;
}

/* Entries of an interval are offset * 256 + set; 0xffffff00 + end ends it. */
static void end_interval(uint32_t end) {
  ++intervals;
  if (is_trial) {
    end_interval_of_trial(interval, end);
  } else if (!is_comparing) {
    for (uint32_t i = 0; i < touches; ++i)
      put(touched[i] << 8 | seen[touched[i]]);
    put(0xffffff00 | end);
  } else if (word < words_end) {
    uint32_t from = word;
    for (; words[word] < 0xffffff00; ++word)
      source[words[word] >> 8] = words[word] & 0xff;
    if (words[word] != (0xffffff00 | end)) {
      differs("other-visible-points", 0);
      /* The rest of the run cannot be compared. */
      for (uint32_t i = from; i < word; ++i)
        source[words[i] >> 8] = 0;
      word = words_end;
    } else {
      for (uint32_t i = 0; i < touches; ++i)
        compare(touched[i]);
      for (uint32_t i = from; i < word; ++i) {
        if (!seen[words[i] >> 8])
          compare(words[i] >> 8);
      }
      for (uint32_t i = from; i < word; ++i)
        source[words[i] >> 8] = 0;
      ++word;
    }
  }
  for (uint32_t i = 0; i < touches; ++i)
    seen[touched[i]] = 0;
  touches = 0;
  ++interval;
}

static void visible(uint32_t which) {
  if (is_running)
    end_interval(which);
}

static void record_byte(uint32_t byte, unsigned what) {
  if (!seen[byte])
    touched[touches++] = (uint16_t)byte;
  if (what & kRead)
    what = (seen[byte] & kWrite ? kReadLater : kReadFirst) |
           (what & (kReadWanted | kReadNext));
  seen[byte] |= (uint8_t)what;
}

static void record(const void *start, uint64_t size, unsigned what) {
  if (!is_running)
    return;
  const char *at = start;
  int is_word = size == 4 && (uintptr_t)at % 4 == 0;
  int is_read = (what & (is_comparing ? kHookRead : kRead)) != 0;
  int is_write = (what & (is_comparing ? kHookWrite : kWrite)) != 0;
  what |= (is_read ? kReadNext : 0) | (is_write ? kWriteNext : 0);
  for (uint64_t i = 0; i < size; ++i, ++at) {
    if (i + 1 == size)
      what &= ~(unsigned)(kReadNext | kWriteNext);
    if ((what & kRead) && (i == 0 || !is_word))
      what |= kReadWanted;
    else
      what &= ~(unsigned)kReadWanted;
    if ((uint64_t)(at - __start_shared_memory) < witness_size) {
      record_byte((uint32_t)(at - __start_shared_memory), what);
      continue;
    }
    for (uint32_t j = 0; j < witness_always; ++j) {
      if ((uint64_t)(at - locals[j].start) < locals[j].size)
        record_byte(kShared + j * kLocalSize + (at - locals[j].start), what);
    }
  }
}

void both(const void *at, uint64_t size, int is_write) {
  record(at, size, is_write ? kHookWrite : kHookRead);
  record(at, size, is_write ? kWrite : kRead);
}

/* --- The machine code ---------------------------------------------------- */

/* what: 1 for a read, 2 for a write, 3 for both. */
void witness_access(const char *at, uint64_t size, uint32_t what) {
  if (at >= __start_visible_memory && at < __stop_visible_memory) {
    if (is_weak_visible ||
        (at >= (char *)gatomic && at < (char *)(gatomic + 4)))
      visible(1);
    return;
  }
  if (what & 1)
    record(at, size, kRead);
  if (what & 2)
    record(at, size, kWrite);
}

/* Lane i is accessed if bit i of the mask is set. */
void witness_masked(const char *at, uint64_t size, uint32_t what) {
  for (uint32_t i = 0; i < witness_count; ++i) {
    if (witness_mask >> i & 1)
      witness_access(at + i * witness_element, witness_element, what);
  }
}

void witness_indexed(const char *base, uint64_t size, uint32_t what) {
  for (uint32_t i = 0; i < witness_count; ++i) {
    int64_t index = witness_index_size == 4 ? ((int32_t *)witness_indices)[i]
                                            : ((int64_t *)witness_indices)[i];
    if (witness_mask >> i & 1)
      witness_access(base + index * witness_scale, witness_element, what);
  }
}

/* The mask is the highest bit of each lane of a vector register. */
void witness_lanes_to_mask(const char *at, uint64_t size, uint32_t what) {
  witness_mask = 0;
  for (uint32_t i = 0; i < witness_count; ++i) {
    int64_t lane = witness_element == 4 ? ((int32_t *)witness_lanes)[i]
                                        : ((int64_t *)witness_lanes)[i];
    witness_mask |= (uint64_t)(lane < 0) << i;
  }
}

/* As many lanes as the mask has. */
void witness_mask_to_first(const char *at, uint64_t size, uint32_t what) {
  uint64_t packed = 0;
  for (uint32_t i = 0; i < witness_count; ++i)
    if (witness_mask >> i & 1)
      packed = packed << 1 | 1;
  witness_mask = packed;
}

/* The address is in rdi; all registers and flags but rdi are kept. */
#define SAVE                                                                   \
  "push rcx\n push rdx\n push rsi\n push r8\n push r9\n push r10\n push r11\n" \
  "push rbp\n mov rbp, rsp\n and rsp, -16\n cld\n"
#define RESTORE                                                                \
  "mov rsp, rbp\n pop rbp\n pop r11\n pop r10\n pop r9\n pop r8\n pop rsi\n "  \
  "pop rdx\n pop rcx\n"

#define WITNESS(name, size, what, target)                                      \
  __asm__(".intel_syntax noprefix\n.text\n.globl " name "\n" name ":\n"        \
          "pushfq\n push rax\n"                                                \
          "mov rax, rdi\n sub rax, qword ptr [rip + witness_low]\n"            \
          "cmp rax, qword ptr [rip + witness_size]\n jb 1f\n"                  \
          "lea rax, [rip + __start_visible_memory]\n neg rax\n"                \
          "add rax, rdi\n cmp rax, 64\n jb 1f\n"                               \
          "cmp dword ptr [rip + witness_always], 0\n je 2f\n"                  \
          "1:\n" SAVE "mov esi, " size "\n mov edx, " what "\n"                \
          "call " target "\n" RESTORE "2:\n pop rax\n popfq\n ret\n"           \
          ".att_syntax\n");
#define WITNESS_SIZE(size)                                                     \
  WITNESS("witness_read" size, size, "1", "witness_access")                    \
  WITNESS("witness_write" size, size, "2", "witness_access")                   \
  WITNESS("witness_update" size, size, "3", "witness_access")
WITNESS_SIZE("1")
WITNESS_SIZE("2")
WITNESS_SIZE("4")
WITNESS_SIZE("8")
WITNESS_SIZE("10")
WITNESS_SIZE("16")
WITNESS_SIZE("32")
WITNESS_SIZE("64")

#define WITNESS_ALWAYS(name, what, target)                                     \
  __asm__(".intel_syntax noprefix\n.text\n.globl " name "\n" name ":\n"        \
          "pushfq\n push rax\n" SAVE "mov edx, " what "\n"                     \
          "call " target "\n" RESTORE "pop rax\n popfq\n ret\n"                \
          ".att_syntax\n");
WITNESS_ALWAYS("witness_masked_read", "1", "witness_masked")
WITNESS_ALWAYS("witness_masked_write", "2", "witness_masked")
WITNESS_ALWAYS("witness_gather", "1", "witness_indexed")
WITNESS_ALWAYS("witness_scatter", "2", "witness_indexed")
WITNESS_ALWAYS("witness_use_lanes", "0", "witness_lanes_to_mask")
WITNESS_ALWAYS("witness_pack_lanes", "0", "witness_mask_to_first")
WITNESS_ALWAYS("witness_fence", "0", "witness_fenced")
void witness_fenced(void) { visible(2); }

/* --- The source: AddressSanitizer's calls in front of each access --------- */

#define SOURCE(size)                                                           \
  void __asan_load##size(void *at) { witness_access(at, size, 1); }            \
  void __asan_store##size(void *at) { witness_access(at, size, 2); }
SOURCE(1)
SOURCE(2)
SOURCE(4)
SOURCE(8)
SOURCE(16)
void __asan_loadN(void *at, uint64_t size) { witness_access(at, size, 1); }
void __asan_storeN(void *at, uint64_t size) { witness_access(at, size, 2); }
void __asan_init(void) {}
void __asan_version_mismatch_check_v8(void) {}
void __asan_handle_no_return(void) {}

/* --- The hooks ----------------------------------------------------------- */

void hook(const void *at, uint64_t size, unsigned what) {
  uint64_t byte = (uint64_t)((const char *)at - __start_shared_memory);
  if (what == kHookRead && byte < kShared && hidden[byte])
    return;
  record(at, size, what);
}

static void hide(const char *variable) {
  size_t length = strlen(variable);
  for (uint32_t i = 0; i < kShared; ++i) {
    char text[64];
    name_byte(i, text);
    hidden[i] = !strncmp(text, variable, length) && text[length] == '+';
  }
}

uint32_t __atsan_in_region(void) { return input & 1; }

/* --- The programs -------------------------------------------------------- */

void step(void) { visible(3); }
int opaque(int value) {
  give_away((uint64_t)value);
  visible(4);
  return value + 1;
}
int opaque_wide(struct wide wide) {
  give_away((uint64_t)wide.a);
  give_away((uint64_t)wide.c);
  return opaque(wide.b);
}
int opaque_big(struct big big, int i) {
  for (int j = 0; j < 8; ++j)
    give_away((uint64_t)big.v[j]);
  return opaque(big.v[i & 7]);
}
struct big make_big(int value) {
  give_away((uint64_t)value);
  visible(6);
  return (struct big){{value, value + 1}};
}
void share(void *object, size_t size) {
  if (!is_running || witness_always == kLocals)
    return;
  locals[witness_always].start = object;
  locals[witness_always].size = size < kLocalSize ? size : kLocalSize;
  ++witness_always;
  visible(5);
}

char *pointer_around(char *at) {
  size_t next = offsetof(struct node, next);
  size_t offset = (size_t)(at - (char *)&gnode) % sizeof gnode;
  if (at >= (char *)&gptr && at < (char *)(&gptr + 1))
    return (char *)&gptr;
  if ((at < (char *)&gnode || at >= (char *)(&gnode + 1)) &&
      (at < (char *)gnodes || at >= (char *)(gnodes + 4)))
    return 0;
  if (at >= (char *)gnodes && at < (char *)(gnodes + 4))
    offset = (size_t)(at - (char *)gnodes) % sizeof gnode;
  return offset >= next && offset < next + sizeof gptr ? at - offset + next : 0;
}

int is_written(uint32_t byte) { return seen[byte] & kWrite; }

char *byte_address(uint32_t byte) {
  uint32_t local = (byte - kShared) / kLocalSize;
  uint32_t offset = (byte - kShared) % kLocalSize;
  if (byte < kShared)
    return __start_shared_memory + byte;
  if (local >= witness_always || offset >= locals[local].size)
    return 0;
  return locals[local].start + offset;
}

struct arguments next_input(void) {
  static const uint8_t sizes[] = {0, 1, 2, 3, 5, 8, 16, 17, 31, 63};
  struct arguments result;
  fill();
  uint32_t first = any(4), second = any(4);
  result.first = &gnodes[first], result.second = &gnodes[second];
  result.numbers = any(2) ? garr : gbrr;
  result.text = any(2) ? gtext : gtwin;
  result.n = sizes[any(10)], result.c = (int)any(3);
  return result;
}

static long call(const struct entry *entry, struct arguments x) {
  interval = 0;
  witness_always = 0;
  is_running = 1;
  long result = entry->call(x.first, x.second, x.numbers, x.text, x.n, x.c);
  end_interval(9);
  is_running = 0;
  return result;
}

long run_trial(const struct entry *entry, struct arguments arguments) {
  is_trial = 1;
  return call(entry, arguments);
}

static void run(const struct entry *entry) {
  name = entry->name;
  limit_time();
  start_inputs(name);
  for (input = 0; input < kInputs; ++input) {
    uint32_t start = word;
    word += 1;
    struct arguments arguments = next_input();
    uint32_t end = is_comparing ? words[start] : 0, all = words_end;
    if (is_comparing)
      words_end = end;
    uint32_t sum = (uint32_t)call(entry, arguments);
    for (char *at = __start_shared_memory; at < __stop_shared_memory; ++at) {
      /* Addresses differ from program to program. */
      if (pointer_around(at))
        at += sizeof gptr - 1;
      else
        sum = sum * 31 + (uint8_t)*at;
    }
    ++runs;
    if (!is_comparing) {
      put(sum);
      words[start] = word;
    } else {
      if (word < words_end && words[word] != sum)
        differs("other-result", 0);
      word = end;
      words_end = all;
      print_differences();
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  enum { kMost = 1 << 26 };
  setvbuf(stdout, malloc(1 << 16), _IOFBF, 1 << 16);
  if (__stop_visible_memory - __start_visible_memory > 64 ||
      __stop_shared_memory - __start_shared_memory > kShared)
    return 3;
  witness_low = (uint64_t)(uintptr_t)__start_shared_memory;
  witness_size = (uint64_t)(__stop_shared_memory - __start_shared_memory);
  for (int i = 3; i < argc; ++i) {
    if (!strcmp(argv[i], "weak"))
      is_weak_visible = 1;
    else if (!strncmp(argv[i], "hide=", 5))
      hide(argv[i] + 5);
  }
  if (argv[1][0] == 'e')
    return find_effects(argv[2]);
  signal(SIGVTALRM, stop);
  signal(SIGSEGV, stop);
  signal(SIGBUS, stop);
  signal(SIGFPE, stop);
  signal(SIGILL, stop);
  signal(SIGABRT, stop);
  is_comparing = argv[1][0] == 'c';
  words = malloc(sizeof(*words) * (size_t)kMost);
  words_end = kMost;
  FILE *file = fopen(argv[2], is_comparing ? "rb" : "wb");
  if (!file)
    return 4;
  if (is_comparing)
    words_end = (uint32_t)fread(words, sizeof *words, kMost, file);
  for (const struct entry *entry = functions; entry->name; ++entry)
    run(entry);
  if (!is_comparing)
    fwrite(words, sizeof *words, word, file);
  fclose(file);
  printf("counts %lu %lu %lu %lu %lu\n", runs, intervals, differences,
         dropped_reads, dropped_writes);
  return 0;
}
