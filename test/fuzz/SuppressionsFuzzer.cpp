//===- SuppressionsFuzzer.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every text is a list of suppressions that can be matched with, or has a
// bad line, which is named.
//
//===----------------------------------------------------------------------===//

#include "runtime/report/atsan_suppressions.cpp"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf bad_line;

// What the runtime's other files define.
namespace __atsan {
Flags flags_data;
ScopedLog::ScopedLog() {}
ScopedLog::~ScopedLog() {}
TextFile::TextFile(const char *, const char *) {}
void BadLine(const char *, u32 line, const char *, uptr length,
             const char *problem) {
  if (!line || !length || !problem)
    abort();
  longjmp(bad_line, 1);
}
} // namespace __atsan

using namespace __atsan;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  alignas(SuppressionContext) static char storage[sizeof(SuppressionContext)];
  context = new (storage) SuppressionContext(kKinds, ARRAY_SIZE(kKinds));
  char *text = static_cast<char *>(malloc(size + 1));
  memcpy(text, data, size);
  text[size] = '\0';
  if (!setjmp(bad_line)) {
    AddLines("text", text, text + size);
    for (uptr i = 0; i < context->SuppressionCount(); i++)
      if (!*context->SuppressionAt(i)->templ)
        abort();
    const char *const names[] = {"", "a", "aab*b$", "^region", text};
    for (const char *kind : kKinds)
      for (const char *name : names)
        Match(kind, name);
  }
  context->~SuppressionContext();
  free(text);
  return 0;
}
