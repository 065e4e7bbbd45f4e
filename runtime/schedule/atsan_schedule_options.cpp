//===-- atsan_schedule_options.cpp ----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
#include "runtime/schedule/atsan_schedule_options.h"

#include "lib/schedule/atsan_saved_state.h"
#include "runtime/options/atsan_flags.h"
#include "runtime/options/atsan_output_file.h"
#include "runtime/options/atsan_text_file.h"
#include "runtime/schedule/atsan_schedule_shared.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {

// --- The state of earlier runs: places, then what the strategy saves. --------

namespace {

struct StateHeader {
  u64 magic;
  u64 version;
  u64 num_places;
  u64 num_runs;
  u64 checksum;  // Guards what follows the header.
};
constexpr u64 kStateMagic = 0x7461747363686564ull, kStateVersion = 1;

u64 num_runs;
OutputFile state_file;

}  // namespace

static bool ParseState(const InternalMmapVector<char> &data,
                       Strategy *strategy) {
  StateHeader header;
  if (data.size() < sizeof(header))
    return false;
  internal_memcpy(&header, data.data(), sizeof(header));
  const char *rest = data.data() + sizeof(header);
  const uptr size = data.size() - sizeof(header);
  if (header.magic != kStateMagic || header.version != kStateVersion ||
      header.checksum != Checksum(rest, size) ||
      header.num_places > size / sizeof(u64))
    return false;
  InternalMmapVector<u64> keys(header.num_places);
  internal_memcpy(keys.data(), rest, header.num_places * sizeof(u64));
  AddSharedPlaces(keys.data(), keys.size());
  num_runs = header.num_runs;
  const uptr places = header.num_places * sizeof(u64);
  return strategy->Load(rest + places, size - places);
}

static void LoadState(Strategy *strategy) {
  const char *path = flags()->schedule_state;
  if (!*path)
    return;
  // Whether it may be replaced is known when it has been read.
  state_file.Init("schedule_state", path, /*begin=*/"");
  if (!FileExists(path))
    return;
  InternalMmapVector<char> data;
  error_t error = 0;
  if (ReadFileToVector(path, &data, kDefaultFileMaxSize, &error) &&
      (data.empty() || ParseState(data, strategy)))
    return;
  Report(
      "ERROR: %s: '%s', which run-time option schedule_state names, was not "
      "written by this strategy of this version; remove it\n",
      SanitizerToolName, path);
  ExitForBadSetup();
}

bool SaveState(const Strategy *strategy) {
  if (!*flags()->schedule_state)
    return true;
  InternalMmapVector<u64> keys;
  AppendSharedPlaces(&keys);
  InternalMmapVector<char> saved;
  strategy->Save(&saved);
  const uptr places = keys.size() * sizeof(u64);
  InternalMmapVector<char> data(sizeof(StateHeader) + places + saved.size());
  char *rest = data.data() + sizeof(StateHeader);
  internal_memcpy(rest, keys.data(), places);
  internal_memcpy(rest + places, saved.data(), saved.size());
  StateHeader header = {kStateMagic, kStateVersion, keys.size(), num_runs + 1,
                        Checksum(rest, places + saved.size())};
  internal_memcpy(data.data(), &header, sizeof(header));
  return state_file.Write(data.data(), data.size());
}

// --- The strategy. -----------------------------------------------------------

static Strategy *NewStrategyOfOptions() {
  StrategyOptions options;
  options.seed = flags()->schedule_seed;
  options.depth = flags()->schedule_depth;
  if (flags()->schedule_preemptions >= 0)
    options.preemptions = flags()->schedule_preemptions;
  return NewStrategy(flags()->schedule_strategy, options);
}

Strategy *StrategyOfOptions() {
  Strategy *strategy = NewStrategyOfOptions();
  if (!strategy) {
    InternalScopedString names;
    for (const char *const *name = kStrategyNames; *name; name++)
      names.AppendF("%s%s", names.length() ? ", " : "", *name);
    Report(
        "ERROR: %s: '%s' is no strategy; run-time option schedule_strategy may "
        "be one of %s\n",
        SanitizerToolName, flags()->schedule_strategy, names.data());
    ExitForBadSetup();
  }
  LoadState(strategy);
  return strategy;
}

Strategy *ForgetPoints(Strategy *strategy) {
  // The others remember numbers of points only.
  return internal_strcmp(flags()->schedule_strategy, "systematic")
             ? strategy
             : NewStrategyOfOptions();
}

// --- The schedule. -----------------------------------------------------------

const ScheduleText *ScheduleOfOptions() {
  static const ScheduleText *known;
  const char *path = flags()->schedule;
  if (known || !*path)
    return known;
  TextFile file("schedule", path);
  // Not from the heap: what is mapped there moves what the program maps later.
  // A run that follows a schedule has the addresses of the one that wrote it.
  alignas(ScheduleText) static char room[sizeof(ScheduleText)];
  auto *schedule = new (room) ScheduleText();
  u32 line;
  if (const char *wrong = ParseSchedule(file.begin(), schedule, &line)) {
    Report("ERROR: %s: %s:%u: %s\n", SanitizerToolName, path, line, wrong);
    ExitForBadSetup();
  }
  return known = schedule;
}

}  // namespace __atsan
