//===- explore_shards.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An exploration that several machines share. Each one is a shard, and writes
// lines of JSON that say which one it is; they are merged in any order with the
// same outcome, and it is known which ones are missing.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_EXPLORE_SHARDS_H
#define ATSAN_TOOLS_ATSAN_EXPLORE_SHARDS_H

#include "tools/atsan/explore_findings.h"

namespace atsan::tool {

struct ExploreOptions;

/// "i/n" of an option: n machines run the same command, and each takes every
/// n-th schedule. Throws InputError.
void readShard(const std::string &Text, ExploreOptions &O);
/// The variables of Bazel and of GoogleTest. The program does not get them: it
/// would leave tests out, and each shard needs all of them.
void readShardVariables(ExploreOptions &O);

/// What all shards of an exploration have in common.
struct Division {
  unsigned Shards = 1;
  std::string Strategy;
  uint64_t Seed = 1;
  /// To replay a finding. Its folders may differ between machines.
  std::vector<std::string> Command;

  bool operator==(const Division &Other) const;
};

/// What one shard has seen.
struct ShardResult {
  Explored Seen;
  bool HasEnded = false; ///< False: it was stopped, or goes on still.
};

/// Shards by number, from 1 on.
class ShardedExploration {
public:
  void setDivision(const Division &D) { Parts = D; }
  const Division &division() const { return Parts; }
  /// If a shard has two results, the one that has seen more counts.
  void add(unsigned Shard, ShardResult Result);

  /// All shards together.
  Explored joined() const;
  /// What is still to be run, each with what is known of it: "shard 3 of 8 has
  /// not ended, after 12 schedules". Empty: nothing.
  std::vector<std::string> missing() const;

  std::string toJsonLines() const;
  /// Adds what a file of such lines has. A last line that is cut off is left
  /// out: its shard has not ended. Throws InputError that names the line.
  void addJsonLines(const std::string &Text, const std::string &Name);

private:
  Division Parts;
  std::map<unsigned, ShardResult> Results;
};

} // namespace atsan::tool

#endif
