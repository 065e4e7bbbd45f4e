//===- ConflictGraph.h ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conflict graph as it stands in the book: a node for every transaction of
// the run, outside regions one for every event; nothing is ever removed. The
// baseline of Farzan and Madhusudan, CAV'08 (section 2, and "CG" in table 1),
// with the corrections of docs/semantics.md: a cycle is looked for whenever an
// edge is added, thread start and join are edges, entities are bytes with a
// birth and a death. Time and memory grow with the run; `scg` decides the same.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_CONFLICTGRAPH_H
#define ATSAN_CHECK_CONFLICTGRAPH_H

#include "lib/check/Analysis.h"
#include "lib/check/ByteRanges.h"
#include "lib/check/Limits.h"
#include "lib/check/Violations.h"
#include <deque>
#include <map>
#include <unordered_set>

namespace atsan::check {

class ConflictGraph final : public Analysis {
public:
  explicit ConflictGraph(const Options &O);

  bool consume(trace::EventSpan Events) override;
  void finish() override { Found.finish(); }
  const std::vector<Finding> &findings() const override {
    return Found.findings();
  }
  std::string notion() const override { return conflictGraphNotion(Given); }
  std::string gaveUp() const override { return Limit.why(); }
  std::vector<std::pair<std::string, uint64_t>> statistics() const override;

private:
  typedef uint32_t NodeId;
  static constexpr NodeId None = ~0u;

  // The evidence is two numbers of events; 0: the begin or end of a thread.
  struct Edge {
    NodeId To;
    uint64_t First;
    uint64_t Later;
    const char *Why;
  };
  struct Node {
    uint32_t Life;
    std::vector<Edge> Out;
    // What the last search that came by has left here.
    uint64_t Search = 0;
    NodeId From = None;
    uint32_t Via = 0;
  };
  // What a thread number stands for between its start and its end: numbers
  // may be used again, and program order must not be inherited (CAV'08, rule
  // 5).
  struct Life {
    uint32_t Thread;
    NodeId Last = None;    // The last node in program order.
    NodeId Current = None; // The open region's node, if it has one.
    bool Ended = false;
    bool HasTransaction = false; // If false, its join is no edge.
    NumberedEvent RegionBegin;
    std::unordered_set<NodeId> Preds; // Nodes with an edge to Last.
  };
  struct Access {
    NodeId By;
    uint64_t Number;
  };
  struct History {
    Access Write = {None, 0};
    std::vector<Access> Reads; // Reads since the write; the last of each life.
  };
  struct Lock {
    Access Exclusive = {None, 0};
    std::vector<Access> Shared; // Acquires since the last exclusive one.
  };

  Life &lifeOf(uint32_t Thread);
  NodeId newNode(Life &L);
  NodeId nodeOf(const trace::Event &E, Step S);

  void take(const trace::Event &E);
  void access(const trace::Event &E, NodeId At);
  void acquire(const trace::Event &E, NodeId At, bool IsShared);
  void release(const trace::Event &E, NodeId At, bool IsShared);
  void start(const trace::Event &E, Step S);
  void join(const trace::Event &E, Step S);
  void forget(const trace::Event &E);

  // Adds the edge, or reports the cycle that it would close.
  void addEdge(NodeId From, NodeId To, Edge Evidence, const trace::Event &E);
  bool reaches(NodeId From, NodeId To);
  void report(NodeId From, NodeId To, const Edge &Closing,
              const trace::Event &E);

  Options Given;
  Limits Limit;
  Transactions Order;
  Violations Found;
  uint64_t Count = 0;
  bool IsClosed = false; // The present event has closed a cycle.

  std::vector<Node> Nodes;
  std::deque<Life> Lives;
  std::vector<uint32_t> LifeOfThread;
  ByteRanges<History> Bytes;
  std::map<uint64_t, Lock> Locks;
  uint64_t Edges = 0;
  uint64_t Searches = 0;
  std::vector<NodeId> Queue;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_CONFLICTGRAPH_H
