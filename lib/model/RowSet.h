//===- RowSet.h ------------------------------------------------------------//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash table of rows of values, quick to fill and to clear.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_ROWSET_H
#define ATSAN_MODEL_ROWSET_H

#include "lib/check/NumberTable.h"
#include "lib/model/Formula.h"

namespace atsan::model {

/// Rows of values of one width, each once, with a tag that is part of it.
class RowSet {
public:
  /// Forgets all rows.
  void clear();
  /// The number of the row, from 0 in the order of additions, and whether it is
  /// new. All rows have the same \p Width.
  std::pair<uint32_t, bool> add(const Value *Row, size_t Width, Value Tag);

private:
  std::vector<Value> Rows;      ///< Each with its tag behind it.
  std::vector<uint64_t> Hashes; ///< By row.
  check::NumberTable Numbers;   ///< Finds Rows.
};

} // namespace atsan::model

#endif // ATSAN_MODEL_ROWSET_H
