//===-- leveldb_store.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LevelDB under load, for bench/real.py: threads put, get, delete and read
// under snapshots, each on keys of its own, so that every answer is known. The
// regions are those of the library.
//
//===----------------------------------------------------------------------===//

#define REGIONS 0
#include "common.h"

#include <leveldb/db.h>
#include <memory>
#include <string>

namespace {

void must(bool Good, const char *What) {
  if (Good)
    return;
  fprintf(stderr, "leveldb_store: %s\n", What);
  exit(1);
}

std::string keyOf(unsigned Thread, uint64_t Number) {
  char Text[32];
  snprintf(Text, sizeof(Text), "%u-%06llu", Thread, (unsigned long long)Number);
  return Text;
}

// Returns the sum of what the thread's keys hold at the end.
uint64_t work(leveldb::DB *Db, unsigned Thread, uint64_t Operations) {
  constexpr uint64_t kKeys = 5000;
  std::vector<uint64_t> Known(kKeys, 0); // 0: not there.
  Random Rng(Thread + 1);
  for (uint64_t Op = 1; Op <= Operations; ++Op) {
    const uint64_t Number = Rng.below(kKeys);
    const std::string Key = keyOf(Thread, Number);
    const uint64_t Choice = Rng.below(8);
    if (Choice < 3) {
      std::string Value = std::to_string(Op);
      Value.resize(100, '.');
      must(Db->Put({}, Key, Value).ok(), "a put failed");
      Known[Number] = Op;
    } else if (Choice == 3) {
      must(Db->Delete({}, Key).ok(), "a delete failed");
      Known[Number] = 0;
    } else {
      leveldb::ReadOptions Options;
      if (Choice == 4)
        Options.snapshot = Db->GetSnapshot();
      std::string Value;
      const bool Found = Db->Get(Options, Key, &Value).ok();
      const uint64_t Seen = Found ? strtoull(Value.c_str(), nullptr, 10) : 0;
      must(Seen == Known[Number], "a get returned what was not put");
      if (Options.snapshot)
        Db->ReleaseSnapshot(Options.snapshot);
    }
  }
  uint64_t Sum = 0;
  for (uint64_t Value : Known)
    Sum += Value;
  return Sum;
}

} // namespace

// Arguments: folder of the data base, threads, operations per thread.
int main(int Argc, char **Argv) {
  const unsigned Threads = argument(Argc, Argv, 2, "threads");
  const uint64_t Operations = argument(Argc, Argv, 3, "operations per thread");
  leveldb::Options Options;
  Options.create_if_missing = true;
  leveldb::DB *Opened = nullptr;
  must(leveldb::DB::Open(Options, Argv[1], &Opened).ok(),
       "the data base cannot be opened");
  std::unique_ptr<leveldb::DB> Db(Opened);
  std::vector<uint64_t> Sums(Threads);
  runThreads(Threads,
             [&](unsigned I) { Sums[I] = work(Db.get(), I, Operations); });
  uint64_t Sum = 0;
  for (uint64_t One : Sums)
    Sum += One;
  return finish("sum", Sum);
}
