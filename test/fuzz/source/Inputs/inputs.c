/*===- inputs.c - What is in the shared memory before a run ----------------===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* Random values which depend on the name of the function and the number of the
|* run, so that a function alone gets the same as among others.
|*
\*===----------------------------------------------------------------------===*/
#include "recorder.h"
#include <stdio.h>

#define SHARED_DEFINE(Type, Name, Extent)                                      \
  __attribute__((section("shared_memory"))) Type Name Extent = {};
SHARED_MEMORY(SHARED_DEFINE)
__attribute__((section("visible_memory"))) volatile int gvolatile[4] = {1};
__attribute__((section("visible_memory"))) int gatomic[4] = {1};
__attribute__((section("visible_memory"))) int grelaxed[4] = {1};
void name_byte(uint32_t byte, char *text) {
#define SHARED_NAME(Type, Name, Extent)                                        \
  if (at >= (char *)&Name && at < (char *)&Name + sizeof(Name)) {              \
    sprintf(text, "%s+%d", #Name, (int)(at - (char *)&Name));                  \
    return;                                                                    \
  }
  const char *at = __start_shared_memory + byte;
  if (byte < kShared) {
    SHARED_MEMORY(SHARED_NAME)
  }
  sprintf(text, "local%d+%d", (int)(byte - kShared) / kLocalSize,
          (int)(byte - kShared) % kLocalSize);
}

static uint64_t state;
void start_inputs(const char *name) {
  state = 1;
  for (; *name && (name[0] != '_' || name[1] != '_'); ++name)
    state = state * 31 + (uint8_t)*name;
}

uint32_t any(uint32_t limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % limit;
}

static void fill_text(char *text, int size) {
  int length = any(3) ? (int)any((uint32_t)size) : size - 1;
  int kind = any(3);
  for (int i = 0; i < size; ++i) {
    char letter = (char)(kind ? 'a' + i % 8 : 'a' + any(2));
    text[i] = kind == 1 && !any(9) ? 'z' : letter;
    if (i == length || i == size - 1)
      text[i] = 0;
  }
}

void fill(void) {
  uint32_t *at = (uint32_t *)__start_shared_memory;
  uint32_t limit = "\1\1\2\4\310\310\377\177"[any(8)] & 0xff;
  int bytes = any(3) == 0;
  for (; (char *)at < __stop_shared_memory - 3; ++at)
    *at = bytes ? any(limit) | any(limit) << 8 | any(limit) << 16 |
                      any(limit) << 24
                : any(limit);
  for (int i = 0; i < 64; ++i) {
    gfarr[i] = (float)any(limit);
    gdarr[i] = (double)any(limit);
    if (any(4))
      gused[i] = (char)any(2);
  }
  gfa = (float)any(limit), gda = any(limit), gld = any(limit);
  gv3.x = gv3.y = gv3.z = (float)any(limit);
  gflag = any(2);
  gptr = any(2) ? garr : gbrr;
  memset(gtext, 0, sizeof gtext), memset(gtwin, 0, sizeof gtwin);
  fill_text(gbuf, sizeof gbuf);
  fill_text(gtext, 64);
  fill_text(gtwin, 64);
  for (int i = 0; i < 5; ++i) {
    struct node *node = i < 4 ? &gnodes[i] : &gnode;
    node->flag = any(2);
    node->f = (float)any(limit), node->d = any(limit), node->ld = any(limit);
    fill_text(node->text, sizeof node->text);
    node->next = &gnodes[any(4)];
  }
  if (!any(3)) {
    for (int i = 0; i < 64; ++i)
      gtwin[i] = gtext[i];
  }
  gvolatile[0] = (int)any(limit), gvolatile[1] = (int)any(limit);
  grelaxed[0] = (int)any(limit), gatomic[0] = (int)any(limit),
  gatomic[1] = (int)any(limit);
}
