//===-- atsan_report_identity.cpp -----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stays the same from one run to the next: the fingerprint of a report, by
// which equal ones are counted as one, and the line that suppresses it.
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_report.h"
#include "runtime/report/atsan_report_internal.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

// --- Fingerprint. ------------------------------------------------------------

namespace {

// FNV-1a over strings, each with its final zero byte. No hash of
// sanitizer_common: those may change with LLVM's version.
class Hash {
 public:
  void Add(const char *string) {
    const char *p = string ? string : "";
    do {
      value_ = (value_ ^ static_cast<unsigned char>(*p)) * 0x100000001b3ull;
    } while (*p++);
  }

  // Adds the function, and the file without its directory. No line, which any
  // edit shifts.
  void AddCode(const AddressInfo *frame) {
    if (!frame) {
      Add("no stack");
      return;
    }
    if (frame->function) {
      // The name is the one that text shows without verbosity=1.
      char *name = ShortenName(internal_strdup(frame->function));
      Add(name);
      InternalFree(name);
    } else {
      InternalScopedString offset;
      offset.AppendF("+0x%zx", frame->module_offset);
      Add(offset.data());
    }
    if (frame->file)
      Add(StripModuleName(frame->file));
    else
      Add(frame->module ? StripModuleName(frame->module) : "");
  }

  Fingerprint Result() const {
    Fingerprint result;
    internal_snprintf(result.text, sizeof(result.text), "1-%016llx", value_);
    return result;
  }

 private:
  u64 value_ = 0xcbf29ce484222325ull;
};

}  // namespace

static void AddRegion(Hash *hash, const ReportRegion &region) {
  if (region.name)
    hash->Add(region.name);
  else
    hash->AddCode(UserFrame(region.begin));
}

static void AddMemory(Hash *hash, const ViolationReport &report, u32 index) {
  const ReportMemory &item = report.memory[index];
  // By the recipe, a mapped file is a global without a name.
  const bool is_mapped = item.kind == MemoryKind::kMapped;
  hash->Add(MemoryKindName(is_mapped ? MemoryKind::kGlobal : item.kind));
  hash->Add((item.kind == MemoryKind::kGlobal && !item.size) || is_mapped
                ? ""
                : item.name);
  const ReportMemory &object =
      item.same_object == kNone ? item : report.memory[item.same_object];
  if (object.alloc_stack)
    hash->AddCode(UserFrame(object.alloc_stack));
}

Fingerprint MakeFingerprint(const ViolationReport &report) {
  const ReportEvent &closing = report.Closing();
  Hash hash;
  hash.Add(report.Kind());
  if (closing.region != kNone)
    AddRegion(&hash, report.regions[closing.region]);
  hash.Add(closing.located ? KindName(closing.kind) : "");
  hash.AddCode(UserFrame(closing.stack));
  if (closing.memory != kNone)
    AddMemory(&hash, report, closing.memory);
  return hash.Result();
}

Fingerprint MakeFingerprint(const PlaceReport &report) {
  Hash hash;
  hash.Add(report.kind);
  hash.AddCode(UserFrame(report.stack));
  return hash.Result();
}

// --- Suppression. ------------------------------------------------------------

// Names of regions and functions would hide other findings, too: those of
// whatever else passes through main.
char *SuppressionLine(const ViolationReport &report) {
  InternalScopedString out;
  out.AppendF("%s:%s", kFingerprintSuppression, report.fingerprint.text);
  return internal_strdup(out.data());
}

}  // namespace __atsan
