//===-- atsan_fixed_addresses.h ------------------------------------*- C++
//-*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_FIXED_ADDRESSES_H
#define ATSAN_FIXED_ADDRESSES_H

namespace __atsan {

// Starts the program anew without random addresses, if ATSAN_OPTIONS control
// its schedule: what it sorts by address, or hashes, has the same order in each
// run then. Goes on where that cannot be: the system forbids it, the program's
// file has another name by now, or the loader was called with the program as
// its argument. To be called before anything of the program has run, and before
// anything is printed, which would come twice.
void FixAddresses();

}  // namespace __atsan

#endif  // ATSAN_FIXED_ADDRESSES_H
