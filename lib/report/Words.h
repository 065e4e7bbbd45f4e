//===- Words.h --------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the parts of a report are called, in every form of output. The words are
// those of the runtime's text (runtime/report/atsan_report_words.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_WORDS_H
#define ATSAN_REPORT_WORDS_H

#include "lib/report/Report.h"

namespace atsan::report {

/// Shortens names of files: those below \p SourceRoot are relative to it.
class Places {
public:
  explicit Places(const std::string &SourceRoot);

  /// The name of a file: relative if it is below the root, without "." and
  /// "..".
  std::string file(const std::string &Path) const;
  bool isBelowRoot(const std::string &Path) const;
  const std::string &root() const { return Root; }

  /// A place: "file:line:column in function", or what is known of it.
  std::string place(const Frame &F) const;
  /// A place in short: "file:line", or "(module+offset)".
  std::string shortPlace(const Frame &F) const;

private:
  std::string relative(const std::string &Path) const;

  std::string Root;     ///< Absolute, without a slash at the end.
  std::string RealRoot; ///< Root without symbolic links.
};

/// The innermost frame of the program's own code, or else the innermost one.
const Frame *userFrame(const Stack &Frames);

/// Whom a violation blames: "Region 'a' of T1 is not atomic: T2 came in
/// between". Empty if it names no region.
std::string verdictWords(const Report &R);
/// The message of \p R, and the name that such a mistake has.
std::string messageWords(const Report &R);
/// The words for the notion: " (potential: ...)"; empty for what was observed.
std::string notionWords(const Report &R);
/// The name of a thread: "T1 'name'", "the main thread".
std::string threadName(const Report &R, std::optional<uint64_t> Id);
/// An event: "read of 8 bytes (global 'balance')".
std::string eventWords(const Report &R, const Event &E);
/// A region, and which run of it: "region 'deposit'".
std::string regionWords(const Region &In);
/// Where an event stands: ", in region 'deposit'", ", outside any region".
std::string unitWords(const Report &R, const Event &E);
/// An event and where it stands: "T1: read of 8 bytes (global 'balance'), in
/// region 'deposit'".
std::string describeEvent(const Report &R, const Event &E);
/// An operation of a history: "p1: read -> 1, from 10 to 13".
std::string describeOperation(const Report &R, const Operation &O);
/// A report in words, without what varies from run to run.
std::string describeForBaseline(const Report &R);
/// A number of things: "1 report", "2 reports".
std::string counted(size_t Number, const std::string &Noun,
                    const std::string &Plural);

} // namespace atsan::report

#endif
