//===-- ConflictGraph.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The baseline: the conflict graph of a run as the textbook has it. A node for
// every transaction that ever was, an edge for every pair of conflicting ones,
// and one look for a cycle at the end. It is to be beaten, not to be clever;
// but an access that adds nothing to the graph is not paid for.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_BENCH_CONFLICTGRAPH_H
#define ATSAN_BENCH_CONFLICTGRAPH_H

#include "Trace.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace trace {

class ConflictGraph {
public:
  explicit ConflictGraph(unsigned NumThreads) : Threads(NumThreads) {}

  void add(const Record &R);
  // After the last event.
  bool hasCycle();

  uint64_t numNodes() const { return Predecessors.size(); }
  uint64_t numEdges() const { return NumEdges; }

private:
  using Node = uint32_t;
  static constexpr Node kNone = ~0u;

  struct Source {
    Node Transaction;
    uint16_t Thread;
  };
  struct ThreadState {
    // The current transaction, or the last one. Consecutive accesses outside
    // regions share one as long as it gets no edge that tells something new.
    Node Current = kNone;
    bool InRegion = false;
    bool IsOpen = false;
    bool HasEvents = false;
    Source Parent = {kNone, 0};
    std::unordered_set<Node> Entering;
    // By thread: its latest transaction with an edge into this thread.
    std::unordered_map<uint16_t, Node> Known;
  };
  // What a transaction did to a granule of 8 bytes.
  struct Access {
    Node Transaction;
    uint16_t Thread;
    uint8_t Reads, Writes;
    // Bytes whose reading or writing adds no edge, because nobody else has
    // done anything since: void unless this is the last entry.
    uint8_t ReadsDone, WritesDone;
  };
  using History = std::vector<Access>;
  struct Change {
    History *H;
    Access Mine;
    uint8_t Bytes;
  };

  void access(const Record &R);
  void forget(const Record &R);
  bool addConflicts(History &H, uint16_t Thread, uint8_t Bytes, bool IsWrite,
                    Access &Mine);
  void open(ThreadState &T);
  void close(ThreadState &T);
  void enter(ThreadState &T, Source From);
  static bool isNew(const ThreadState &T, Source From);
  // Before an event, outside regions or inside, that is entered by something
  // new, or not.
  Node event(ThreadState &T, bool IsEntered);

  std::vector<ThreadState> Threads;
  std::vector<std::vector<Node>> Predecessors; // Of closed transactions.
  std::unordered_map<uint64_t, History> Histories;
  // Of the access at hand: what it conflicts with, and what becomes of the
  // thread's entries.
  std::vector<Source> Sources;
  std::vector<Change> Changes;
  uint64_t NumEdges = 0;
};

} // namespace trace

#endif // ATSAN_BENCH_CONFLICTGRAPH_H
