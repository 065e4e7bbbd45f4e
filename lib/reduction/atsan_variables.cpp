//===-- atsan_variables.cpp -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variables by address: how they are made, divided and forgotten.
//
//===----------------------------------------------------------------------===//
#include "lib/reduction/atsan_variables.h"

namespace __atsan {

Variable *Variables::Make(Variable **head, u32 mask) {
  Variable *v = variables_.Take();
  v->mask = mask;
  v->eraser_set = kAllLocks;
  v->next = *head;
  *head = v;
  return v;
}

// Takes the bytes `mask` off `v`, to a new variable behind it.
Variable *Variables::Divide(Variable *v, u32 mask) {
  Variable *part = variables_.Take();
  *part = *v;
  part->mask = mask;
  part->samples = nullptr;
  for (Sample *s = v->samples; s; s = s->next) {
    Sample copy = *s;
    Sample *added = AddSample(part);
    copy.next = added->next;
    *added = copy;
  }
  v->mask &= ~mask;
  v->next = part;
  return part;
}

Sample *Variables::AddSample(Variable *v) {
  Sample *s = samples_.Take();
  s->next = v->samples;
  v->samples = s;
  return s;
}

RaceEvidence *Variables::AddEvidence(Variable *v) {
  return v->race = evidence_.Take();
}

void Variables::Free(Variable *v) {
  for (Sample *s = v->samples; s;) {
    Sample *next = s->next;
    samples_.GiveBack(s);
    s = next;
  }
  variables_.GiveBack(v);
}

void Variables::ForgetBytes(uptr granule, u32 mask) {
  auto *entry = granules_.find(granule);
  if (!entry)
    return;
  for (Variable **at = &entry->second; *at;) {
    Variable *v = *at;
    v->mask &= ~mask;
    if (v->mask) {
      at = &v->next;
      continue;
    }
    *at = v->next;
    Free(v);
  }
  if (!entry->second)
    granules_.erase(entry);
}

void Variables::Forget(uptr addr, uptr size) {
  if (!size || granules_.empty())
    return;
  const uptr end = addr + size < addr ? ~0ull : addr + size;
  const uptr first = addr / kGranule, last = (end - 1) / kGranule;
  if (last - first < granules_.size()) {
    for (uptr g = first; g <= last; g++)
      ForgetBytes(g, MaskOf(g, addr, end));
    return;
  }
  Vector<uptr> found;
  granules_.forEach([&](auto &entry) {
    if (entry.first >= first && entry.first <= last)
      found.PushBack(entry.first);
    return true;
  });
  for (uptr i = 0; i < found.Size(); i++)
    ForgetBytes(found[i], MaskOf(found[i], addr, end));
}

}  // namespace __atsan
