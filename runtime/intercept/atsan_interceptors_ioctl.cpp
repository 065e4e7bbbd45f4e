//===-- atsan_interceptors_ioctl.cpp --------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ioctl, by sanitizer_common's table of requests. The shared interceptor fills
// the table in every program, with 40 KiB of code; this one for handle_ioctl=1.
//
//===----------------------------------------------------------------------===//
#include <stdarg.h>

#include "runtime/intercept/atsan_interceptors.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

using namespace __atsan;

#define COMMON_INTERCEPTOR_READ_RANGE(ctx, addr, size) \
  static_cast<const AccessRecorder *>(ctx)->Read(addr, size)
#define COMMON_INTERCEPTOR_WRITE_RANGE(ctx, addr, size) \
  static_cast<const AccessRecorder *>(ctx)->Write(addr, size)

#include "sanitizer_common/sanitizer_common_interceptors_ioctl.inc"

// Requests are told by their lower half: all are constants of 32 bits.
static const ioctl_desc *Lookup(unsigned request, ioctl_desc *decoded) {
  if (const ioctl_desc *known = ioctl_lookup(request))
    return known;
  VPrintf(2, "Decoding unknown ioctl 0x%x\n", request);
  if (ioctl_decode(request, decoded))
    return decoded;
  Printf("WARNING: failed decoding unknown ioctl 0x%x\n", request);
  return nullptr;
}

ATSAN_INTERCEPTOR(int, ioctl, int fd, unsigned long request, ...) {
  va_list ap;
  va_start(ap, request);
  void *argument = va_arg(ap, void *);
  va_end(ap);
  ATSAN_ENTER(ioctl, fd, request, argument);
  if (!ioctl_initialized)
    return REAL(ioctl)(fd, request, argument);
  ioctl_desc decoded;
  const ioctl_desc *desc = Lookup(request, &decoded);
  if (desc)
    ioctl_common_pre(&recorder, desc, fd, request, argument);
  int res = REAL(ioctl)(fd, request, argument);
  if (desc && res != -1)
    ioctl_common_post(&recorder, desc, res, fd, request, argument);
  return res;
}

void __atsan::IoctlInit() {
  if (common_flags()->handle_ioctl)
    ioctl_init();
}
