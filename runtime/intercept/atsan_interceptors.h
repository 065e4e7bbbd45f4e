//===-- atsan_interceptors.h ------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the runtime intercepts functions of libc. An interceptor is written once:
// ATSAN_INTERCEPTOR defines it and enters it into the table of those to
// install.
//
// Every interceptor must survive calls before the runtime is ready, of threads
// without a state, and from our own code: it then does what libc does. Those
// that only report accesses begin with ATSAN_ENTER, which tests the gate; most
// of them are a line of ATSAN_BEFORE, ATSAN_AFTER or ATSAN_AROUND.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_INTERCEPTORS_H
#define ATSAN_INTERCEPTORS_H

#include "interception/interception.h"
#include "runtime/schedule/atsan_schedule_library.h"
#include "runtime/state/atsan_init.h"
#include "runtime/stream/atsan_observer.h"
#include "runtime/threads/atsan_thread_registry.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"
#include "sanitizer_common/sanitizer_stacktrace.h"

namespace __atsan {

// Makes every real function known. May be called in the middle of itself.
void InterceptorsInit();
// Called when all real functions are known.
void AllocatorInit();
// Called when the options are known.
void IoctlInit();
// Prevents a fork while the program's thread attributes are ours for a moment.
void ThreadAttributesLockForFork();
void ThreadAttributesUnlockAfterFork();

typedef void (*InstallInterceptor)();

// A section of pointers is the table. `retain`: linkers that collect garbage
// see no use of the single entries.
#define ATSAN_INTERCEPTOR_ENTRY(func, install)                       \
  static void Install_##func() { install; }                          \
  static const __atsan::InstallInterceptor kInstall_##func           \
      __attribute__((used, retain, section("atsan_interceptors"))) = \
          Install_##func;

// Enters an interceptor into the table of those whose calls are known to a
// search (atsan_schedule_hooks.cpp).
#define ATSAN_INTERCEPTOR_ADDRESS(func)                              \
  static const void *const kInterceptor_##func                       \
      __attribute__((used, retain, section("atsan_intercepting"))) = \
          reinterpret_cast<const void *>(&::func);

// Defines an interceptor without the real function, which is not looked up.
#define ATSAN_INTERCEPTOR_ALONE(ret_type, func, ...) \
  DECLARE_WRAPPER(ret_type, func, __VA_ARGS__)       \
  ATSAN_INTERCEPTOR_ADDRESS(func)                    \
  extern "C" INTERCEPTOR_ATTRIBUTE ret_type WRAP(func)(__VA_ARGS__)

#define ATSAN_INTERCEPTOR_WITH(install, ret_type, func, ...) \
  DEFINE_REAL(ret_type, func, __VA_ARGS__)                   \
  DECLARE_WRAPPER(ret_type, func, __VA_ARGS__)               \
  ATSAN_INTERCEPTOR_ENTRY(func, install)                     \
  ATSAN_INTERCEPTOR_ADDRESS(func)                            \
  extern "C" INTERCEPTOR_ATTRIBUTE ret_type WRAP(func)(__VA_ARGS__)

#define ATSAN_INTERCEPTOR(ret_type, func, ...) \
  ATSAN_INTERCEPTOR_WITH(INTERCEPT_FUNCTION(func), ret_type, func, __VA_ARGS__)

// Defines an interceptor of a function of which libc keeps an older version for
// old programs, which dlsym may find.
#define ATSAN_INTERCEPTOR_VER(version, ret_type, func, ...)            \
  ATSAN_INTERCEPTOR_WITH(if (!INTERCEPT_FUNCTION_VER(func, version) && \
                             !REAL(func)) INTERCEPT_FUNCTION(func),    \
                         ret_type, func, __VA_ARGS__)

// To be called first by interceptors that cannot do without the real function.
inline void EnsureReady() {
  if (UNLIKELY(!runtime_ready))
    __atsan_init();
}

// The bytes of a set of signals that libc uses: what the kernel knows.
constexpr uptr kSignalSet = 8;

// Whether an interceptor that does nothing for us but tell accesses may call
// the real function at once.
inline bool MayBypass() {
  return LIKELY(!GateIsOpen() && runtime_ready && !SchedulesAreControlled());
}

// The accesses of one call of a memory or string function.
class AccessRecorder {
 public:
  // `place`: names the function, where its calls are to be points of a
  // schedule.
  explicit AccessRecorder(const AccessPoint &at, Place *place = nullptr,
                          HiddenState hidden = HiddenState::kUntouched)
      : at_(at), place_(place) {
    EnsureReady();
    thr_ = GateIsOpen() || SchedulesAreControlled() ? CurrentAccessingThread()
                                                    : nullptr;
    // Inside the bracket of an atomic operation libatomic copies its operands,
    // which the bracket reports.
    if (thr_ && thr_->atomic_depth)
      thr_ = nullptr;
    scheduled_ = thr_ && place ? CurrentScheduled() : nullptr;
    if (UNLIKELY(scheduled_))
      LibraryPoint(scheduled_, place, hidden, at);
  }
  // False if nobody wants the accesses: then the ranges need not be known.
  bool Wanted() const { return thr_ != nullptr; }
  // Tell an access of `size` bytes, if any.
  void Read(const void *addr, uptr size) const;
  void Write(const void *addr, uptr size) const;
  // Tell an access to what a caller may leave out, with a null pointer.
  void ReadOptional(const void *addr, uptr size) const {
    Read(addr, addr ? size : 0);
  }
  void WriteOptional(const void *addr, uptr size) const {
    Write(addr, addr ? size : 0);
  }
  // Tells an access as Read and Write do, sooner where the call has made one of
  // this kind and size. Only where Wanted(); *loc is 0 at first, and of nobody
  // else.
  template <AccessKind kKind, uptr kSize>
  void AtOnePlace(uptr addr, LocId *loc) const;
  // Called after a write that may have been one of pointers.
  void Pointers(const void *addr, uptr size) const {
    if (!IsObserved() || !thr_)
      return;
    ScopedInRuntime in_runtime(thr_);
    ObservePointers(thr_, reinterpret_cast<uptr>(addr), size, at_);
  }
  void ReadString(const char *s) const {
    if (s)
      Read(s, internal_strlen(s) + 1);
  }
  void WriteString(const char *s) const {
    if (s)
      Write(s, internal_strlen(s) + 1);
  }
  // Accesses to an object of any type, even a pointer.
  // NOLINTBEGIN(bugprone-sizeof-expression)
  template <class T>
  void ReadObject(const T *object) const {
    if (object)
      Read(object, sizeof(T));
  }
  template <class T>
  void WriteObject(const T *object) const {
    if (object)
      Write(object, sizeof(T));
  }
  template <class T>
  void UpdateObject(const T *object) const {
    ReadObject(object);
    WriteObject(object);
  }
  // NOLINTEND(bugprone-sizeof-expression)

 private:
  Thread *thr_;
  AccessPoint at_;
  Place *place_;
  ScheduledThread *scheduled_;  // nullptr: nobody controls the schedule.
};

// A point in the interceptor itself: accesses of libc are shown in the function
// that the program called, below which the stack is the program's.
#define ATSAN_INTERCEPTOR_POINT() \
  AccessPoint { GET_CURRENT_PC(), reinterpret_cast<uptr>(GET_CURRENT_FRAME()) }
#define ATSAN_RECORDER() AccessRecorder recorder(ATSAN_INTERCEPTOR_POINT())
#define ATSAN_RECORDER_OF(func)                              \
  static Place place = {#func, "", 0, 0, 0, 0};              \
  constexpr HiddenState hidden_state = HiddenStateOf(#func); \
  AccessRecorder recorder(ATSAN_INTERCEPTOR_POINT(), &place, hidden_state)

// Begins interceptors that do nothing for us but access memory. Unless somebody
// wants to know the accesses, libc's function is all there is to do.
// clang-format off
#define ATSAN_ENTER(func, ...)      \
  if (MayBypass())                  \
    return REAL(func)(__VA_ARGS__); \
  ATSAN_RECORDER_OF(func);          \
  if (!recorder.Wanted())           \
    return REAL(func)(__VA_ARGS__)

// Begins interceptors of functions that the dynamic loader calls while it looks
// for the real ones: internal_FUNC stands in.
#define ATSAN_ENTER_EARLY(func, ...)     \
  if (MayBypass())                       \
    return REAL(func)(__VA_ARGS__);      \
  if (!runtime_ready)                    \
    return internal_##func(__VA_ARGS__); \
  ATSAN_RECORDER_OF(func);               \
  if (!recorder.Wanted())                \
    return REAL(func)(__VA_ARGS__)
// clang-format on

// Removes the parentheses that make a list one argument of a macro.
#define ATSAN_UNPACK(...) __VA_ARGS__

// Defines an interceptor that only tells accesses, before it calls libc: what
// libc reads, and what it writes whatever it returns. Behind the arguments
// comes a list of expressions with `recorder`, told in that order, or an "if"
// with one.
#define ATSAN_BEFORE(ret_type, func, parameters, arguments, ...) \
  ATSAN_INTERCEPTOR(ret_type, func, ATSAN_UNPACK parameters) {   \
    ATSAN_ENTER(func, ATSAN_UNPACK arguments);                   \
    __VA_ARGS__;                                                 \
    return REAL(func) arguments;                                 \
  }

// Defines an interceptor that only tells accesses, after it called libc, where
// they depend on `res`, which libc returned. Behind the arguments comes a list
// of expressions with `recorder`, told in that order, or an "if" with one.
#define ATSAN_AFTER(ret_type, func, parameters, arguments, ...) \
  ATSAN_INTERCEPTOR(ret_type, func, ATSAN_UNPACK parameters) {  \
    ATSAN_ENTER(func, ATSAN_UNPACK arguments);                  \
    ret_type res = REAL(func) arguments;                        \
    __VA_ARGS__;                                                \
    return res;                                                 \
  }

// Defines an interceptor that only tells accesses: before it calls libc what
// that reads, since it may change while libc waits, and after it what libc
// wrote, by `res`, which it returned. Each side is an expression with
// `recorder`, an "if" with one, or a list of them in parentheses.
#define ATSAN_AROUND(ret_type, func, parameters, arguments, before, after) \
  ATSAN_INTERCEPTOR(ret_type, func, ATSAN_UNPACK parameters) {             \
    ATSAN_ENTER(func, ATSAN_UNPACK arguments);                             \
    before;                                                                \
    ret_type res = REAL(func) arguments;                                   \
    after;                                                                 \
    return res;                                                            \
  }

// Tells that a lock or wait function reads its deadline; called before it
// waits.
inline void ReadDeadline(const void *deadline, const AccessPoint &at) {
  AccessRecorder recorder(at);
  recorder.ReadOptional(deadline, struct_timespec_sz);
}

// Tells that memory gets a new life or ends one (rule 9).
inline void ForgetInRuntime(Thread *thr, const void *addr, uptr size,
                            EventKind kind, const AccessPoint &at) {
  ObserveMemory(thr, kind, reinterpret_cast<uptr>(addr), size, at);
  CheckerForget(thr ? &thr->checker : nullptr, reinterpret_cast<uptr>(addr),
                size);
}
inline void ForgetRange(const void *addr, uptr size, EventKind kind,
                        const AccessPoint &at = {}) {
  if (!GateIsOpen() || (cur_thread && cur_thread->in_runtime))
    return;
  ScopedInRuntime in_runtime(cur_thread);
  ForgetInRuntime(cur_thread, addr, size, kind, at);
}

}  // namespace __atsan

#endif  // ATSAN_INTERCEPTORS_H
