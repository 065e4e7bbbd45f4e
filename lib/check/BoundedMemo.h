//===- BoundedMemo.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers that were computed once, as long as they are not too many: then all
// of them are forgotten. Not for several threads.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_BOUNDEDMEMO_H
#define ATSAN_CHECK_BOUNDEDMEMO_H

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

namespace atsan::check {

template <typename Key, typename Element> class BoundedMemo {
public:
  using Answer = std::shared_ptr<const std::vector<Element>>;

  /// \p Max: of all elements together, counting some for each answer.
  explicit BoundedMemo(size_t Max) : Max(Max) {}

  /// The answer, by \p Compute() if it is not known.
  template <typename F> Answer get(const Key &Of, F Compute) {
    const auto Where = Known.find(Of);
    if (Where != Known.end())
      return Where->second;
    if (Size > Max) {
      Known.clear();
      Size = 0;
    }
    auto Found = std::make_shared<const std::vector<Element>>(Compute());
    Size += Found->size() + PerAnswer;
    Known.emplace(Of, Found);
    return Found;
  }

private:
  static constexpr size_t PerAnswer = 16;
  const size_t Max;
  size_t Size = 0;
  std::unordered_map<Key, Answer> Known;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_BOUNDEDMEMO_H
