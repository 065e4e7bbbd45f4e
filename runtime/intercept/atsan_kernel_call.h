//===-- atsan_kernel_call.h -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What interceptors of system calls share that take data, or fill it in.
//
// Data that is sent is read before the call: its receiver, who may be another
// thread, may answer, and this thread's data be changed upon that answer,
// before the call returns. So a call that sends only a part counts as one that
// read everything it was given.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_KERNEL_CALL_H
#define ATSAN_KERNEL_CALL_H

#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/schedule/atsan_schedule_files.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

namespace __atsan {

// A point before a call of the kernel, while schedules are controlled.
#define ATSAN_KERNEL_POINT(function, point, ...)                           \
  do {                                                                     \
    if (ScheduledThread *self = CurrentScheduled())                        \
      point({self, ATSAN_SCHEDULE_PLACE(#function), ATSAN_CALLER_POINT()}, \
            __VA_ARGS__);                                                  \
  } while (false)

// Tells that a vector was read that says where data is.
inline void ReadVector(const AccessRecorder &recorder,
                       const __sanitizer_iovec *vector, uptr count) {
  recorder.Read(vector, count * sizeof(*vector));
}

inline void ReadVectorAndParts(const AccessRecorder &recorder,
                               const __sanitizer_iovec *vector, uptr count) {
  ReadVector(recorder, vector, count);
  for (uptr i = 0; i < count; i++)
    recorder.Read(vector[i].iov_base, vector[i].iov_len);
}

// Tells that the parts were filled in with `size` bytes; negative: none.
inline void WriteParts(const AccessRecorder &recorder,
                       const __sanitizer_iovec *vector, uptr count, sptr size) {
  for (uptr i = 0; i < count && size > 0; i++) {
    uptr part = Min<uptr>(vector[i].iov_len, size);
    recorder.Write(vector[i].iov_base, part);
    size -= part;
  }
}

}  // namespace __atsan

#endif  // ATSAN_KERNEL_CALL_H
