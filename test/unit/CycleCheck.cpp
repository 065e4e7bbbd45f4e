//===-- CycleCheck.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks reported cycles against the oracle's record of the run.
//
//===----------------------------------------------------------------------===//

#include "CycleCheck.h"

#include <algorithm>

using namespace __atsan;

namespace atsan_test {

namespace {
class CycleChecker {
public:
  CycleChecker(const Oracle &O, const Finding &F, uptr Base, bool ExactNames)
      : O(O), F(F), Base(Base), ExactNames(ExactNames),
        LastEvent(F.Parallel ? static_cast<int>(O.events().size()) - 1
                             : F.Event) {}
  std::string check();

private:
  // The oracle's view of one edge.
  struct Ends {
    int Src = -1, Dst = -1; // Nodes.
  };

  // Each returns what is wrong, or nothing.
  std::string lookAt(const Edge &E, Ends &Nodes) const;
  std::string lookAtThreadEdge(const Edge &E, Ends &Nodes) const;
  std::string lookAtLockEdge(const Edge &E, int Src, int Dst) const;
  std::string lookAtConflict(const Edge &E, int Src, int Dst) const;
  std::string lookAtJoint(const Edge &In, int InNode, const Edge &Out,
                          int OutNode) const;

  const Oracle &O;
  const Finding &F;
  uptr Base;
  bool ExactNames;
  int LastEvent; // That may be part of the cycle.
};
} // namespace

// The location of one end is known always, that of a thread's first or last
// moment need not be: that end is known by its thread.
std::string CycleChecker::lookAtThreadEdge(const Edge &E, Ends &Nodes) const {
  for (int I = 0; I <= LastEvent; I++) {
    const Event &V = O.events()[I];
    bool AnySrc = E.src_tid == kMergedTid;
    if (V.What == Op::Create && (AnySrc || tidOf(V.Thread) == E.src_tid) &&
        tidOf(V.Other) == E.dst_tid && static_cast<int>(E.src_loc) == I + 1) {
      Nodes = {O.node(I), O.firstNode(V.Other)};
      return "";
    }
    if (V.What == Op::Join && tidOf(V.Thread) == E.dst_tid &&
        (AnySrc || tidOf(V.Other) == E.src_tid) &&
        static_cast<int>(E.dst_loc) == I + 1) {
      Nodes = {O.lastNode(V.Other), O.node(I)};
      return "";
    }
  }
  return "is no thread start and no join of this run";
}

std::string CycleChecker::lookAtLockEdge(const Edge &E, int Src,
                                         int Dst) const {
  const Event &A = O.events()[Src], &B = O.events()[Dst];
  if (A.What != Op::Release || B.What != Op::Acquire)
    return "is not from a release to an acquire";
  if (A.Other != B.Other || (A.Shared && B.Shared))
    return "is between lock operations that do not conflict";
  if (A.Other != (E.addr - kLockBase) / 4)
    return "names another lock";
  return "";
}

std::string CycleChecker::lookAtConflict(const Edge &E, int Src,
                                         int Dst) const {
  if (E.addr < Base || !O.conflict(Src, Dst, E.addr - Base))
    return "has no conflict at the named byte";
  if (E.dst_addr != Base + O.events()[Dst].Offset)
    return "has a wrong dst_addr";
  return "";
}

std::string CycleChecker::lookAt(const Edge &E, Ends &Nodes) const {
  if (!E.addr)
    return lookAtThreadEdge(E, Nodes);
  int Src = static_cast<int>(E.src_loc) - 1;
  int Dst = static_cast<int>(E.dst_loc) - 1;
  if (Src < 0 || Dst < 0 || Src >= Dst || Dst > LastEvent)
    return "has locations out of order";
  if ((tidOf(O.events()[Src].Thread) != E.src_tid && E.src_tid != kMergedTid) ||
      tidOf(O.events()[Dst].Thread) != E.dst_tid)
    return "names a wrong thread";
  Nodes = {O.node(Src), O.node(Dst)};
  return E.addr >= kLockBase && E.addr < kLockBase + (1 << 20)
             ? lookAtLockEdge(E, Src, Dst)
             : lookAtConflict(E, Src, Dst);
}

std::string CycleChecker::lookAtJoint(const Edge &In, int InNode,
                                      const Edge &Out, int OutNode) const {
  if (In.dst_tid != Out.src_tid)
    return "goes on in another thread";
  // The oracle numbers the transactions in the order in which they begin.
  if (InNode > OutNode)
    return "goes on in an earlier transaction of the thread";
  bool SameName = In.dst.slot == Out.src.slot && In.dst.index == Out.src.index;
  if (InNode == OutNode)
    return SameName ? "" : "gives one transaction two names";
  // Unary transactions may share the name of the one before them.
  if (SameName && O.isRegion(OutNode))
    return "gives two transactions one name";
  if (In.dst.slot == Out.src.slot ? In.dst.index > Out.src.index : ExactNames)
    return "has names that are not in program order";
  return "";
}

std::string CycleChecker::check() {
  size_t N = F.Edges.size();
  if (N < (F.Summarized ? 1 : 2))
    return "a cycle of " + std::to_string(N) + " edges";
  std::vector<Ends> Nodes(N);
  for (size_t I = 0; I < N; I++) {
    std::string Wrong = lookAt(F.Edges[I], Nodes[I]);
    if (F.Edges[I].src_tid == kMergedTid && !(F.Summarized && I == 0))
      Wrong = "is of a merged thread";
    if (Wrong.empty() && I)
      Wrong = lookAtJoint(F.Edges[I - 1], Nodes[I - 1].Dst, F.Edges[I],
                          Nodes[I].Src);
    if (!Wrong.empty())
      return "edge " + std::to_string(I) + " " + Wrong;
  }
  for (size_t I = 0; I + 1 < N && !F.Parallel; I++)
    // Where the gate is left open, nobody knows who began first.
    if (F.Edges[I].dst_ran_whole &&
        !O.ranWhole(Nodes[I].Dst, Nodes.back().Dst, F.Event))
      return "edge " + std::to_string(I) +
             " is said to run whole within the closing region";
  const Edge &First = F.Edges.front(), &Last = F.Edges.back();
  if (Nodes.back().Dst != O.node(F.Event) ||
      static_cast<int>(Last.dst_loc) != F.Event + 1)
    return "the last edge does not end in the closing event";
  if (!O.isRegion(Nodes.back().Dst))
    return "the cycle does not close in a region";
  if (F.Summarized)
    return O.reaches(Nodes.back().Dst, Nodes.front().Src)
               ? ""
               : "the summarized way does not exist";
  if (Nodes.front().Src != Nodes.back().Dst)
    return "the ends are different transactions";
  if (First.src.slot != Last.dst.slot || First.src.index != Last.dst.index)
    return "the ends have different names";
  return "";
}

std::string checkCycle(const Oracle &O, const Finding &F, uptr Base,
                       bool ExactNames) {
  std::string Wrong = CycleChecker(O, F, Base, ExactNames).check();
  if (Wrong.empty())
    return Wrong;
  Wrong += ", of " + std::to_string(F.Edges.size()) + " edges\n";
  constexpr size_t kPrinted = 12;
  for (size_t I = 0; I < std::min(F.Edges.size(), kPrinted); I++) {
    const Edge &E = F.Edges[I];
    auto End = [](TxnRef R, u32 Tid, LocId Loc) {
      return "thread " + std::to_string(static_cast<int>(Tid) - 1) + " event " +
             std::to_string(Loc) + " (" + std::to_string(R.slot) + ":" +
             std::to_string(R.index) + ")";
    };
    Wrong += "  " + End(E.src, E.src_tid, E.src_loc) + " -> " +
             End(E.dst, E.dst_tid, E.dst_loc);
    Wrong +=
        E.addr
            ? " at " + std::to_string(static_cast<long>(E.addr - Base)) + "\n"
            : " start/join\n";
  }
  return Wrong;
}

} // namespace atsan_test
