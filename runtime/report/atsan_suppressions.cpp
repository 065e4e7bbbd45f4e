//===-- atsan_suppressions.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// sanitizer_common's SuppressionContext holds and matches the patterns. It does
// not say where in a file a mistake is, so every line is looked at before.
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_suppressions.h"

#include "runtime/options/atsan_flags.h"
#include "runtime/options/atsan_log.h"
#include "runtime/options/atsan_text_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "sanitizer_common/sanitizer_suppressions.h"

SANITIZER_INTERFACE_WEAK_DEF(const char *, __atsan_default_suppressions, void) {
  return "";
}

namespace __atsan {

static constexpr char kRegion[] = "region";
static constexpr char kFunction[] = "function";
static constexpr char kFile[] = "file";
static constexpr char kLibrary[] = "library";
static const char *kKinds[] = {kRegion, kFunction, kFile, kLibrary,
                               kFingerprintSuppression};

static SuppressionContext *context;

// --- Reading. ----------------------------------------------------------------

static bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// A fingerprint is the number of the recipe, '-' and 16 hexadecimal digits
// (docs/report.md).
static bool IsFingerprint(const char *begin, const char *end) {
  constexpr uptr kDigits = 16;
  const char *p = begin;
  while (p < end && *p >= '0' && *p <= '9')
    p++;
  if (p == begin || p == end || *p != '-')
    return false;
  p++;
  if (static_cast<uptr>(end - p) != kDigits)
    return false;
  for (; p < end; p++)
    if ((*p < '0' || *p > '9') && (*p < 'a' || *p > 'f'))
      return false;
  return true;
}

static const char *ProblemOfLine(const char *begin, const char *end) {
  for (const char *p = begin; p < end; p++)
    if (static_cast<u8>(*p) < ' ' && *p != '\t')
      return "is not text";
  for (const char *kind : kKinds) {
    uptr length = internal_strlen(kind);
    if (static_cast<uptr>(end - begin) <= length || begin[length] != ':' ||
        internal_strncmp(begin, kind, length))
      continue;
    if (kind == kFingerprintSuppression)
      return IsFingerprint(begin + length + 1, end)
                 ? nullptr
                 : "has no fingerprint; copy the whole line from the report";
    // A pattern must have something that is looked for, besides wildcards.
    for (const char *p = begin + length + 1; p < end; p++)
      if (*p != '*' && *p != '^' && *p != '$' && !IsBlank(*p))
        return nullptr;
    return "would suppress everything; write a pattern after the ':'";
  }
  return "is no suppression; write region:, function:, file:, library: or "
         "fingerprint: and a pattern";
}

static void AddLines(const char *place, const char *begin, const char *end) {
  u32 number = 0;
  while (begin < end) {
    number++;
    const char *line = begin;
    while (begin < end && *begin != '\n')
      begin++;
    const char *line_end = begin;
    if (begin < end)
      begin++;
    while (line < line_end && IsBlank(*line))
      line++;
    while (line < line_end && IsBlank(line_end[-1]))
      line_end--;
    if (line == line_end || *line == '#')
      continue;
    if (const char *problem = ProblemOfLine(line, line_end))
      BadLine(place, number, line, line_end - line, problem);
    // An empty line that ends in a carriage return would be an error to
    // Parse().
    InternalScopedString one;
    one.AppendF("%.*s", static_cast<int>(line_end - line), line);
    context->Parse(one.data());
  }
}

void SuppressionsInit() {
  alignas(SuppressionContext) static char storage[sizeof(SuppressionContext)];
  context = new (storage) SuppressionContext(kKinds, ARRAY_SIZE(kKinds));
  if (const char *text = __atsan_default_suppressions()) {
    AddLines("__atsan_default_suppressions()", text,
             text + internal_strlen(text));
  }
  if (const char *path = flags()->suppressions; path[0]) {
    TextFile file("suppressions", path);
    AddLines(path, file.begin(), file.end());
  }
}

// --- Matching. ---------------------------------------------------------------

static bool Match(const char *kind, const char *text) {
  Suppression *found;
  if (!text || !context->Match(text, kind, &found))
    return false;
  atomic_fetch_add(&found->hit_count, 1, memory_order_relaxed);
  return true;
}

static bool HasSuppressedFrame(const SymbolizedStack *stack) {
  for (; stack; stack = stack->next)
    if (Match(kFunction, stack->info.function) ||
        Match(kFile, stack->info.file) || Match(kLibrary, stack->info.module))
      return true;
  return false;
}

bool IsSuppressed(const ViolationReport &report) {
  if (!context->SuppressionCount())
    return false;
  if (Match(kFingerprintSuppression, report.fingerprint.text))
    return true;
  for (const ReportRegion &region : report.regions)
    if (Match(kRegion, region.name) || HasSuppressedFrame(region.begin) ||
        HasSuppressedFrame(region.split))
      return true;
  for (const ReportStep &step : report.steps)
    if (HasSuppressedFrame(step.first.stack) ||
        HasSuppressedFrame(step.later.stack))
      return true;
  return false;
}

// --- Counting. ---------------------------------------------------------------

void PrintMatchedSuppressions() {
  InternalMmapVector<Suppression *> matched;
  context->GetMatched(&matched);
  if (!matched.size())
    return;
  ScopedLog log;
  Printf("-----------------------------------------------------\n");
  Printf("%s: suppressed findings, and by what:\n", SanitizerToolName);
  for (const Suppression *suppression : matched)
    Printf("%7u %s:%s\n", atomic_load_relaxed(&suppression->hit_count),
           suppression->type, suppression->templ);
  Printf("-----------------------------------------------------\n");
}

}  // namespace __atsan
