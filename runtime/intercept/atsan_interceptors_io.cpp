//===-- atsan_interceptors_io.cpp -----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files, streams and message queues (sockets: atsan_interceptors_socket.cpp).
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_format.h"
#include "runtime/intercept/atsan_kernel_call.h"
#include "runtime/schedule/atsan_schedule_files.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

using namespace __atsan;

// --- Files. ------------------------------------------------------------------

ATSAN_INTERCEPTOR(sptr, write, int fd, const void *data, uptr size) {
  ATSAN_KERNEL_POINT(write, WritePoint, fd);
  ATSAN_ENTER(write, fd, data, size);
  recorder.Read(data, size);
  return REAL(write)(fd, data, size);
}

ATSAN_BEFORE(sptr, pwrite, (int fd, const void *data, uptr size, sptr offset),
             (fd, data, size, offset), recorder.Read(data, size))

ATSAN_INTERCEPTOR(sptr, writev, int fd, const __sanitizer_iovec *vector,
                  int count) {
  ATSAN_KERNEL_POINT(writev, WritePoint, fd);
  ATSAN_ENTER(writev, fd, vector, count);
  ReadVectorAndParts(recorder, vector, count);
  return REAL(writev)(fd, vector, count);
}
ATSAN_BEFORE(sptr, pwritev,
             (int fd, const __sanitizer_iovec *vector, int count, sptr offset),
             (fd, vector, count, offset),
             ReadVectorAndParts(recorder, vector, count))
ATSAN_BEFORE(sptr, pwritev2,
             (int fd, const __sanitizer_iovec *vector, int count, sptr offset,
              int flags),
             (fd, vector, count, offset, flags),
             ReadVectorAndParts(recorder, vector, count))

ATSAN_INTERCEPTOR(sptr, readv, int fd, const __sanitizer_iovec *vector,
                  int count) {
  ATSAN_KERNEL_POINT(readv, ReadPoint, fd);
  ATSAN_ENTER(readv, fd, vector, count);
  ReadVector(recorder, vector, count);
  sptr res = REAL(readv)(fd, vector, count);
  WriteParts(recorder, vector, count, res);
  return res;
}
ATSAN_AROUND(sptr, preadv,
             (int fd, const __sanitizer_iovec *vector, int count, sptr offset),
             (fd, vector, count, offset), ReadVector(recorder, vector, count),
             WriteParts(recorder, vector, count, res))
ATSAN_AROUND(sptr, preadv2,
             (int fd, const __sanitizer_iovec *vector, int count, sptr offset,
              int flags),
             (fd, vector, count, offset, flags),
             ReadVector(recorder, vector, count),
             WriteParts(recorder, vector, count, res))

// The other process may be this one.
static bool IsOwn(int process) {
  return process == static_cast<int>(internal_getpid());
}

ATSAN_INTERCEPTOR(sptr, process_vm_readv, int process,
                  const __sanitizer_iovec *vector, uptr count,
                  const __sanitizer_iovec *remote, uptr remote_count,
                  uptr flags) {
  ATSAN_ENTER(process_vm_readv, process, vector, count, remote, remote_count,
              flags);
  ReadVector(recorder, vector, count);
  if (IsOwn(process))
    ReadVectorAndParts(recorder, remote, remote_count);
  else
    ReadVector(recorder, remote, remote_count);
  sptr res = REAL(process_vm_readv)(process, vector, count, remote,
                                    remote_count, flags);
  WriteParts(recorder, vector, count, res);
  return res;
}
ATSAN_INTERCEPTOR(sptr, process_vm_writev, int process,
                  const __sanitizer_iovec *vector, uptr count,
                  const __sanitizer_iovec *remote, uptr remote_count,
                  uptr flags) {
  ATSAN_ENTER(process_vm_writev, process, vector, count, remote, remote_count,
              flags);
  ReadVectorAndParts(recorder, vector, count);
  ReadVector(recorder, remote, remote_count);
  sptr res = REAL(process_vm_writev)(process, vector, count, remote,
                                     remote_count, flags);
  if (IsOwn(process))
    WriteParts(recorder, remote, remote_count, res);
  return res;
}

ATSAN_BEFORE(uptr, fwrite,
             (const void *data, uptr size, uptr number, void *file),
             (data, size, number, file), recorder.Read(data, size *number))
ATSAN_BEFORE(uptr, fwrite_unlocked,
             (const void *data, uptr size, uptr number, void *file),
             (data, size, number, file), recorder.Read(data, size *number))

// --- Message queues. ---------------------------------------------------------

ATSAN_BEFORE(int, mq_send,
             (int queue, const char *data, uptr size, unsigned priority),
             (queue, data, size, priority), recorder.Read(data, size))
ATSAN_BEFORE(int, mq_timedsend,
             (int queue, const char *data, uptr size, unsigned priority,
              const void *deadline),
             (queue, data, size, priority, deadline), recorder.Read(data, size),
             recorder.ReadOptional(deadline, struct_timespec_sz))

static void WriteReceived(const AccessRecorder &recorder, sptr size,
                          const char *data, const unsigned *priority) {
  if (size < 0)
    return;
  recorder.Write(data, size);
  recorder.WriteObject(priority);
}

ATSAN_AFTER(sptr, mq_receive,
            (int queue, char *data, uptr size, unsigned *priority),
            (queue, data, size, priority),
            WriteReceived(recorder, res, data, priority))

ATSAN_AROUND(sptr, mq_timedreceive,
             (int queue, char *data, uptr size, unsigned *priority,
              const void *deadline),
             (queue, data, size, priority, deadline),
             recorder.ReadOptional(deadline, struct_timespec_sz),
             WriteReceived(recorder, res, data, priority))

ATSAN_AFTER(int, mq_getattr, (int queue, void *attributes), (queue, attributes),
            if (res == 0) recorder.Write(attributes, struct_mq_attr_sz))
ATSAN_AROUND(int, mq_setattr,
             (int queue, const void *attributes, void *old_attributes),
             (queue, attributes, old_attributes),
             recorder.Read(attributes, struct_mq_attr_sz),
             if (res == 0)
                 recorder.WriteOptional(old_attributes, struct_mq_attr_sz))

// --- What sanitizer_common does not know. ------------------------------------

ATSAN_AFTER(uptr, fread_unlocked,
            (void *data, uptr size, uptr number, void *file),
            (data, size, number, file), recorder.Write(data, size *res))

// Defines the interceptor of a function that _FORTIFY_SOURCE calls to read a
// line: one that fits may be read where one as long as the caller allows would
// not.
#define ATSAN_FGETS_CHK_INTERCEPTOR(func, Char)                            \
  ATSAN_AFTER(Char *, func, (Char *data, uptr room, int size, void *file), \
              (data, room, size, file), if (res) WriteString(recorder, res))

// Defines the interceptor of a function that reads a line, with its end.
#define ATSAN_FGETS_INTERCEPTOR(func, Char)                     \
  ATSAN_AFTER(Char *, func, (Char *data, int size, void *file), \
              (data, size, file), if (res) WriteString(recorder, res))

// Defines the interceptor of a function that writes a string.
#define ATSAN_FPUTS_INTERCEPTOR(func, Char)                       \
  ATSAN_BEFORE(int, func, (const Char *s, void *file), (s, file), \
               ReadString(recorder, s))

ATSAN_FGETS_INTERCEPTOR(fgets_unlocked, char)
ATSAN_FGETS_INTERCEPTOR(fgetws, wchar_t)
ATSAN_FGETS_INTERCEPTOR(fgetws_unlocked, wchar_t)
ATSAN_FGETS_CHK_INTERCEPTOR(__fgets_chk, char)
ATSAN_FGETS_CHK_INTERCEPTOR(__fgets_unlocked_chk, char)
ATSAN_FGETS_CHK_INTERCEPTOR(__fgetws_chk, wchar_t)
ATSAN_FGETS_CHK_INTERCEPTOR(__fgetws_unlocked_chk, wchar_t)
ATSAN_FPUTS_INTERCEPTOR(fputs_unlocked, char)
ATSAN_FPUTS_INTERCEPTOR(fputws, wchar_t)
ATSAN_FPUTS_INTERCEPTOR(fputws_unlocked, wchar_t)

// The linker warns of every program that may reach gets.
ATSAN_AFTER(char *, __gets_chk, (char *data, uptr room), (data, room),
            recorder.WriteString(res))

ATSAN_BEFORE(void, perror, (const char *s), (s), recorder.ReadString(s))

ATSAN_AFTER(int, pipe, (int *fds), (fds),
            if (res == 0) recorder.Write(fds, 2 * sizeof(*fds)))
ATSAN_AFTER(int, pipe2, (int *fds, int flags), (fds, flags),
            if (res == 0) recorder.Write(fds, 2 * sizeof(*fds)))
ATSAN_AROUND(sptr, sendfile, (int to, int from, sptr *offset, uptr size),
             (to, from, offset, size), recorder.ReadObject(offset),
             if (res >= 0) recorder.WriteObject(offset))
ATSAN_AROUND(sptr, splice,
             (int from, sptr *from_offset, int to, sptr *to_offset, uptr size,
              unsigned flags),
             (from, from_offset, to, to_offset, size, flags),
             (recorder.ReadObject(from_offset), recorder.ReadObject(to_offset)),
             if (res >= 0)(recorder.WriteObject(from_offset),
                           recorder.WriteObject(to_offset)))
// <fcntl.h> declares what is intercepted here.
extern "C" int fcntl(int fd, int command, ...);
constexpr int kGetFlags = 3;    // F_GETFL
constexpr int kAccessMode = 3;  // O_ACCMODE
constexpr int kForReading = 0;  // O_RDONLY

// Memory goes into a pipe whose end is for writing, and comes out of the other.
ATSAN_INTERCEPTOR(sptr, vmsplice, int fd, const __sanitizer_iovec *vector,
                  uptr count, unsigned flags) {
  ATSAN_ENTER(vmsplice, fd, vector, count, flags);
  const bool comes = (fcntl(fd, kGetFlags) & kAccessMode) == kForReading;
  if (comes)
    ReadVector(recorder, vector, count);
  else
    ReadVectorAndParts(recorder, vector, count);
  const sptr res = REAL(vmsplice)(fd, vector, count, flags);
  if (comes)
    WriteParts(recorder, vector, count, res);
  return res;
}
ATSAN_AROUND(sptr, copy_file_range,
             (int from, sptr *from_offset, int to, sptr *to_offset, uptr size,
              unsigned flags),
             (from, from_offset, to, to_offset, size, flags),
             (recorder.ReadObject(from_offset), recorder.ReadObject(to_offset)),
             if (res > 0)(recorder.WriteObject(from_offset),
                          recorder.WriteObject(to_offset)))

// --- Waiting for descriptors. ------------------------------------------------

ATSAN_BEFORE(int, epoll_ctl, (int epoll, int op, int fd, void *event),
             (epoll, op, fd, event),
             recorder.ReadOptional(event, struct_epoll_event_sz))

static void EpollPoint(const KernelCall &call, int epoll, u64 limit) {
  const FileToAwait file = {epoll, kReadable, 0};
  PollPoint(call, &file, 1, limit);
}

ATSAN_INTERCEPTOR(int, epoll_wait, int epoll, void *events, int max,
                  int timeout) {
  ATSAN_KERNEL_POINT(epoll_wait, EpollPoint, epoll, LimitOf(timeout));
  ATSAN_ENTER(epoll_wait, epoll, events, max, timeout);
  int res = REAL(epoll_wait)(epoll, events, max, timeout);
  if (res > 0)
    recorder.Write(events, res * struct_epoll_event_sz);
  return res;
}

ATSAN_INTERCEPTOR(int, epoll_pwait, int epoll, void *events, int max,
                  int timeout, const void *mask) {
  ATSAN_KERNEL_POINT(epoll_pwait, EpollPoint, epoll, LimitOf(timeout));
  ATSAN_ENTER(epoll_pwait, epoll, events, max, timeout, mask);
  recorder.ReadOptional(mask, kSignalSet);
  int res = REAL(epoll_pwait)(epoll, events, max, timeout, mask);
  if (res > 0)
    recorder.Write(events, res * struct_epoll_event_sz);
  return res;
}

ATSAN_INTERCEPTOR(int, epoll_pwait2, int epoll, void *events, int max,
                  const void *timeout, const void *mask) {
  ATSAN_KERNEL_POINT(epoll_pwait2, EpollPoint, epoll, LimitOf(timeout));
  ATSAN_ENTER(epoll_pwait2, epoll, events, max, timeout, mask);
  recorder.ReadOptional(timeout, struct_timespec_sz);
  recorder.ReadOptional(mask, kSignalSet);
  int res = REAL(epoll_pwait2)(epoll, events, max, timeout, mask);
  if (res > 0)
    recorder.Write(events, res * struct_epoll_event_sz);
  return res;
}

// The words of a set that descriptors below `number` are in.
static uptr SetSize(int number) {
  constexpr int kBits = 8 * sizeof(long);
  return number > 0 ? (number + kBits - 1) / kBits * sizeof(long) : 0;
}

// Reads of the sets before the wait, writes after it.
struct DescriptorSets {
  int number;
  void *sets[3];
  void Read(const AccessRecorder &recorder) const {
    for (void *set : sets)
      recorder.ReadOptional(set, SetSize(number));
  }
  void Write(const AccessRecorder &recorder) const {
    for (void *set : sets)
      recorder.WriteOptional(set, SetSize(number));
  }
  static void Point(const KernelCall &call, const DescriptorSets &s,
                    u64 limit) {
    SelectPoint(call, s.number, s.sets, SetSize(s.number), limit);
  }
};

// The limit of select, in nanoseconds.
static u64 LimitOfTimeval(const void *time) {
  const u64 limit = LimitOf(time);
  // What was read as nanoseconds are microseconds.
  return limit == kNever ? kNever
                         : limit / kSecond * kSecond + limit % kSecond * 1000;
}

ATSAN_INTERCEPTOR(int, select, int number, void *readable, void *writable,
                  void *exceptional, void *timeout) {
  DescriptorSets sets = {number, {readable, writable, exceptional}};
  ATSAN_KERNEL_POINT(select, DescriptorSets::Point, sets,
                     LimitOfTimeval(timeout));
  ATSAN_ENTER(select, number, readable, writable, exceptional, timeout);
  sets.Read(recorder);
  recorder.ReadOptional(timeout, timeval_sz);
  int res = REAL(select)(number, readable, writable, exceptional, timeout);
  if (res >= 0)
    sets.Write(recorder);
  // Linux puts in what is left, also after a signal.
  recorder.WriteOptional(timeout, timeval_sz);
  return res;
}

ATSAN_INTERCEPTOR(int, pselect, int number, void *readable, void *writable,
                  void *exceptional, const void *timeout, const void *mask) {
  DescriptorSets sets = {number, {readable, writable, exceptional}};
  ATSAN_KERNEL_POINT(pselect, DescriptorSets::Point, sets, LimitOf(timeout));
  ATSAN_ENTER(pselect, number, readable, writable, exceptional, timeout, mask);
  sets.Read(recorder);
  recorder.ReadOptional(timeout, struct_timespec_sz);
  recorder.ReadOptional(mask, kSignalSet);
  int res =
      REAL(pselect)(number, readable, writable, exceptional, timeout, mask);
  if (res >= 0)
    sets.Write(recorder);
  return res;
}
