//===-- threads.h - Threads of the golden tests -----------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain pthreads, since std::thread adds frames that differ from one C++
// library to the next. Where a test is compiled with -DTWIN, ORDER(violating,
// serial) takes the second number: the same steps, one region after the other.
//
//===----------------------------------------------------------------------===//
#ifndef THREADS_H
#define THREADS_H

#include "../../Inputs/atsan_test.h"

#include <pthread.h>

#ifdef TWIN
#define ORDER(violating, serial) serial
#else
#define ORDER(violating, serial) violating
#endif

using ThreadFunction = void *(*)(void *);

#endif // THREADS_H
