//===-- atsan_schedule_peers.h ----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This tells whether another process may be at the other end of a file that a
// thread waits for. Threads that wait only for each other, by pipes, eventfds,
// pairs of sockets or epoll, are in a deadlock as those are that wait for
// locks.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_PEERS_H
#define ATSAN_SCHEDULE_PEERS_H

#include "runtime/schedule/atsan_schedule_wait.h"

namespace __atsan {

// Remembers what is open: others may have it, too. Before the first run.
void NoteInheritedFiles();
// Whether no process but this one can make one of them ready, as long as it has
// not started others. Asks the kernel of all that is open.
bool OnlyProcessServes(const FileToAwait *files, u32 count);

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_PEERS_H
