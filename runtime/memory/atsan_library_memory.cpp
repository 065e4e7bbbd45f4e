//===-- atsan_library_memory.cpp ------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/memory/atsan_library_memory.h"

#include <link.h>
#include <stdio.h>

#include "lib/checker/atsan_exempt.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_mutex.h"

// The standard streams. The linker may have put copies of them into the
// executable. `weak`: a program in C has none.
#define ATSAN_STREAMS(_)      \
  _(_ZSt3cin, 280, 1)         \
  _(_ZSt4cout, 272, 1)        \
  _(_ZSt4cerr, 272, 1)        \
  _(_ZSt4clog, 272, 1)        \
  _(_ZSt4wcin, 280, 4)        \
  _(_ZSt5wcout, 272, 4)       \
  _(_ZSt5wcerr, 272, 4)       \
  _(_ZSt5wclog, 272, 4)       \
  _(_ZNSt3__13cinE, 168, 0)   \
  _(_ZNSt3__14coutE, 160, 0)  \
  _(_ZNSt3__14cerrE, 160, 0)  \
  _(_ZNSt3__14clogE, 160, 0)  \
  _(_ZNSt3__14wcinE, 168, 0)  \
  _(_ZNSt3__15wcoutE, 160, 0) \
  _(_ZNSt3__15wcerrE, 160, 0) \
  _(_ZNSt3__15wclogE, 160, 0)
#define ATSAN_DECLARE_STREAM(name, size, char_size) \
  extern "C" __attribute__((weak)) char name[];
ATSAN_STREAMS(ATSAN_DECLARE_STREAM)

namespace __atsan {

namespace {

StaticSpinMutex mutex;

const char *const kLibraries[] = {"libstdc++.so", "libc++.so", "libc++abi.so"};

int AddVariables(dl_phdr_info *info, size_t, void *) {
  const char *file = StripModuleName(info->dlpi_name);
  bool is_library = false;
  for (const char *name : kLibraries)
    is_library |= !internal_strncmp(file, name, internal_strlen(name));
  for (u32 i = 0; is_library && i < info->dlpi_phnum; i++) {
    const auto &segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W))
      AddExempt(info->dlpi_addr + segment.p_vaddr, segment.p_memsz);
  }
  return 0;
}

// libstdc++'s buffer, if it has characters: where it and they are. The place of
// the pointer is known in std::basic_ios, and of that in the virtual table.
void AddBuffer(const char *stream, uptr char_size) {
  constexpr uptr kStreambufInIos = 232;
  constexpr uptr kFilebufSize = 240;
  if (!char_size)
    return;
  const sptr *vtable = *reinterpret_cast<sptr *const *>(stream);
  if (!vtable)
    return;  // The stream was not constructed yet.
  uptr streambuf =
      *reinterpret_cast<const uptr *>(stream + vtable[-3] + kStreambufInIos);
  if (!streambuf)
    return;
  uptr characters = reinterpret_cast<const uptr *>(streambuf)[1];
  if (!characters)
    return;
  AddExempt(streambuf, kFilebufSize);
  AddExempt(characters, BUFSIZ * char_size);
}

}  // namespace

void LibraryMemoryInit() {
  SpinMutexLock lock(&mutex);
  dl_iterate_phdr(AddVariables, nullptr);
#define ATSAN_ADD_STREAM(name, size, char_size) \
  if (name)                                     \
    AddExempt(reinterpret_cast<uptr>(name), size);
  ATSAN_STREAMS(ATSAN_ADD_STREAM)
}

void LibraryMemoryOfStreams() {
  SpinMutexLock lock(&mutex);
#define ATSAN_ADD_BUFFER(name, size, char_size) \
  if (name)                                     \
    AddBuffer(name, char_size);
  ATSAN_STREAMS(ATSAN_ADD_BUFFER)
}

}  // namespace __atsan
