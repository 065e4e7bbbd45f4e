//===-- atsan_constant_memory.cpp -----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the constants of the executable by its program headers.
//
//===----------------------------------------------------------------------===//
#include "runtime/memory/atsan_constant_memory.h"

#include <elf.h>
#include <sys/auxv.h>

#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

ConstantMemory constant_memory;

void ConstantMemoryInit() {
  auto *headers = reinterpret_cast<const Elf64_Phdr *>(getauxval(AT_PHDR));
  const uptr count = getauxval(AT_PHNUM);
  uptr bias = 0;
  for (uptr i = 0; i < count; i++)
    if (headers[i].p_type == PT_PHDR)
      bias = reinterpret_cast<uptr>(headers) - headers[i].p_vaddr;
  // The segments in front of the first writable one, as far as there are no
  // holes, which are anybody's. They are in order.
  const uptr page = GetPageSizeCached();
  uptr begin = 0, end = 0;
  for (uptr i = 0; i < count; i++) {
    const Elf64_Phdr &h = headers[i];
    if (h.p_type != PT_LOAD)
      continue;
    uptr from = RoundDownTo(bias + h.p_vaddr, page);
    if ((h.p_flags & PF_W) || (end && from != end))
      break;
    begin = end ? begin : from;
    end = RoundUpTo(bias + h.p_vaddr + h.p_memsz, page);
  }
  // Relocations are done before any code of the program runs.
  for (uptr i = 0; i < count; i++)
    if (headers[i].p_type == PT_GNU_RELRO &&
        RoundDownTo(bias + headers[i].p_vaddr, page) == end)
      end = RoundDownTo(bias + headers[i].p_vaddr + headers[i].p_memsz, page);
  constant_memory = {begin, end - begin};
}

}  // namespace __atsan
