//===-- atsan_interceptors_socket.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sockets. Where the kernel fills in an address it reads how much room there
// is, and writes there how long the address is.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_kernel_call.h"

using namespace __atsan;

constexpr int kDoNotWait = 0x40;  // MSG_DONTWAIT

static void ReadMessage(const AccessRecorder &recorder,
                        const __sanitizer_msghdr *message) {
  recorder.ReadObject(message);
  recorder.Read(message->msg_name, message->msg_namelen);
  ReadVectorAndParts(recorder, message->msg_iov, message->msg_iovlen);
  recorder.Read(message->msg_control, message->msg_controllen);
}

// --- Sending. ----------------------------------------------------------------

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

// --- Receiving. --------------------------------------------------------------

namespace {

// A place for an address, or for the value of an option.
class Room {
 public:
  Room(const AccessRecorder &recorder, const void *place, const int *size)
      : recorder_(recorder),
        place_(place),
        size_(size),
        room_(size ? *size : 0) {
    recorder.ReadObject(size);
  }
  void Write() const {
    if (!size_)
      return;
    recorder_.WriteOptional(place_, Min(*size_, room_));
    recorder_.WriteObject(size_);
  }

 private:
  const AccessRecorder &recorder_;
  const void *place_;
  const int *size_;
  int room_;
};

}  // namespace

ATSAN_INTERCEPTOR(sptr, recv, int fd, void *data, uptr size, int flags) {
  ATSAN_KERNEL_POINT(recv, ReadPoint, fd, !(flags & kDoNotWait));
  ATSAN_ENTER(recv, fd, data, size, flags);
  sptr res = REAL(recv)(fd, data, size, flags);
  if (res > 0)
    recorder.Write(data, Min<uptr>(res, size));  // Longer with MSG_TRUNC.
  return res;
}

ATSAN_INTERCEPTOR(sptr, recvfrom, int fd, void *data, uptr size, int flags,
                  void *address, int *address_size) {
  ATSAN_KERNEL_POINT(recvfrom, ReadPoint, fd, !(flags & kDoNotWait));
  ATSAN_ENTER(recvfrom, fd, data, size, flags, address, address_size);
  const Room room(recorder, address, address ? address_size : nullptr);
  sptr res = REAL(recvfrom)(fd, data, size, flags, address, address_size);
  if (res > 0)
    recorder.Write(data, Min<uptr>(res, size));
  if (res >= 0)
    room.Write();
  return res;
}

// The kernel fills in the buffers and some of the message, but no vector.
static void WriteMessage(const AccessRecorder &recorder,
                         const __sanitizer_msghdr *message, sptr size) {
  WriteParts(recorder, message->msg_iov, message->msg_iovlen, size);
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
  ReadVector(recorder, message->msg_iov, message->msg_iovlen);
}

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

// --- Connections. ------------------------------------------------------------

ATSAN_INTERCEPTOR(int, accept, int fd, void *address, int *address_size) {
  ATSAN_KERNEL_POINT(accept, ReadPoint, fd);
  ATSAN_ENTER(accept, fd, address, address_size);
  const Room room(recorder, address, address ? address_size : nullptr);
  int res = REAL(accept)(fd, address, address_size);
  if (res >= 0)
    room.Write();
  return res;
}

ATSAN_INTERCEPTOR(int, accept4, int fd, void *address, int *address_size,
                  int flags) {
  ATSAN_KERNEL_POINT(accept4, ReadPoint, fd);
  ATSAN_ENTER(accept4, fd, address, address_size, flags);
  const Room room(recorder, address, address ? address_size : nullptr);
  int res = REAL(accept4)(fd, address, address_size, flags);
  if (res >= 0)
    room.Write();
  return res;
}

ATSAN_AROUND(int, getsockname, (int fd, void *address, int *size),
             (fd, address, size), const Room room(recorder, address, size),
             if (res == 0) room.Write())
ATSAN_AROUND(int, getpeername, (int fd, void *address, int *size),
             (fd, address, size), const Room room(recorder, address, size),
             if (res == 0) room.Write())

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
ATSAN_AROUND(int, getsockopt,
             (int fd, int level, int name, void *value, int *size),
             (fd, level, name, value, size),
             const Room room(recorder, value, size), if (res == 0) room.Write())
