//===-- atsan_vfork.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
#include "runtime/threads/atsan_vfork.h"

#include <errno.h>

#include "runtime/stream/atsan_observer.h"
#include "runtime/threads/atsan_signal.h"

namespace __atsan {

__attribute__((tls_model("initial-exec"))) THREADLOCAL bool in_vfork_child;

VforkParent VforkBegins() {
  VforkParent parent;
  parent.signal_mask = SignalsSetMask(~0ull);
  // A child may have children of its own.
  parent.state = in_vfork_child ? VforkParent::kInChild
                                : reinterpret_cast<uptr>(cur_thread);
  in_vfork_child = true;
  SetCurrentThread(nullptr);
  return parent;
}

long VforkReturns(long result, VforkParent parent) {
  if (result && parent.state != VforkParent::kInChild) {
    in_vfork_child = false;
    SetCurrentThread(reinterpret_cast<Thread *>(parent.state));
  }
  SignalsSetMask(parent.signal_mask);
  if (result >= 0)
    return result;
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace __atsan
