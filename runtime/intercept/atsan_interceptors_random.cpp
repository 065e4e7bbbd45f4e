//===-- atsan_interceptors_random.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random numbers whose state is the program's. That of random, rand and drand48
// is libc's, which has a lock for it.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_interceptors.h"

using namespace __atsan;

ATSAN_BEFORE(int, rand_r, (unsigned *seed), (seed), recorder.UpdateObject(seed))

// --- Of 48 bits. -------------------------------------------------------------

namespace {

typedef u16 State48[3];

// Has the layout of drand48_data in <stdlib.h>.
struct drand48_data {
  State48 x, old_x;
  u16 c;
  u16 is_initialized;
  u64 a;
};

void SetConstants(const AccessRecorder &recorder, const drand48_data *data) {
  recorder.WriteObject(&data->c);
  recorder.WriteObject(&data->is_initialized);
  recorder.WriteObject(&data->a);
}

// Tells the use of the constants, which the first number sets.
void UseConstants(const AccessRecorder &recorder, const drand48_data *data) {
  recorder.ReadObject(&data->is_initialized);
  if (!data->is_initialized)
    return SetConstants(recorder, data);
  recorder.ReadObject(&data->c);
  recorder.ReadObject(&data->a);
}

}  // namespace

// Defines the interceptors of a function that is given its state, of its
// reentrant twin, and of the reentrant twin with the state of drand48_data.
#define ATSAN_48_INTERCEPTORS(Type, func, func_r, own_r)                       \
  ATSAN_BEFORE(Type, func, (u16 *x), (x),                                      \
               recorder.UpdateObject(reinterpret_cast<State48 *>(x)))          \
  ATSAN_BEFORE(int, func_r, (u16 *x, drand48_data *data, Type *result),        \
               (x, data, result),                                              \
               recorder.UpdateObject(reinterpret_cast<State48 *>(x)),          \
               UseConstants(recorder, data), recorder.WriteObject(result))     \
  ATSAN_BEFORE(int, own_r, (drand48_data *data, Type *result), (data, result), \
               recorder.UpdateObject(&data->x), UseConstants(recorder, data),  \
               recorder.WriteObject(result))

ATSAN_48_INTERCEPTORS(double, erand48, erand48_r, drand48_r)
ATSAN_48_INTERCEPTORS(long, nrand48, nrand48_r, lrand48_r)
ATSAN_48_INTERCEPTORS(long, jrand48, jrand48_r, mrand48_r)

ATSAN_BEFORE(int, srand48_r, (long seed, drand48_data *data), (seed, data),
             recorder.WriteObject(&data->x), SetConstants(recorder, data))

ATSAN_BEFORE(int, seed48_r, (u16 *seed, drand48_data *data), (seed, data),
             recorder.ReadObject(reinterpret_cast<State48 *>(seed)),
             recorder.UpdateObject(&data->x),
             recorder.WriteObject(&data->old_x), SetConstants(recorder, data))

// The parameters are a state and the constants.
constexpr uptr kParameters = 7 * sizeof(u16);

ATSAN_BEFORE(int, lcong48_r, (u16 *parameters, drand48_data *data),
             (parameters, data), recorder.Read(parameters, kParameters),
             recorder.WriteObject(&data->x), SetConstants(recorder, data))

ATSAN_BEFORE(void, lcong48, (u16 *parameters), (parameters),
             recorder.Read(parameters, kParameters))

ATSAN_BEFORE(u16 *, seed48, (u16 *seed), (seed),
             recorder.ReadObject(reinterpret_cast<State48 *>(seed)))

// --- With a state of the program's size. -------------------------------------

namespace {

// Has the layout of random_data in <stdlib.h>.
struct random_data {
  s32 *front, *rear;
  s32 *state;
  int type, degree, separation;
  s32 *end;
};

// The word in front of a state, which says its type and where its rear is.
s32 *KindOf(s32 *state) { return state - 1; }

// How much of a state that has room for `size` bytes is used.
uptr StateSize(uptr size) {
  constexpr uptr kSizes[] = {256, 128, 64, 32};
  for (uptr used : kSizes)
    if (size >= used)
      return used;
  return 8;
}

// Tells that a state is left, whose description is written into itself.
void LeaveState(const AccessRecorder &recorder, const random_data *data) {
  recorder.ReadObject(&data->state);
  if (!data->state)
    return;
  recorder.ReadObject(&data->type);
  if (data->type)
    recorder.ReadObject(&data->rear);
  recorder.WriteObject(KindOf(data->state));
}

void WriteNewState(const AccessRecorder &recorder, const random_data *data) {
  if (data->type) {
    recorder.WriteObject(&data->front);
    recorder.WriteObject(&data->rear);
  }
  recorder.Write(&data->state,
                 sizeof(*data) - __builtin_offsetof(random_data, state));
}

}  // namespace

ATSAN_INTERCEPTOR(int, random_r, random_data *data, s32 *result) {
  ATSAN_ENTER(random_r, data, result);
  recorder.ReadObject(&data->state);
  recorder.ReadObject(&data->type);
  if (data->type) {
    recorder.ReadObject(&data->end);
    recorder.UpdateObject(&data->front);
    recorder.UpdateObject(&data->rear);
    recorder.ReadObject(data->rear);
    recorder.UpdateObject(data->front);
  } else {
    recorder.UpdateObject(data->state);
  }
  recorder.WriteObject(result);
  return REAL(random_r)(data, result);
}

ATSAN_INTERCEPTOR(int, srandom_r, unsigned seed, random_data *data) {
  ATSAN_ENTER(srandom_r, seed, data);
  recorder.Read(&data->state,
                sizeof(*data) - __builtin_offsetof(random_data, state));
  if (data->type) {
    recorder.WriteObject(&data->front);
    recorder.WriteObject(&data->rear);
  }
  recorder.Write(data->state, sizeof(s32) * Max(data->degree, 1));
  return REAL(srandom_r)(seed, data);
}

ATSAN_AROUND(int, initstate_r,
             (unsigned seed, char *state, uptr size, random_data *data),
             (seed, state, size, data), LeaveState(recorder, data),
             if (res == 0)(WriteNewState(recorder, data),
                           recorder.Write(state, StateSize(size))))
ATSAN_AROUND(int, setstate_r, (s32 *state, random_data *data), (state, data),
             (recorder.ReadObject(state), LeaveState(recorder, data)),
             if (res == 0) WriteNewState(recorder, data))

// The new state is libc's from here on; the former one is so already.
ATSAN_AFTER(char *, initstate, (unsigned seed, char *state, uptr size),
            (seed, state, size),
            if (res) recorder.Write(state, StateSize(size)))

ATSAN_BEFORE(char *, setstate, (s32 *state), (state),
             recorder.ReadObject(state))
