//===- Forward.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree of Karp and Miller. A node that an older one covers is left out, and
// a node that a younger one covers is not expanded; no node is taken away
// together with what grew from it, which is what made earlier prunings unsound
// (see Reynier and Servais 2013). The nodes with the most unbounded places are
// expanded in turn with those that seem to be nearest to a target.
//
//===----------------------------------------------------------------------===//

#include "lib/net/Antichain.h"
#include "lib/net/Distance.h"
#include "lib/net/Enabled.h"
#include "lib/net/Search.h"
#include <algorithm>
#include <map>
#include <queue>

namespace atsan::net {

namespace {

/// Repeating the way from an ancestor fills these places.
struct Acceleration {
  uint32_t Ancestor;
  std::vector<PlaceId> Places;
};

struct Node {
  uint32_t From;
  TransitionId By;
};

/// How many tokens a run must have in the unbounded places of a node.
using Demand = std::map<PlaceId, uint64_t>;

class Forward {
public:
  Forward(const Net &N, Budget &B)
      : N(N), B(B), Index(N), Near(N), Markings(N.Places.size()) {}

  Answer run() {
    add(initialWithUnbounded(N), MarkingSet::None, 0);
    while (!Waiting.empty() && !IsDone) {
      const uint32_t Id = next();
      if (IsExpanded[Id])
        continue;
      IsExpanded[Id] = true;
      if (B.isSpent() || TooLarge) {
        A.Why = TooLarge ? "a place gets too many tokens" : B.why();
        return std::move(A);
      }
      // What covers it is expanded in its place; equal ones are never added.
      if (Markings.covering(Markings[Id], Id) == MarkingSet::None)
        expand(Id);
    }
    if (IsDone)
      return std::move(A);
    // expand() stops half-way then.
    if (TooLarge || B.isSpent()) {
      A.Why = TooLarge ? "a place gets too many tokens" : B.why();
      return std::move(A);
    }
    A.What = Verdict::NotCoverable;
    A.Why = "a Karp-Miller tree of " + std::to_string(Nodes.size()) + " nodes";
    return std::move(A);
  }

private:
  const Net &N;
  Budget &B;
  const Enabled Index;
  Distance Near;
  MarkingSet Markings; ///< A node has the number of its marking.
  std::vector<Node> Nodes;
  std::map<uint32_t, std::vector<Acceleration>> Accelerations;
  /// Unbounded places, and the number of the node.
  std::priority_queue<std::pair<int64_t, uint32_t>> Waiting;
  /// The distance to the targets as a negative number, and the number of the
  /// node. Small trees do without.
  std::priority_queue<std::pair<int64_t, uint32_t>> Nearest;
  std::vector<bool> IsExpanded;
  bool IsNearTurn = false;
  Answer A;
  bool IsDone = false, TooLarge = false;
  bool IsTooLong = false; ///< The run would need more tokens than we count.

  static constexpr size_t SmallTree = 128;

  uint32_t next() {
    IsNearTurn = !IsNearTurn;
    auto &From = IsNearTurn && !Nearest.empty() ? Nearest : Waiting;
    const uint32_t Id = From.top().second;
    From.pop();
    return Id;
  }

  void expand(uint32_t Id) {
    const Marking From = Markings[Id]; // Markings grows.
    Index.forEach(From, [&](TransitionId T) {
      Marking Next;
      if (IsDone || B.isSpent())
        return;
      if (!fire(N.Transitions[T], From, Next))
        TooLarge = true;
      else if (Markings.covering(Next) == MarkingSet::None)
        add(std::move(Next), Id, T);
    });
  }

  void add(Marking M, uint32_t From, TransitionId By) {
    std::vector<Acceleration> Found = accelerate(M, From);
    if (!Found.empty() && Markings.covering(M) != MarkingSet::None)
      return;
    int64_t Places = 0;
    for (const Arc &X : M)
      Places += X.Count == Unbounded;
    size_t Target = 0;
    for (; Target < N.Targets.size(); ++Target)
      if (isCovered(N.Targets[Target], M))
        break;
    const uint32_t Id = Markings.add(std::move(M));
    Nodes.push_back({From, By});
    if (!Found.empty())
      Accelerations.emplace(Id, std::move(Found));
    if (Target < N.Targets.size()) {
      IsDone = true;
      A.Witness = witness(Id, Target);
      A.What = IsTooLong ? Verdict::GaveUp : Verdict::Coverable;
      if (IsTooLong)
        A.Why = "a target is coverable, but by no run that can be replayed";
    }
    // Older nodes first among those that are equally good.
    Waiting.push({(Places << 32) - int64_t{Id}, Id});
    IsExpanded.push_back(false);
    if (Id >= SmallTree)
      Nearest.push({-static_cast<int64_t>(Near.of(Markings[Id])), Id});
  }

  std::vector<Acceleration> accelerate(Marking &M, uint32_t From) const {
    std::vector<Acceleration> Found;
    for (uint32_t Up = From; Up != MarkingSet::None; Up = Nodes[Up].From) {
      const Marking &Old = Markings[Up];
      if (Old == M || !isCovered(Old, M))
        continue;
      Acceleration X{Up, {}};
      for (Arc &Here : M)
        if (Here.Count != Unbounded && Here.Count > tokensIn(Old, Here.Place)) {
          Here.Count = Unbounded;
          X.Places.push_back(Here.Place);
        }
      if (!X.Places.empty())
        Found.push_back(std::move(X));
    }
    return Found;
  }

  /// The transitions from \p Up to \p Down, without accelerations.
  std::vector<TransitionId> word(uint32_t Up, uint32_t Down) const {
    std::vector<TransitionId> Word;
    for (; Down != Up; Down = Nodes[Down].From)
      Word.push_back(Nodes[Down].By);
    std::reverse(Word.begin(), Word.end());
    return Word;
  }

  /// What \p Word needs at its beginning in a place, and adds to it.
  struct Need {
    int64_t Least = 0, Effect = 0;
  };
  std::map<PlaceId, Need> needs(const std::vector<TransitionId> &Word) const {
    std::map<PlaceId, Need> Needs;
    for (const TransitionId Id : Word) {
      for (const Arc &X : N.Transitions[Id].Pre) {
        Need &Here = Needs[X.Place];
        Here.Least = std::max(Here.Least, int64_t{X.Count} - Here.Effect);
        Here.Effect -= X.Count;
      }
      for (const Arc &X : N.Transitions[Id].Post)
        Needs[X.Place].Effect += X.Count;
    }
    return Needs;
  }

  /// Changes the demand behind \p Times times \p Word to the one before them.
  /// Places that are not in \p Demanded are not looked at.
  void before(Demand &Demanded, const std::map<PlaceId, Need> &Needs,
              uint64_t Times) {
    for (auto &[Place, Count] : Demanded) {
      const auto It = Needs.find(Place);
      if (It == Needs.end() || !Times)
        continue;
      const __int128 Effect = It->second.Effect;
      const __int128 Hurdle =
          It->second.Least + (Effect < 0 ? -Effect * (Times - 1) : 0);
      const __int128 Rest = __int128{Count} - Effect * Times;
      const __int128 Most = std::max({__int128{0}, Hurdle, Rest});
      IsTooLong |= Most > MaxTokens;
      Count = static_cast<uint64_t>(std::min(Most, __int128{MaxTokens}));
    }
  }

  /// Goes up from the node that covers the target, and decides for each
  /// acceleration how often its way is to be repeated.
  Run witness(uint32_t Id, size_t Target) {
    Run R;
    R.Target = Target;
    Demand Demanded;
    for (const Arc &X : Markings[Id])
      if (X.Count == Unbounded)
        Demanded[X.Place] = tokensIn(N.Targets[Target], X.Place);
    for (;; Id = Nodes[Id].From) {
      undoAccelerations(Id, Demanded, R);
      if (Nodes[Id].From == MarkingSet::None)
        break;
      R.Segments.push_back({{Nodes[Id].By}, 1});
      before(Demanded, needs({Nodes[Id].By}), 1);
    }
    std::reverse(R.Segments.begin(), R.Segments.end());
    joinSingles(R);
    R.Start = N.Initial;
    for (const PlaceId P : N.OrMore) {
      const uint64_t Has = tokensIn(N.Initial, P);
      if (Demanded[P] > Has)
        R.Start.push_back({P, static_cast<Tokens>(Demanded[P] - Has)});
    }
    normalize(R.Start);
    return R;
  }

  void undoAccelerations(uint32_t Id, Demand &Demanded, Run &R) {
    const auto It = Accelerations.find(Id);
    if (It == Accelerations.end())
      return;
    // The marking before any acceleration of this node, where it is bounded.
    Marking Plain;
    fire(N.Transitions[Nodes[Id].By], Markings[Nodes[Id].From], Plain);
    for (auto X = It->second.rbegin(); X != It->second.rend(); ++X) {
      std::vector<TransitionId> Word = word(X->Ancestor, Id);
      const auto Needs = needs(Word);
      uint64_t Times = 0;
      for (const PlaceId P : X->Places) {
        const uint64_t Has = tokensIn(Plain, P);
        const uint64_t Gain = static_cast<uint64_t>(Needs.at(P).Effect);
        if (Demanded[P] > Has)
          Times = std::max(Times, (Demanded[P] - Has + Gain - 1) / Gain);
        Demanded.erase(P);
      }
      before(Demanded, Needs, Times);
      if (Times)
        R.Segments.push_back({std::move(Word), Times});
    }
  }

  /// Makes one segment of neighbouring ones that happen once.
  static void joinSingles(Run &R) {
    std::vector<Segment> Joined;
    for (Segment &S : R.Segments) {
      if (!Joined.empty() && S.Times == 1 && Joined.back().Times == 1)
        Joined.back().Word.insert(Joined.back().Word.end(), S.Word.begin(),
                                  S.Word.end());
      else
        Joined.push_back(std::move(S));
    }
    R.Segments = std::move(Joined);
  }
};

} // namespace

Answer searchForward(const Net &N, Budget &B) { return Forward(N, B).run(); }

} // namespace atsan::net
