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

#ifndef ATSAN_FINDING_WORDS_H
#define ATSAN_FINDING_WORDS_H

#include "lib/finding/Finding.h"

namespace atsan::finding {

/// Whom a violation blames: "Region 'a' of T1 is not atomic: T2 came in
/// between". Empty if it names no region.
std::string verdictWords(const Finding &R);
/// The message of \p R, and the name that such a mistake has.
std::string messageWords(const Finding &R);
/// The words for the notion: " (potential: ...)"; empty for what was observed.
std::string notionWords(const Finding &R);
/// The name of a thread: "T1 'name'", "the main thread".
std::string threadName(const Finding &R, std::optional<uint64_t> Id);
/// An event: "read of 8 bytes (global 'balance')".
std::string eventWords(const Finding &R, const Event &E);
/// A region, and which run of it: "region 'deposit'".
std::string regionWords(const Region &In);
/// Where an event stands: ", in region 'deposit'", ", outside any region".
std::string unitWords(const Finding &R, const Event &E);
/// An event and where it stands: "T1: read of 8 bytes (global 'balance'), in
/// region 'deposit'".
std::string describeEvent(const Finding &R, const Event &E);
/// An operation of a history: "p1: read -> 1, from 10 to 13".
std::string describeOperation(const Finding &R, const Operation &O);
/// A report in words, without what varies from run to run.
std::string describeForBaseline(const Finding &R);
/// A number of things: "1 entry", "2 entries".
std::string counted(uint64_t Number, const std::string &Noun,
                    const std::string &Plural);
/// A number of things whose plural has an s: "1 report", "2 reports".
std::string counted(uint64_t Number, const std::string &Noun);
/// The text with a capital letter.
std::string capitalized(std::string Text);
/// All of them: "T1, T2 and T3".
std::string listed(const std::vector<std::string> &Names);

} // namespace atsan::finding

#endif
