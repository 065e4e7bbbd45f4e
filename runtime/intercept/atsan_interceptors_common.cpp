//===-- atsan_interceptors_common.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interceptors that all sanitizers share, with their accesses reported to
// the checker. What is switched off here is either in a file of ours, because
// exactness needs more than the shared version gives, or changes what the
// program does, or tells us nothing; docs/libc.md says which.
//
// Descriptors, streams and locks are not data: their macros stay empty.
//
//===----------------------------------------------------------------------===//
#include <stdarg.h>

#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/schedule/atsan_schedule_files.h"
#include "runtime/schedule/atsan_schedule_program.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_platform_interceptors.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"
#include "sanitizer_common/sanitizer_posix.h"

using namespace __atsan;

DECLARE_REAL_AND_INTERCEPTOR(void *, malloc, uptr size)
DECLARE_REAL_AND_INTERCEPTOR(void, free, void *ptr)
DECLARE_REAL(void *, memcpy, void *dst, const void *src, uptr size)
DECLARE_REAL(void *, memset, void *dst, int value, uptr size)

// --- Ours: exact bytes, reads before writes, or results of libc itself. ------

#undef SANITIZER_INTERCEPT_STRCMP
#undef SANITIZER_INTERCEPT_STRCASECMP
#undef SANITIZER_INTERCEPT_STRTOK
#undef SANITIZER_INTERCEPT_MEMMEM
#undef SANITIZER_INTERCEPT_MEMCMP
#undef SANITIZER_INTERCEPT_BCMP
#undef SANITIZER_INTERCEPT_MEMRCHR
#undef SANITIZER_INTERCEPT_RAND_R
#undef SANITIZER_INTERCEPT_TSEARCH
#undef SANITIZER_INTERCEPT_IOCTL
#undef SANITIZER_INTERCEPT_CONFSTR
#undef SANITIZER_INTERCEPT_PRINTF
#undef SANITIZER_INTERCEPT_ISOC99_PRINTF
#undef SANITIZER_INTERCEPT___PRINTF_CHK
#undef SANITIZER_INTERCEPT_SCANF
#undef SANITIZER_INTERCEPT_ISOC99_SCANF
#undef SANITIZER_INTERCEPT_RECVMSG
#undef SANITIZER_INTERCEPT_RECVMMSG
#undef SANITIZER_INTERCEPT_MBSTOWCS
#undef SANITIZER_INTERCEPT_MBSNRTOWCS
#undef SANITIZER_INTERCEPT_WCSTOMBS
#undef SANITIZER_INTERCEPT_WCSNRTOMBS
#undef SANITIZER_INTERCEPT_QSORT
#undef SANITIZER_INTERCEPT_QSORT_R
#undef SANITIZER_INTERCEPT_LOCALTIME_AND_FRIENDS
#undef SANITIZER_INTERCEPT_SIGSETOPS
#undef SANITIZER_INTERCEPT_SIGSET_LOGICOPS
#undef SANITIZER_INTERCEPT_RANDOM_R
#undef SANITIZER_INTERCEPT_DRAND48_R
#undef SANITIZER_INTERCEPT_GETNAMEINFO
#undef SANITIZER_INTERCEPT_CLOCK_GETTIME
#undef SANITIZER_INTERCEPT_TIME
#undef SANITIZER_INTERCEPT_READV
#undef SANITIZER_INTERCEPT_PREADV
#undef SANITIZER_INTERCEPT_PREADV64
#undef SANITIZER_INTERCEPT_PREADV2
#undef SANITIZER_INTERCEPT_PROCESS_VM_READV
#undef SANITIZER_INTERCEPT_RECV_RECVFROM
#undef SANITIZER_INTERCEPT_ACCEPT
#undef SANITIZER_INTERCEPT_ACCEPT4
#undef SANITIZER_INTERCEPT_GETSOCKNAME
#undef SANITIZER_INTERCEPT_GETPEERNAME
#undef SANITIZER_INTERCEPT_GETSOCKOPT
#undef SANITIZER_INTERCEPT_ICONV

// Data that another process or thread receives was read before the call: it may
// be answered, and changed, before the call returns.
#undef SANITIZER_INTERCEPT_WRITE
#undef SANITIZER_INTERCEPT_PWRITE
#undef SANITIZER_INTERCEPT_PWRITE64
#undef SANITIZER_INTERCEPT_WRITEV
#undef SANITIZER_INTERCEPT_PWRITEV
#undef SANITIZER_INTERCEPT_PWRITEV64
#undef SANITIZER_INTERCEPT_PWRITEV2
#undef SANITIZER_INTERCEPT_SENDMSG
#undef SANITIZER_INTERCEPT_SENDMMSG
#undef SANITIZER_INTERCEPT_SEND_SENDTO
#undef SANITIZER_INTERCEPT_FWRITE

// Threads, locks, memory and exits are more than accesses.
#undef SANITIZER_INTERCEPT_PRCTL
#undef SANITIZER_INTERCEPT_PTHREAD_SETCANCEL
#undef SANITIZER_INTERCEPT_PTHREAD_SETNAME_NP
#undef SANITIZER_INTERCEPT_SEM
#undef SANITIZER_INTERCEPT_MMAP
#undef SANITIZER_INTERCEPT_MMAP64
#undef SANITIZER_INTERCEPT__EXIT
#undef SANITIZER_INTERCEPT_DLOPEN_DLCLOSE

// --- Not intercepted: the program would behave differently. ------------------

#undef SANITIZER_INTERCEPT_MLOCKX
#undef SANITIZER_INTERCEPT_MCHECK_MPROBE
#undef SANITIZER_INTERCEPT_BSEARCH

// Functions that this libc lacks would seem to exist.
#undef SANITIZER_INTERCEPT_XDR
#undef SANITIZER_INTERCEPT_XDRREC
#undef SANITIZER_INTERCEPT_STRLCPY
#undef SANITIZER_INTERCEPT_PTHREAD_MUTEXATTR_GETROBUST_NP

// The linker warns of every program that may reach these.
#undef SANITIZER_INTERCEPT_TMPNAM
#undef SANITIZER_INTERCEPT_TMPNAM_R
#undef SANITIZER_INTERCEPT_TEMPNAM

// --- Not intercepted: there is nothing to report. ----------------------------

#undef SANITIZER_INTERCEPT_LGAMMA
#undef SANITIZER_INTERCEPT_LGAMMAL
#undef SANITIZER_INTERCEPT_SETPWENT
#undef SANITIZER_INTERCEPT_STRERROR
#undef SANITIZER_INTERCEPT_LIBIO_INTERNALS
#undef SANITIZER_INTERCEPT_OPEN_MEMSTREAM
#undef SANITIZER_INTERCEPT_OBSTACK
#undef SANITIZER_INTERCEPT_FFLUSH
#undef SANITIZER_INTERCEPT_FCLOSE
#undef SANITIZER_INTERCEPT_PCLOSE
#undef SANITIZER_INTERCEPT_FOPENCOOKIE
#undef SANITIZER_INTERCEPT_SETVBUF
#undef SANITIZER_INTERCEPT_TLS_GET_ADDR

// -----------------------------------------------------------------------------

#define COMMON_INTERCEPTOR_NOTHING_IS_INITIALIZED (!runtime_ready)

namespace {

constexpr bool StartsWith(const char *s, const char *prefix) {
  while (*prefix)
    if (*s++ != *prefix++)
      return false;
  return true;
}

// Whether the text of a size is that of a string of which the shared code reads
// all with strict_string_checks, and none otherwise. The functions read all.
constexpr bool IsWholeString(const char *size) {
  constexpr char kNoneOfIt[] = ": (0)";
  const char *end = size;
  while (*end)
    end++;
  return end - size >= 5 && StartsWith(end - 5, kNoneOfIt);
}

template <bool kWholeString>
void ReadRange(const void *ctx, const void *addr, uptr size) {
  auto *recorder = static_cast<const AccessRecorder *>(ctx);
  if (kWholeString)
    recorder->ReadString(static_cast<const char *>(addr));
  else
    recorder->Read(addr, size);
}

// The size of an object of which `size` bytes are said to be accessed.
inline uptr AccessedSize(const void *, uptr size) { return size; }
inline uptr AccessedSize(const __sanitizer_sigset_t *, uptr) {
  return kSignalSet;
}

// Functions that load modules of the system (nsswitch.conf), whose own data
// nobody can tell from the program's.
constexpr const char *kForeignPrefixes[] = {
    "getpw",       "getgr",      "gethost",  "getaddrinfo",
    "getnameinfo", "initgroups", "getproto", "getnet"};
constexpr bool RunsForeignCode(const char *function) {
  for (const char *prefix : kForeignPrefixes)
    if (StartsWith(function, prefix))
      return true;
  return false;
}

// Out of a function that is cancelled the destructor is not called, and what
// the dying thread still does is ignored.
template <bool kIsForeign>
class ScopedForeignCode {
 public:
  ScopedForeignCode() { cur_thread->ignore_accesses++; }
  ~ScopedForeignCode() { cur_thread->ignore_accesses--; }
};
template <>
class ScopedForeignCode<false> {
 public:
  ScopedForeignCode() {}
};

// What a function of the shared code does that a schedule must know of: it may
// wait in the kernel, or another process takes part from then on.
enum class ScheduleEffect { kNone, kReads, kPolls, kOutside, kStartsProcess };

constexpr bool IsSame(const char *a, const char *b) {
  return StartsWith(a, b) && StartsWith(b, a);
}

constexpr ScheduleEffect EffectOf(const char *function) {
  constexpr struct {
    const char *function;
    ScheduleEffect effect;
  } kEffects[] = {
      {"read", ScheduleEffect::kReads},
      {"eventfd_read", ScheduleEffect::kReads},
      {"poll", ScheduleEffect::kPolls},
      {"ppoll", ScheduleEffect::kPolls},
      {"wait", ScheduleEffect::kOutside},
      {"waitid", ScheduleEffect::kOutside},
      {"waitpid", ScheduleEffect::kOutside},
      {"wait3", ScheduleEffect::kOutside},
      {"__wait4", ScheduleEffect::kOutside},
      {"wait4", ScheduleEffect::kOutside},
      {"sigwait", ScheduleEffect::kOutside},
      {"sigwaitinfo", ScheduleEffect::kOutside},
      {"sigtimedwait", ScheduleEffect::kOutside},
      {"msgsnd", ScheduleEffect::kOutside},
      {"msgrcv", ScheduleEffect::kOutside},
      {"popen", ScheduleEffect::kStartsProcess},
      {"popenve", ScheduleEffect::kStartsProcess},
      {"posix_spawn", ScheduleEffect::kStartsProcess},
      {"posix_spawnp", ScheduleEffect::kStartsProcess},
  };
  for (const auto &e : kEffects)
    if (IsSame(function, e.function))
      return e.effect;
  return ScheduleEffect::kNone;
}

// Called with the arguments of the function.
template <ScheduleEffect kEffect>
struct EffectPoint {
  KernelCall call;
  template <class... Arguments>
  void Before(Arguments...) const {
    if (kEffect == ScheduleEffect::kOutside)
      OutsidePoint(call);
    if (kEffect == ScheduleEffect::kStartsProcess)
      ScheduleAfterForkInParent();
  }
};
template <>
struct EffectPoint<ScheduleEffect::kReads> {
  KernelCall call;
  template <class... Rest>
  void Before(int fd, Rest...) const {
    ReadPoint(call, fd);
  }
};
template <>
struct EffectPoint<ScheduleEffect::kPolls> {
  KernelCall call;
  template <class Limit, class... Rest>
  void Before(const void *files, uptr count, Limit limit, Rest...) const {
    PollPoint(call, files, count, LimitOf(limit));
  }
};

}  // namespace

// The point comes before all that may go past the rest.
#define COMMON_INTERCEPTOR_ENTER(ctx, func, ...)                     \
  if constexpr (EffectOf(#func) != ScheduleEffect::kNone)            \
    if (ScheduledThread *self = CurrentScheduled())                  \
      EffectPoint<EffectOf(#func)>{                                  \
          {self, ATSAN_SCHEDULE_PLACE(#func), ATSAN_CALLER_POINT()}} \
          .Before(__VA_ARGS__);                                      \
  ATSAN_ENTER(func, __VA_ARGS__);                                    \
  ScopedForeignCode<RunsForeignCode(#func)> foreign_code;            \
  ctx = &recorder

#define COMMON_INTERCEPTOR_BLOCK_REAL(name) REAL(name)

#define COMMON_INTERCEPTOR_READ_RANGE(ctx, addr, size) \
  ReadRange<IsWholeString(#size)>(ctx, addr, AccessedSize(addr, size))
#define COMMON_INTERCEPTOR_WRITE_RANGE(ctx, addr, size) \
  static_cast<const AccessRecorder *>(ctx)->Write(addr, \
                                                  AccessedSize(addr, size))

#define COMMON_INTERCEPTOR_DIR_ACQUIRE(ctx, path)
#define COMMON_INTERCEPTOR_FD_ACQUIRE(ctx, fd)
#define COMMON_INTERCEPTOR_FD_RELEASE(ctx, fd)
#define COMMON_INTERCEPTOR_FD_SOCKET_ACCEPT(ctx, fd, new_fd)

// Not every libc has all of the functions.
#define COMMON_INTERCEPT_FUNCTION(name) INTERCEPT_FUNCTION(name)
#define COMMON_INTERCEPT_FUNCTION_VER(name, version) \
  INTERCEPT_FUNCTION_VER(name, version)
#define COMMON_INTERCEPT_FUNCTION_VER_UNVERSIONED_FALLBACK(name, version) \
  (INTERCEPT_FUNCTION_VER(name, version) || INTERCEPT_FUNCTION(name))

#include "sanitizer_common/sanitizer_common_interceptors.inc"

// The block operations are in atsan_interceptors_memory.cpp.
namespace __sanitizer {
void InitializeMemintrinsicInterceptors() {}
}  // namespace __sanitizer

ATSAN_INTERCEPTOR_ENTRY(common, InitializeCommonInterceptors())
