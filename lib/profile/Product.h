//===- Product.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program without data as one that a search decides (TACAS'09, Theorem 4):
// nothing has a value, conditions hold and do not hold, and a thread waits for
// ever where it takes a lock that it has, or releases one that it has not.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PROFILE_PRODUCT_H
#define ATSAN_PROFILE_PRODUCT_H

#include "lib/model/Search.h"

namespace atsan::profile {

/// \p P: with its calls expanded. Throws ModelError if the program is too
/// large, or a limit is reached.
model::Program makeProduct(const model::Program &P,
                           const model::SearchOptions &O);

} // namespace atsan::profile

#endif
