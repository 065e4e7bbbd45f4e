//===- Words.h ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How events, transactions and threads of a trace are called, in the words of
// the in-process report (runtime/report/atsan_report_words.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_WORDS_H
#define ATSAN_CHECK_WORDS_H

#include "lib/check/Explain.h"
#include "lib/finding/Words.h"
#include <optional>

namespace atsan::check {

/// Calls things by names. Must not outlive what it was made of.
class Words {
public:
  Words(const trace::Names &Names, const Explanation &Explained)
      : Names(Names), Explained(Explained) {}

  /// From here on, regions of a thread that have one title are told apart as
  /// far as this finding has several: "region 'f' (run 2)".
  void speakOf(const Finding &F);

  std::string thread(uint32_t Thread) const { return Names.thread(Thread); }
  /// What the event does: "read", "atomic read-modify-write", "lock acquire",
  /// "start"...
  std::string operation(const NumberedEvent &E) const;
  /// What the event does, and to what: "read of x", "write of 8 bytes at
  /// 0x7f..", "start of T2", "end of T1".
  std::string event(const NumberedEvent &E) const;
  /// The block by what is the same in each run: "T1's heap block 2 from f.c:7".
  std::string heapBlock(const HeapBlock &B) const;
  /// The event with its thread and where it stands: "..., in region 'f'".
  std::string eventInPlace(const NumberedEvent &E) const;
  /// The region's name in the program's source; empty: it has none.
  std::string regionName(const NumberedEvent &Begin) const;
  /// The region: "region 'f'", "region at f.c:7".
  std::string title(const NumberedEvent &Begin) const;
  /// The region, and which run of it: "region 'f' (run 2)".
  std::string region(const NumberedEvent &Begin) const;
  /// The number of the region's run; 0: the finding has one only.
  unsigned run(const NumberedEvent &Begin) const;
  /// See finding::Region::Frame.
  std::optional<size_t> frame(const NumberedEvent &Begin) const;
  /// The region that the event is of, or else the event: "T1's region 'f'",
  /// "T2's write"; without the thread "region 'f'", "its write".
  std::string unit(const NumberedEvent &E, bool WithThread) const;
  /// Where the event's code is: a line for each frame; one line of what is
  /// known.
  std::vector<std::string> code(const NumberedEvent &E) const;

  const trace::Names &Names;
  const Explanation &Explained;

private:
  std::string callers(uint32_t Location) const;
  std::string object(const NumberedEvent &E, const std::string &Name) const;

  void findFrames(const Finding &F);

  // By number of the begin.
  std::unordered_map<uint64_t, unsigned> Runs;
  std::unordered_map<uint64_t, size_t> Frames;
};

using finding::capitalized;
using finding::counted;

} // namespace atsan::check

#endif // ATSAN_CHECK_WORDS_H
