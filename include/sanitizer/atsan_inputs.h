/*===-- atsan_inputs.h - What an object depends on ---------------*- C++
-*-===//
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* Not to be included: atsan-clang does, before sources that are compiled with
|* lists (-fatomicity-regions=list:FILE and the like). Nothing is declared that
|* would mean anything. But preprocessed text now names each list as a file that
|* it was made from, and has a digest of what is in them, so that ccache,
sccache
|* and their kin do not return objects that other lists made.
|*
\*===----------------------------------------------------------------------===*/
#pragma clang system_header
#if defined(__ATSAN_INPUTS__) && !defined(__ASSEMBLER__)
#ifdef __ATSAN_INPUT_8__
#line 1 __ATSAN_INPUT_8__
struct __ATSAN_INPUTS__;
#endif
#ifdef __ATSAN_INPUT_7__
#line 1 __ATSAN_INPUT_7__
struct __ATSAN_INPUTS__;
#endif
#ifdef __ATSAN_INPUT_6__
#line 1 __ATSAN_INPUT_6__
struct __ATSAN_INPUTS__;
#endif
#ifdef __ATSAN_INPUT_5__
#line 1 __ATSAN_INPUT_5__
struct __ATSAN_INPUTS__;
#endif
#ifdef __ATSAN_INPUT_4__
#line 1 __ATSAN_INPUT_4__
struct __ATSAN_INPUTS__;
#endif
#ifdef __ATSAN_INPUT_3__
#line 1 __ATSAN_INPUT_3__
struct __ATSAN_INPUTS__;
#endif
#ifdef __ATSAN_INPUT_2__
#line 1 __ATSAN_INPUT_2__
struct __ATSAN_INPUTS__;
#endif
#ifdef __ATSAN_INPUT_1__
#line 1 __ATSAN_INPUT_1__
struct __ATSAN_INPUTS__;
#endif
#endif
