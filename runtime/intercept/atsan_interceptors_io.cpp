//===-- atsan_interceptors_io.cpp -----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is sent. The data is read before the call: its receiver, who may be
// another thread, may answer, and this thread's data be changed upon that
// answer, before the call returns. So a call that sends only a part counts as
// one that read everything it was given.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_format.h"
#include "runtime/schedule/atsan_schedule_files.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

using namespace __atsan;

// A point before a call of the kernel, while schedules are controlled.
#define ATSAN_KERNEL_POINT(function, point, ...)                           \
  do {                                                                     \
    if (ScheduledThread *self = CurrentScheduled())                        \
      point({self, ATSAN_SCHEDULE_PLACE(#function), ATSAN_CALLER_POINT()}, \
            __VA_ARGS__);                                                  \
  } while (false)

static void ReadVector(const AccessRecorder &recorder,
                       const __sanitizer_iovec *vector, uptr count) {
  recorder.Read(vector, count * sizeof(*vector));
  for (uptr i = 0; i < count; i++)
    recorder.Read(vector[i].iov_base, vector[i].iov_len);
}

static void ReadMessage(const AccessRecorder &recorder,
                        const __sanitizer_msghdr *message) {
  recorder.ReadObject(message);
  recorder.Read(message->msg_name, message->msg_namelen);
  ReadVector(recorder, message->msg_iov, message->msg_iovlen);
  recorder.Read(message->msg_control, message->msg_controllen);
}

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
  ReadVector(recorder, vector, count);
  return REAL(writev)(fd, vector, count);
}
ATSAN_BEFORE(sptr, pwritev,
             (int fd, const __sanitizer_iovec *vector, int count, sptr offset),
             (fd, vector, count, offset), ReadVector(recorder, vector, count))
ATSAN_BEFORE(sptr, pwritev2,
             (int fd, const __sanitizer_iovec *vector, int count, sptr offset,
              int flags),
             (fd, vector, count, offset, flags),
             ReadVector(recorder, vector, count))

ATSAN_INTERCEPTOR(uptr, fwrite, const void *data, uptr size, uptr number,
                  void *file) {
  ATSAN_ENTER(fwrite, data, size, number, file);
  recorder.Read(data, size * number);
  return REAL(fwrite)(data, size, number, file);
}

ATSAN_INTERCEPTOR(uptr, fwrite_unlocked, const void *data, uptr size,
                  uptr number, void *file) {
  ATSAN_ENTER(fwrite_unlocked, data, size, number, file);
  recorder.Read(data, size * number);
  return REAL(fwrite_unlocked)(data, size, number, file);
}

// --- Sockets and message queues. ---------------------------------------------

ATSAN_INTERCEPTOR(sptr, send, int fd, const void *data, uptr size, int flags) {
  ATSAN_KERNEL_POINT(send, WritePoint, fd);
  ATSAN_ENTER(send, fd, data, size, flags);
  recorder.Read(data, size);
  return REAL(send)(fd, data, size, flags);
}

ATSAN_INTERCEPTOR(sptr, sendto, int fd, const void *data, uptr size, int flags,
                  const void *address, unsigned address_size) {
  ATSAN_KERNEL_POINT(sendto, WritePoint, fd);
  ATSAN_ENTER(sendto, fd, data, size, flags, address, address_size);
  recorder.Read(data, size);
  recorder.ReadOptional(address, address_size);
  return REAL(sendto)(fd, data, size, flags, address, address_size);
}

ATSAN_INTERCEPTOR(sptr, sendmsg, int fd, const __sanitizer_msghdr *message,
                  int flags) {
  ATSAN_KERNEL_POINT(sendmsg, WritePoint, fd);
  ATSAN_ENTER(sendmsg, fd, message, flags);
  ReadMessage(recorder, message);
  return REAL(sendmsg)(fd, message, flags);
}

ATSAN_INTERCEPTOR(int, sendmmsg, int fd, __sanitizer_mmsghdr *messages,
                  unsigned count, int flags) {
  ATSAN_KERNEL_POINT(sendmmsg, WritePoint, fd);
  ATSAN_ENTER(sendmmsg, fd, messages, count, flags);
  for (unsigned i = 0; i < count; i++)
    ReadMessage(recorder, &messages[i].msg_hdr);
  int sent = REAL(sendmmsg)(fd, messages, count, flags);
  for (int i = 0; i < sent; i++)
    recorder.WriteObject(&messages[i].msg_len);
  return sent;
}

ATSAN_BEFORE(int, mq_send,
             (int queue, const char *data, uptr size, unsigned priority),
             (queue, data, size, priority), recorder.Read(data, size))
ATSAN_BEFORE(int, mq_timedsend,
             (int queue, const char *data, uptr size, unsigned priority,
              const void *deadline),
             (queue, data, size, priority, deadline), recorder.Read(data, size),
             recorder.ReadOptional(deadline, struct_timespec_sz))

// The kernel fills in the buffers and some of the message, but no vector.
static void WriteMessage(const AccessRecorder &recorder,
                         const __sanitizer_msghdr *message, uptr size) {
  const __sanitizer_iovec *vector = message->msg_iov;
  for (uptr i = 0; i < message->msg_iovlen && size; i++) {
    uptr part = Min<uptr>(vector[i].iov_len, size);
    recorder.Write(vector[i].iov_base, part);
    size -= part;
  }
  if (message->msg_name)
    recorder.Write(message->msg_name, message->msg_namelen);
  if (message->msg_control)
    recorder.Write(message->msg_control, message->msg_controllen);
  recorder.WriteObject(&message->msg_namelen);
  recorder.WriteObject(&message->msg_controllen);
  recorder.WriteObject(&message->msg_flags);
}

static void ReadReceiver(const AccessRecorder &recorder,
                         const __sanitizer_msghdr *message) {
  recorder.ReadObject(message);
  recorder.Read(message->msg_iov,
                message->msg_iovlen * sizeof(*message->msg_iov));
}

constexpr int kDoNotWait = 0x40;  // MSG_DONTWAIT

ATSAN_INTERCEPTOR(sptr, recvmsg, int fd, __sanitizer_msghdr *message,
                  int flags) {
  ATSAN_KERNEL_POINT(recvmsg, ReadPoint, fd, !(flags & kDoNotWait));
  ATSAN_ENTER(recvmsg, fd, message, flags);
  ReadReceiver(recorder, message);
  sptr res = REAL(recvmsg)(fd, message, flags);
  if (res >= 0)
    WriteMessage(recorder, message, res);
  return res;
}

ATSAN_INTERCEPTOR(int, recvmmsg, int fd, __sanitizer_mmsghdr *messages,
                  unsigned count, int flags, void *timeout) {
  ATSAN_KERNEL_POINT(recvmmsg, ReadPoint, fd, !(flags & kDoNotWait));
  ATSAN_ENTER(recvmmsg, fd, messages, count, flags, timeout);
  for (unsigned i = 0; i < count; i++)
    ReadReceiver(recorder, &messages[i].msg_hdr);
  recorder.ReadOptional(timeout, struct_timespec_sz);
  int received = REAL(recvmmsg)(fd, messages, count, flags, timeout);
  for (int i = 0; i < received; i++) {
    recorder.WriteObject(&messages[i].msg_len);
    WriteMessage(recorder, &messages[i].msg_hdr, messages[i].msg_len);
  }
  return received;
}

// --- What sanitizer_common does not know. ------------------------------------

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

ATSAN_INTERCEPTOR(uptr, fread_unlocked, void *data, uptr size, uptr number,
                  void *file) {
  ATSAN_ENTER(fread_unlocked, data, size, number, file);
  uptr res = REAL(fread_unlocked)(data, size, number, file);
  recorder.Write(data, size * res);
  return res;
}

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
ATSAN_AFTER(int, socketpair, (int domain, int type, int protocol, int *fds),
            (domain, type, protocol, fds),
            if (res == 0) recorder.Write(fds, 2 * sizeof(*fds)))

ATSAN_BEFORE(int, bind, (int fd, const void *address, unsigned size),
             (fd, address, size), recorder.Read(address, size))
ATSAN_BEFORE(int, connect, (int fd, const void *address, unsigned size),
             (fd, address, size), recorder.Read(address, size))

ATSAN_BEFORE(int, setsockopt,
             (int fd, int level, int name, const void *value, unsigned size),
             (fd, level, name, value, size), recorder.ReadOptional(value, size))

ATSAN_AROUND(sptr, sendfile, (int to, int from, sptr *offset, uptr size),
             (to, from, offset, size), recorder.ReadObject(offset),
             if (res >= 0) recorder.WriteObject(offset))

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
                  int timeout, const __sanitizer_sigset_t *mask) {
  ATSAN_KERNEL_POINT(epoll_pwait, EpollPoint, epoll, LimitOf(timeout));
  ATSAN_ENTER(epoll_pwait, epoll, events, max, timeout, mask);
  recorder.ReadObject(mask);
  int res = REAL(epoll_pwait)(epoll, events, max, timeout, mask);
  if (res > 0)
    recorder.Write(events, res * struct_epoll_event_sz);
  return res;
}

ATSAN_INTERCEPTOR(int, epoll_pwait2, int epoll, void *events, int max,
                  const void *timeout, const __sanitizer_sigset_t *mask) {
  ATSAN_KERNEL_POINT(epoll_pwait2, EpollPoint, epoll, LimitOf(timeout));
  ATSAN_ENTER(epoll_pwait2, epoll, events, max, timeout, mask);
  recorder.ReadOptional(timeout, struct_timespec_sz);
  recorder.ReadObject(mask);
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
  constexpr u64 kSecond = 1000 * 1000 * 1000;
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
                  void *exceptional, const void *timeout,
                  const __sanitizer_sigset_t *mask) {
  DescriptorSets sets = {number, {readable, writable, exceptional}};
  ATSAN_KERNEL_POINT(pselect, DescriptorSets::Point, sets, LimitOf(timeout));
  ATSAN_ENTER(pselect, number, readable, writable, exceptional, timeout, mask);
  sets.Read(recorder);
  recorder.ReadOptional(timeout, struct_timespec_sz);
  recorder.ReadObject(mask);
  int res =
      REAL(pselect)(number, readable, writable, exceptional, timeout, mask);
  if (res >= 0)
    sets.Write(recorder);
  return res;
}
