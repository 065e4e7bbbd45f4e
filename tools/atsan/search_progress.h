//===- search_progress.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long a search has worked and what memory it has, in a line on the
// terminal: how much is left, nobody knows.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_SEARCH_PROGRESS_H
#define ATSAN_TOOLS_ATSAN_SEARCH_PROGRESS_H

#include <condition_variable>
#include <mutex>
#include <thread>

namespace atsan::tool {

/// Nothing is shown unless stderr is a terminal, nor in the first second. The
/// line vanishes at the end: whoever has one ends it before it prints.
class SearchProgress {
public:
  SearchProgress();
  ~SearchProgress();
  SearchProgress(const SearchProgress &) = delete;
  SearchProgress &operator=(const SearchProgress &) = delete;

private:
  void showEachSecond();

  std::mutex Lock; ///< Guards IsOver.
  std::condition_variable Over;
  bool IsOver = false;
  std::thread Shower;
};

/// Returns what \p Search returns; the line is shown while it works.
template <typename Function> auto withProgress(Function Search) {
  const SearchProgress Shown;
  return Search();
}

} // namespace atsan::tool

#endif
