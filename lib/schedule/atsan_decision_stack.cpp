//===-- atsan_decision_stack.cpp --------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stack of atsan_decision_stack.h.
//
//===----------------------------------------------------------------------===//
#include "lib/schedule/atsan_decision_stack.h"

namespace __atsan {

static constexpr u32 kLevelBytes = 4 + 4 + 4 + 8;
static constexpr u32 kOptionBytes = 4 + 1 + 1 + 4;

Option *DecisionStack::Find(uptr level, u32 thread) {
  Option *options = OptionsOf(level);
  u32 low = 0, high = levels_[level].count;
  while (low < high) {
    const u32 middle = low + (high - low) / 2;
    if (options[middle].thread < thread)
      low = middle + 1;
    else
      high = middle;
  }
  return low < levels_[level].count && options[low].thread == thread
             ? &options[low]
             : nullptr;
}

DecisionStack::Level *DecisionStack::Push() {
  levels_.push_back({options_.size(), 0, 0, 0, 0});
  return &levels_.back();
}

void DecisionStack::Add(const Option &option) {
  options_.push_back(option);
  levels_.back().count++;
}

void DecisionStack::Pop() {
  options_.resize(levels_.back().first);
  levels_.pop_back();
}

bool DecisionStack::Advance() {
  for (; levels_.size(); Pop()) {
    Level *level = &levels_.back();
    Option *options = &options_[level->first];
    options[level->chosen].flags |= Option::kTried;
    for (u32 i = 0; i < level->count; i++) {
      if (!options[i].Has(Option::kWanted) ||
          options[i].Has(Option::kTried | Option::kAsleep))
        continue;
      level->chosen = i;
      level->signature = 0;
      return true;
    }
  }
  return false;
}

void DecisionStack::Clear() {
  levels_.clear();
  options_.clear();
}

void DecisionStack::Save(StateWriter *writer) const {
  writer->Put32(static_cast<u32>(levels_.size()));
  for (const Level &level : levels_) {
    writer->Put32(level.count);
    writer->Put32(level.chosen);
    writer->Put32(level.preemptions);
    writer->Put64(level.signature);
    for (u32 i = 0; i < level.count; i++) {
      const Option &o = options_[level.first + i];
      writer->Put32(o.thread);
      writer->Put8(o.flags);
      writer->Put8(o.kind);
      writer->Put32(o.size);
    }
  }
}

void DecisionStack::Load(StateReader *reader) {
  Clear();
  const u32 levels = reader->GetCount(kLevelBytes);
  for (u32 i = 0; i < levels && reader->Good(); i++) {
    const u32 count = reader->GetCount(kOptionBytes);
    Push();
    const u32 chosen = reader->Get32();
    levels_[i].chosen = chosen;
    levels_[i].preemptions = reader->Get32();
    levels_[i].signature = reader->Get64();
    u64 next = 0;  // Threads are in order.
    for (u32 j = 0; j < count && reader->Good(); j++) {
      Option o = {};
      o.thread = reader->Get32();
      o.flags = reader->Get8();
      o.kind = reader->Get8();
      o.size = reader->Get32();
      if (o.thread < next || o.thread == kNoThread ||
          (j == chosen && !o.Has(Option::kEligible)))
        reader->Reject();
      next = u64(o.thread) + 1;
      Add(o);
    }
    if (chosen >= count)
      reader->Reject();
  }
}

}  // namespace __atsan
