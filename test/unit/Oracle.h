//===-- Oracle.h -----------------------------------------------*- C++ -*--===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The brute-force conflict graph of semantics.md: keeps every transaction and
// every access of a run, and looks for a cycle after each event. The yardstick
// for the checker, hence deliberately simple, and independent of its code.
//
// Lock edges: rule 6 says release -> next acquire, and shared releases -> next
// exclusive acquire. The oracle adds an edge from *every* earlier release of a
// conflicting mode to an acquire instead (modes conflict unless both are
// shared). For threads that release what they took this is the same up to
// transitivity: a release R has a literal edge to the next exclusive acquire,
// and if R is exclusive also to the shared ones before that; the exclusive
// owner's acquire precedes its release in program order, and so on until the
// acquire in question.
//
// A new thread begins with a node of its own without accesses, which is before
// its first transaction. Nothing leads on from there to the join of a thread
// that had no transaction.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_UNIT_ORACLE_H
#define ATSAN_UNIT_ORACLE_H

#include "Schedule.h"
#include <set>

namespace atsan_test {

class Oracle {
public:
  // The next event of the run. Returns whether it adds an edge that lies on a
  // cycle. The edge is in the graph from then on.
  bool apply(const Event &E);

  // The transaction of an event, by its index in the run; -1 for events that
  // belong to none (forget, detach, and so on).
  int node(int EventIndex) const { return NodeOfEvent[EventIndex]; }
  // The node with which a thread begins.
  int firstNode(unsigned T) const { return Threads[T].First; }
  int lastNode(unsigned T) const { return Threads[T].Last; }
  bool isRegion(int Node) const { return Nodes[Node].IsRegion; }
  // Did the region begin and end while another one was open, before an event?
  bool ranWhole(int Node, int Within, int Before) const;
  const Schedule &events() const { return Events; }

  // Do two events conflict at this byte: by different threads, one writes, and
  // the byte did not die in between?
  bool conflict(int Earlier, int Later, uint32_t Byte) const;

  // Is there a path of at least one edge?
  bool reaches(int From, int To) const;

  // Looks at the whole graph, without knowing when which edge came.
  bool hasCycle() const;

private:
  struct Node {
    bool IsRegion = false;
    int Begin = -1, End = -1; // The events that a region begins and ends with.
    std::set<int> Out;
  };
  struct ThreadState {
    unsigned Depth = 0;
    int Open = -1; // The region's node.
    int First = -1;
    int Last = -1;
    bool HasTransaction = false;
  };

  ThreadState &thread(unsigned T);
  int newNode(unsigned T);
  int nodeForEvent(unsigned T);
  void beginRegion(unsigned T);
  void endRegion(unsigned T);
  void addEdge(int From, int To);
  void access(const Event &E, int Index, int Node);
  void acquire(const Event &E, int Node);

  Schedule Events;
  std::vector<int> NodeOfEvent;
  std::vector<Node> Nodes;
  std::vector<ThreadState> Threads;
  std::vector<std::vector<int>> History;  // Byte -> accesses since its birth.
  std::vector<std::vector<int>> Releases; // Lock -> releases.
};

// The index of the first event of the run that closes a cycle, or -1.
int firstViolation(const Schedule &S);

} // namespace atsan_test

#endif // ATSAN_UNIT_ORACLE_H
