//===-- atsan_schedule_files.cpp ------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
#include "runtime/schedule/atsan_schedule_files.h"

#include "runtime/schedule/atsan_schedule_sync.h"

namespace __atsan {

// All calls are steps on one object, which no address names: it is not known
// which ends of pipes and sockets belong together.
static Stop FileStop(const KernelCall &call) {
  constexpr uptr kAllFiles = 1;
  call.self->calls_kernel = true;
  return SyncStop(call.place, reinterpret_cast<void *>(kAllFiles), call.at);
}

// Others may have to go on first. The thread has to wait still if what there
// was is gone meanwhile.
static void Await(const KernelCall &call, const FileToAwait *files, u32 count,
                  u64 limit) {
  Stop stop = FileStop(call);
  if (limit == kNever) {
    stop.guard = Guard::kFiles;
    stop.files = files;
    stop.num_files = count;
  }
  // A loop that only looks waits for others.
  stop.yields = stop.repeats = limit == 0;
  StopAt(call.self, stop);
  if (limit && limit != kNever && !AnyIsReady(files, count, 0))
    GoOutside(call.self, limit);
}

u64 LimitOf(const void *time) {
  const bool has_limit = time && *static_cast<const s64 *>(time) >= 0;
  return has_limit ? NanosecondsOf(time) : kNever;
}

void ReadPoint(const KernelCall &call, int fd, bool waits) {
  const FileToAwait file = {fd, kReadable, 0};
  if (IsRegularFile(fd))
    return;
  if (!waits || !ReadsWait(fd))
    Await(call, &file, 1, /*limit=*/0);
  else
    Await(call, &file, 1, LimitOfReads(fd));
}

void WritePoint(const KernelCall &call, int fd) {
  if (!IsRegularFile(fd))
    StopAt(call.self, FileStop(call));
}

void PollPoint(const KernelCall &call, const void *files, uptr count,
               u64 limit) {
  if (count <= kMostFilesToAwait)
    Await(call, static_cast<const FileToAwait *>(files),
          static_cast<u32>(count), limit);
  else
    OutsidePoint(call);
}

void SelectPoint(const KernelCall &call, int number, void *const (&sets)[3],
                 uptr set_size, u64 limit) {
  StopAt(call.self, FileStop(call));
  if (limit && !SelectIsReady(number, sets, set_size))
    GoOutside(call.self, limit);
}

void OutsidePoint(const KernelCall &call) {
  StopAt(call.self, FileStop(call));
  GoOutside(call.self);
}

}  // namespace __atsan
