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

// --- Sets of signals: libc uses what the kernel knows of them. ---------------

typedef u64 SignalSet;

ATSAN_BEFORE(int, sigemptyset, (SignalSet *set), (set),
             recorder.WriteObject(set))
ATSAN_BEFORE(int, sigfillset, (SignalSet *set), (set),
             recorder.WriteObject(set))
ATSAN_AFTER(int, sigaddset, (SignalSet *set, int signal), (set, signal),
            if (res == 0) recorder.UpdateObject(set))
ATSAN_AFTER(int, sigdelset, (SignalSet *set, int signal), (set, signal),
            if (res == 0) recorder.UpdateObject(set))
ATSAN_BEFORE(int, sigandset,
             (SignalSet *set, const SignalSet *a, const SignalSet *b),
             (set, a, b), recorder.ReadObject(a), recorder.ReadObject(b),
             recorder.WriteObject(set))
ATSAN_BEFORE(int, sigorset,
             (SignalSet *set, const SignalSet *a, const SignalSet *b),
             (set, a, b), recorder.ReadObject(a), recorder.ReadObject(b),
             recorder.WriteObject(set))
ATSAN_AFTER(int, sigismember, (const SignalSet *set, int signal), (set, signal),
            if (res != -1) recorder.ReadObject(set))
ATSAN_BEFORE(int, sigisemptyset, (const SignalSet *set), (set),
             recorder.ReadObject(set))

// --- Sets of processors. -----------------------------------------------------

ATSAN_BEFORE(int, sched_setaffinity, (int pid, uptr size, const void *set),
             (pid, size, set), recorder.Read(set, size))
ATSAN_BEFORE(int, pthread_setaffinity_np,
             (void *thread, uptr size, const void *set), (thread, size, set),
             recorder.Read(set, size))
ATSAN_BEFORE(int, pthread_attr_setaffinity_np,
             (void *attributes, uptr size, const void *set),
             (attributes, size, set), recorder.Read(set, size))

// The macro CPU_COUNT calls this function.
ATSAN_BEFORE(int, __sched_cpucount, (uptr size, const void *set), (size, set),
             recorder.Read(set, size))
ATSAN_AFTER(int, getcpu, (unsigned *processor, unsigned *node),
            (processor, node),
            if (res == 0)(recorder.WriteObject(processor),
                          recorder.WriteObject(node)))

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

ATSAN_BEFORE(int, fegetenv, (void *state), (state),
             recorder.Write(state, kEnvironment))
ATSAN_BEFORE(int, feholdexcept, (void *state), (state),
             recorder.Write(state, kEnvironment))
ATSAN_BEFORE(int, fesetenv, (const void *state), (state),
             if (IsInMemory(state)) recorder.Read(state, kEnvironment))
ATSAN_BEFORE(int, feupdateenv, (const void *state), (state),
             if (IsInMemory(state)) recorder.Read(state, kEnvironment))

// Floating-point modes are two words, with padding between them.
ATSAN_BEFORE(int, fegetmode, (FloatModes *modes), (modes),
             recorder.WriteObject(&modes->control),
             recorder.WriteObject(&modes->vector_control))

ATSAN_BEFORE(
    int, fesetmode, (const FloatModes *modes), (modes),
    if (IsInMemory(modes))(recorder.ReadObject(&modes->control),
                           recorder.ReadObject(&modes->vector_control)))

ATSAN_BEFORE(int, fegetexceptflag, (void *flags, int which), (flags, which),
             recorder.Write(flags, kFlags))
ATSAN_BEFORE(int, fesetexceptflag, (const void *flags, int which),
             (flags, which), recorder.Read(flags, kFlags))
ATSAN_BEFORE(int, fetestexceptflag, (const void *flags, int which),
             (flags, which), recorder.Read(flags, kFlags))

// --- Terminals. --------------------------------------------------------------

// The kernel knows so many control characters.
constexpr uptr kCharacters = 19;

ATSAN_BEFORE(int, tcsetattr, (int fd, int when, const termios *settings),
             (fd, when, settings),
             recorder.Read(settings,
                           __builtin_offsetof(termios, c_cc) + kCharacters))

ATSAN_BEFORE(unsigned, cfgetospeed, (const termios *settings), (settings),
             recorder.ReadObject(&settings->c_cflag))

// One input flag says that the terminal hangs up.
ATSAN_AROUND(unsigned, cfgetispeed, (const termios *settings), (settings),
             recorder.ReadObject(&settings->c_iflag),
             if (res != B0) recorder.ReadObject(&settings->c_cflag))

static void SetOutputSpeed(const AccessRecorder &recorder,
                           const termios *settings) {
  recorder.UpdateObject(&settings->c_cflag);
  recorder.WriteObject(&settings->c_ospeed);
}

static void SetInputSpeed(const AccessRecorder &recorder,
                          const termios *settings, unsigned speed) {
  recorder.UpdateObject(&settings->c_iflag);
  if (speed != B0)
    recorder.UpdateObject(&settings->c_cflag);
  recorder.WriteObject(&settings->c_ispeed);
}

ATSAN_AFTER(int, cfsetospeed, (termios *settings, unsigned speed),
            (settings, speed), if (res == 0) SetOutputSpeed(recorder, settings))
ATSAN_AFTER(int, cfsetispeed, (termios *settings, unsigned speed),
            (settings, speed),
            if (res == 0) SetInputSpeed(recorder, settings, speed))

ATSAN_AFTER(int, cfsetspeed, (termios *settings, unsigned speed),
            (settings, speed),
            if (res == 0)(SetInputSpeed(recorder, settings, speed),
                          SetOutputSpeed(recorder, settings)))

ATSAN_BEFORE(void, cfmakeraw, (termios *settings), (settings),
             recorder.UpdateObject(&settings->c_iflag),
             recorder.UpdateObject(&settings->c_oflag),
             recorder.UpdateObject(&settings->c_cflag),
             recorder.UpdateObject(&settings->c_lflag),
             recorder.WriteObject(&settings->c_cc[VTIME]),
             recorder.WriteObject(&settings->c_cc[VMIN]))
