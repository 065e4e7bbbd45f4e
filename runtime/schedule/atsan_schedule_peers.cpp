//===-- atsan_schedule_peers.cpp ------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks /proc. What is not known for sure is taken to be served by others.
//
//===----------------------------------------------------------------------===//
#include "runtime/schedule/atsan_schedule_peers.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/base/FrameKind.h"
#include "runtime/schedule/atsan_schedule_kernel.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "sanitizer_common/sanitizer_procmaps.h"

namespace __atsan {
namespace {

using atsan_frames::StartsWith;

enum class FileKind { kOther, kPipe, kEvent, kEpoll, kSocket, kAsynchronous };

FileKind KindOf(int fd) {
  char path[32], target[64] = {};
  internal_snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
  if (internal_iserror(internal_readlink(path, target, sizeof(target) - 1)))
    return FileKind::kOther;
  if (StartsWith(target, "pipe:["))
    return FileKind::kPipe;
  if (StartsWith(target, "socket:["))
    return FileKind::kSocket;
  if (!StartsWith(target, "anon_inode:"))
    return FileKind::kOther;
  const char *name = internal_strchr(target, ':') + 1;
  if (StartsWith(name, "[eventfd"))
    return FileKind::kEvent;
  if (StartsWith(name, "[eventpoll"))
    return FileKind::kEpoll;
  constexpr const char *kQuiet[] = {"[timerfd", "[signalfd", "inotify",
                                    "[fanotify", "[pidfd"};
  for (const char *quiet : kQuiet)
    if (StartsWith(name, quiet))
      return FileKind::kOther;
  // Rings, virtual machines and the like signal eventfds by themselves.
  return FileKind::kAsynchronous;
}

struct Identity {
  u64 device, inode;
  bool operator==(const Identity &other) const {
    return device == other.device && inode == other.inode;
  }
};

bool IdentityOf(int fd, Identity *identity) {
  struct stat about = {};
  if (internal_iserror(internal_fstat(fd, &about)))
    return false;
  *identity = {about.st_dev, about.st_ino};
  return true;
}

// Calls back for each descriptor of the process, until it returns false.
template <class Callback>
void ForEachFile(Callback callback) {
  const uptr folder = internal_open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
  if (internal_iserror(folder))
    return;
  alignas(dirent) char buffer[512];
  bool goes_on = true;
  while (goes_on) {
    const uptr size = internal_getdents(
        folder, reinterpret_cast<linux_dirent *>(buffer), sizeof(buffer));
    if (internal_iserror(size) || !size)
      break;
    for (uptr at = 0; at < size && goes_on;) {
      const auto *entry = reinterpret_cast<const dirent *>(buffer + at);
      at += entry->d_reclen;
      const int fd = static_cast<int>(internal_atoll(entry->d_name));
      if (entry->d_name[0] != '.' && fd != static_cast<int>(folder))
        goes_on = callback(fd);
    }
  }
  internal_close(folder);
}

InternalMmapVector<Identity> &Inherited() {
  alignas(InternalMmapVector<Identity>) static char
      memory[sizeof(InternalMmapVector<Identity>)];
  return *reinterpret_cast<InternalMmapVector<Identity> *>(memory);
}

bool IsInherited(const Identity &identity) {
  for (const Identity &one : Inherited())
    if (one == identity)
      return true;
  return false;
}

bool HasBothEnds(const Identity &pipe) {
  bool reads = false, writes = false;
  ForEachFile([&](int fd) {
    Identity identity;
    if (!IdentityOf(fd, &identity) || !(identity == pipe))
      return true;
    const long mode = CallKernel(SYS_fcntl, fd, F_GETFL) & O_ACCMODE;
    reads |= mode != O_WRONLY;
    writes |= mode != O_RDONLY;
    return !(reads && writes);
  });
  return reads && writes;
}

template <class T>
bool GetSocketOption(int fd, int option, T *value) {
  socklen_t size = sizeof(*value);
  return CallKernel(SYS_getsockopt, fd, SOL_SOCKET, option, value, &size) == 0;
}

// One of a pair, or connected to another one of this process.
bool IsConnectedToProcess(int fd) {
  int type = 0, listens = 1;
  ucred peer = {};
  return GetSocketOption(fd, SO_TYPE, &type) &&
         (type == SOCK_STREAM || type == SOCK_SEQPACKET) &&
         GetSocketOption(fd, SO_ACCEPTCONN, &listens) && !listens &&
         GetSocketOption(fd, SO_PEERCRED, &peer) &&
         peer.pid == static_cast<pid_t>(internal_getpid());
}

bool IsServedByProcess(int fd, bool within_epoll);

// Each line of what the kernel tells of an epoll is one file: "tfd: 5 events:
// 19 data: 0 pos:0 ino:61ef sdev:7". A number may be another file's by now.
bool IsEpollServedByProcess(int epoll) {
  char path[48];
  internal_snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", epoll);
  InternalMmapVector<char> text;
  if (!ReadFileToVector(path, &text))
    return false;
  text.push_back('\0');
  for (const char *at = text.data(); (at = internal_strstr(at, "tfd:"));) {
    const auto fd =
        static_cast<int>(internal_simple_strtoll(at + 4, nullptr, 10));
    at = internal_strstr(at, "ino:");
    Identity identity;
    if (!at || !IdentityOf(fd, &identity))
      return false;
    char inode[32];
    internal_snprintf(inode, sizeof(inode), "ino:%llx ", identity.inode);
    if (!StartsWith(at, inode) || !IsServedByProcess(fd, /*within_epoll=*/true))
      return false;
  }
  return true;
}

bool IsServedByProcess(int fd, bool within_epoll) {
  Identity identity;
  if (!IdentityOf(fd, &identity) || IsInherited(identity))
    return false;
  switch (KindOf(fd)) {
    case FileKind::kPipe:
      return HasBothEnds(identity);
    case FileKind::kEvent:
      return true;
    case FileKind::kSocket:
      return IsConnectedToProcess(fd);
    case FileKind::kEpoll:
      return !within_epoll && IsEpollServedByProcess(fd);
    default:
      return false;
  }
}

// Whether there are children, of which nobody may have told.
bool HasChildren() {
  constexpr int kAll = 0;  // P_ALL
  siginfo_t info = {};
  return CallKernel(SYS_waitid, kAll, 0, &info,
                    WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

// Whether the kernel does something for the process behind its back.
bool HasAsynchronousCalls() {
  bool has = false;
  ForEachFile([&](int fd) {
    has = KindOf(fd) == FileKind::kAsynchronous;
    return !has;
  });
  MemoryMappingLayout mappings(/*cache_enabled=*/false);
  char name[32];
  MemoryMappedSegment mapping(name, sizeof(name));
  while (!has && mappings.Next(&mapping))
    has = StartsWith(name, "/[aio]");
  return has;
}

}  // namespace

void NoteInheritedFiles() {
  ForEachFile([](int fd) {
    Identity identity;
    if (IdentityOf(fd, &identity))
      Inherited().push_back(identity);
    return true;
  });
}

bool OnlyProcessServes(const FileToAwait *files, u32 count) {
  for (u32 i = 0; i < count; i++)
    if (files[i].fd >= 0 &&
        !IsServedByProcess(files[i].fd, /*within_epoll=*/false))
      return false;
  return !HasChildren() && !HasAsynchronousCalls();
}

}  // namespace __atsan
