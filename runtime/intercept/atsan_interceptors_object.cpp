//===-- atsan_interceptors_object.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that read or write one object of the program: sets of signals and
// of processors, settings of terminals and of floating-point arithmetic, times
// of files, limits.
//
//===----------------------------------------------------------------------===//
#include <termios.h>

#include "runtime/intercept/atsan_interceptors.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

using namespace __atsan;

template <class T>
static void Update(const AccessRecorder &recorder, const T *object) {
  recorder.ReadObject(object);
  recorder.WriteObject(object);
}

// --- Sets of signals: libc uses what the kernel knows of them. ---------------

typedef u64 SignalSet;

#define ATSAN_SET_ALL_INTERCEPTOR(func)          \
  ATSAN_INTERCEPTOR(int, func, SignalSet *set) { \
    ATSAN_ENTER(func, set);                      \
    recorder.WriteObject(set);                   \
    return REAL(func)(set);                      \
  }

#define ATSAN_SET_ONE_INTERCEPTOR(func)                      \
  ATSAN_INTERCEPTOR(int, func, SignalSet *set, int signal) { \
    ATSAN_ENTER(func, set, signal);                          \
    int res = REAL(func)(set, signal);                       \
    if (res == 0)                                            \
      Update(recorder, set);                                 \
    return res;                                              \
  }

#define ATSAN_SET_JOIN_INTERCEPTOR(func)                           \
  ATSAN_INTERCEPTOR(int, func, SignalSet *set, const SignalSet *a, \
                    const SignalSet *b) {                          \
    ATSAN_ENTER(func, set, a, b);                                  \
    recorder.ReadObject(a);                                        \
    recorder.ReadObject(b);                                        \
    recorder.WriteObject(set);                                     \
    return REAL(func)(set, a, b);                                  \
  }

ATSAN_SET_ALL_INTERCEPTOR(sigemptyset)
ATSAN_SET_ALL_INTERCEPTOR(sigfillset)
ATSAN_SET_ONE_INTERCEPTOR(sigaddset)
ATSAN_SET_ONE_INTERCEPTOR(sigdelset)
ATSAN_SET_JOIN_INTERCEPTOR(sigandset)
ATSAN_SET_JOIN_INTERCEPTOR(sigorset)

ATSAN_INTERCEPTOR(int, sigismember, const SignalSet *set, int signal) {
  ATSAN_ENTER(sigismember, set, signal);
  int res = REAL(sigismember)(set, signal);
  if (res != -1)
    recorder.ReadObject(set);
  return res;
}

ATSAN_INTERCEPTOR(int, sigisemptyset, const SignalSet *set) {
  ATSAN_ENTER(sigisemptyset, set);
  recorder.ReadObject(set);
  return REAL(sigisemptyset)(set);
}

// --- Sets of processors. -----------------------------------------------------

ATSAN_INTERCEPTOR(int, sched_setaffinity, int pid, uptr size, const void *set) {
  ATSAN_ENTER(sched_setaffinity, pid, size, set);
  recorder.Read(set, size);
  return REAL(sched_setaffinity)(pid, size, set);
}

ATSAN_INTERCEPTOR(int, pthread_setaffinity_np, void *thread, uptr size,
                  const void *set) {
  ATSAN_ENTER(pthread_setaffinity_np, thread, size, set);
  recorder.Read(set, size);
  return REAL(pthread_setaffinity_np)(thread, size, set);
}

ATSAN_INTERCEPTOR(int, pthread_attr_setaffinity_np, void *attributes, uptr size,
                  const void *set) {
  ATSAN_ENTER(pthread_attr_setaffinity_np, attributes, size, set);
  recorder.Read(set, size);
  return REAL(pthread_attr_setaffinity_np)(attributes, size, set);
}

// The macro CPU_COUNT calls this function.
ATSAN_INTERCEPTOR(int, __sched_cpucount, uptr size, const void *set) {
  ATSAN_ENTER(__sched_cpucount, size, set);
  recorder.Read(set, size);
  return REAL(__sched_cpucount)(size, set);
}

ATSAN_INTERCEPTOR(int, getcpu, unsigned *processor, unsigned *node) {
  ATSAN_ENTER(getcpu, processor, node);
  int res = REAL(getcpu)(processor, node);
  if (res == 0) {
    recorder.WriteObject(processor);
    recorder.WriteObject(node);
  }
  return res;
}

// --- Floating-point arithmetic. ----------------------------------------------

// Sizes on 64-bit x86. In place of the address of an environment there may be
// one of two small negative numbers.
constexpr uptr kEnvironment = 32;
constexpr uptr kFlags = 2;
struct FloatModes {
  u16 control;
  u32 vector_control;
};

static bool IsInMemory(const void *environment) {
  return reinterpret_cast<sptr>(environment) > 0;
}

#define ATSAN_FENV_GET_INTERCEPTOR(func, size) \
  ATSAN_INTERCEPTOR(int, func, void *state) {  \
    ATSAN_ENTER(func, state);                  \
    recorder.Write(state, size);               \
    return REAL(func)(state);                  \
  }

#define ATSAN_FENV_SET_INTERCEPTOR(func, size)      \
  ATSAN_INTERCEPTOR(int, func, const void *state) { \
    ATSAN_ENTER(func, state);                       \
    if (IsInMemory(state))                          \
      recorder.Read(state, size);                   \
    return REAL(func)(state);                       \
  }

ATSAN_FENV_GET_INTERCEPTOR(fegetenv, kEnvironment)
ATSAN_FENV_GET_INTERCEPTOR(feholdexcept, kEnvironment)
ATSAN_FENV_SET_INTERCEPTOR(fesetenv, kEnvironment)
ATSAN_FENV_SET_INTERCEPTOR(feupdateenv, kEnvironment)

// Floating-point modes are two words, with padding between them.
ATSAN_INTERCEPTOR(int, fegetmode, FloatModes *modes) {
  ATSAN_ENTER(fegetmode, modes);
  recorder.WriteObject(&modes->control);
  recorder.WriteObject(&modes->vector_control);
  return REAL(fegetmode)(modes);
}

ATSAN_INTERCEPTOR(int, fesetmode, const FloatModes *modes) {
  ATSAN_ENTER(fesetmode, modes);
  if (IsInMemory(modes)) {
    recorder.ReadObject(&modes->control);
    recorder.ReadObject(&modes->vector_control);
  }
  return REAL(fesetmode)(modes);
}

ATSAN_INTERCEPTOR(int, fegetexceptflag, void *flags, int which) {
  ATSAN_ENTER(fegetexceptflag, flags, which);
  recorder.Write(flags, kFlags);
  return REAL(fegetexceptflag)(flags, which);
}

ATSAN_INTERCEPTOR(int, fesetexceptflag, const void *flags, int which) {
  ATSAN_ENTER(fesetexceptflag, flags, which);
  recorder.Read(flags, kFlags);
  return REAL(fesetexceptflag)(flags, which);
}

ATSAN_INTERCEPTOR(int, fetestexceptflag, const void *flags, int which) {
  ATSAN_ENTER(fetestexceptflag, flags, which);
  recorder.Read(flags, kFlags);
  return REAL(fetestexceptflag)(flags, which);
}

// --- Terminals. --------------------------------------------------------------

ATSAN_INTERCEPTOR(int, tcsetattr, int fd, int when, const termios *settings) {
  ATSAN_ENTER(tcsetattr, fd, when, settings);
  // The kernel knows so many control characters.
  constexpr uptr kCharacters = 19;
  recorder.Read(settings, __builtin_offsetof(termios, c_cc) + kCharacters);
  return REAL(tcsetattr)(fd, when, settings);
}

ATSAN_INTERCEPTOR(unsigned, cfgetospeed, const termios *settings) {
  ATSAN_ENTER(cfgetospeed, settings);
  recorder.ReadObject(&settings->c_cflag);
  return REAL(cfgetospeed)(settings);
}

// One input flag says that the terminal hangs up.
ATSAN_INTERCEPTOR(unsigned, cfgetispeed, const termios *settings) {
  ATSAN_ENTER(cfgetispeed, settings);
  recorder.ReadObject(&settings->c_iflag);
  unsigned res = REAL(cfgetispeed)(settings);
  if (res != B0)
    recorder.ReadObject(&settings->c_cflag);
  return res;
}

static void SetOutputSpeed(const AccessRecorder &recorder,
                           const termios *settings) {
  Update(recorder, &settings->c_cflag);
  recorder.WriteObject(&settings->c_ospeed);
}

static void SetInputSpeed(const AccessRecorder &recorder,
                          const termios *settings, unsigned speed) {
  Update(recorder, &settings->c_iflag);
  if (speed != B0)
    Update(recorder, &settings->c_cflag);
  recorder.WriteObject(&settings->c_ispeed);
}

ATSAN_INTERCEPTOR(int, cfsetospeed, termios *settings, unsigned speed) {
  ATSAN_ENTER(cfsetospeed, settings, speed);
  int res = REAL(cfsetospeed)(settings, speed);
  if (res == 0)
    SetOutputSpeed(recorder, settings);
  return res;
}

ATSAN_INTERCEPTOR(int, cfsetispeed, termios *settings, unsigned speed) {
  ATSAN_ENTER(cfsetispeed, settings, speed);
  int res = REAL(cfsetispeed)(settings, speed);
  if (res == 0)
    SetInputSpeed(recorder, settings, speed);
  return res;
}

ATSAN_INTERCEPTOR(int, cfsetspeed, termios *settings, unsigned speed) {
  ATSAN_ENTER(cfsetspeed, settings, speed);
  int res = REAL(cfsetspeed)(settings, speed);
  if (res == 0) {
    SetInputSpeed(recorder, settings, speed);
    SetOutputSpeed(recorder, settings);
  }
  return res;
}

ATSAN_INTERCEPTOR(void, cfmakeraw, termios *settings) {
  ATSAN_ENTER(cfmakeraw, settings);
  Update(recorder, &settings->c_iflag);
  Update(recorder, &settings->c_oflag);
  Update(recorder, &settings->c_cflag);
  Update(recorder, &settings->c_lflag);
  recorder.WriteObject(&settings->c_cc[VTIME]);
  recorder.WriteObject(&settings->c_cc[VMIN]);
  REAL(cfmakeraw)(settings);
}
