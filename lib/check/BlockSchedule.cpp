//===- BlockSchedule.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/BlockSchedule.h"
#include <algorithm>
#include <string>
#include <unordered_set>

using namespace atsan::check;

/// What a thread runs for its visit.
struct BlockSchedule::Script {
  struct Line {
    UnitItem::ItemKind Kind;
    HeldSets::Id Takes; ///< The lock that an acquire takes; else empty.
    HeldSets::Id Held;  ///< The locks held before the line.
  };
  /// Line must wait until Thread has come to its line Reached.
  struct Guard {
    size_t Line, Thread, Reached;
  };
  /// The lines to run; one more at the end is never run.
  std::vector<Line> Lines;
  std::vector<Guard> Guards;
  size_t EnteredEnd = 0, LeftBegin = 0;
  size_t Entry = 0, Exit = 0; ///< The lines of the visit's accesses.
  bool HasEntry = false, HasExit = false;

  size_t end() const { return Lines.size() - 1; }
  size_t afterExit() const { return HasExit ? Exit + 1 : end(); }
  size_t goal() const { return std::max(Entry + 1, afterExit()); }
};

/// Makes the scripts of a cycle. OneByOne: each visit happens after the one
/// before it in the cycle, and all of them between the two accesses of the
/// first.
std::vector<BlockSchedule::Script>
BlockSchedule::scripts(const std::vector<Visit> &Cycle, bool OneByOne) {
  HeldSets &Sets = Units.sets();
  std::vector<Script> Scripts;
  for (const Visit &V : Cycle) {
    Script S;
    auto Append = [&](uint32_t Instance) {
      const uint32_t Shape = Units.instances()[Instance].Shape;
      const std::vector<HeldSets::Id> &HeldBefore = Reach.heldIn(Shape);
      const std::vector<UnitItem> &Items = Units.shapes()[Shape].Items;
      for (size_t I = 0; I < Items.size(); ++I)
        S.Lines.push_back({Items[I].Kind,
                           Items[I].Kind == UnitItem::Acquire
                               ? Sets.of({{Items[I].Operand, Items[I].Strong}})
                               : HeldSets::Empty,
                           HeldBefore[I]});
    };
    Append(V.Entered);
    S.EnteredEnd = S.Lines.size();
    if (V.Left != V.Entered) {
      for (const HeldSets::Member &M : HeldSets::Set(Sets[V.Between])) {
        const HeldSets::Id One = Sets.of({M});
        S.Lines.push_back({UnitItem::Acquire, One, HeldSets::Empty});
        S.Lines.push_back({UnitItem::Release, HeldSets::Empty, One});
      }
      S.LeftBegin = S.Lines.size();
      Append(V.Left);
    }
    S.Lines.push_back({UnitItem::Acquire, HeldSets::Empty, HeldSets::Empty});
    S.HasEntry = V.Entry != Visit::None;
    S.Entry = S.HasEntry ? V.Entry : 0;
    S.HasExit = V.Exit != Visit::None;
    S.Exit = S.HasExit ? S.LeftBegin + V.Exit : S.end();
    Scripts.push_back(std::move(S));
  }

  const size_t N = Cycle.size();
  for (size_t I = 0; I < N; ++I) {
    Script &This = Scripts[I];
    Script &Next = Scripts[(I + 1) % N];
    Next.Guards.push_back({Next.Entry, I, This.afterExit()});
    if (I && Cycle[I].isLeftFirst())
      This.Guards.push_back({This.Exit, 0, Scripts[0].afterExit()});
    if (OneByOne)
      Next.Guards.push_back(
          {I + 1 == N ? Next.Entry : std::min(Next.Entry, Next.Exit), I,
           I ? This.goal() : This.afterExit()});
    for (size_t J = 0; J < N && N > 2; ++J) {
      if (I == J)
        continue;
      Script &Other = Scripts[J];
      auto Before = [&](uint32_t A, size_t End, uint32_t B, size_t Begin) {
        if (Units.before(Units.instances()[A], Units.instances()[B]))
          Other.Guards.push_back({Begin, I, End});
      };
      Before(Cycle[I].Entered, This.EnteredEnd, Cycle[J].Entered, 0);
      Before(Cycle[I].Entered, This.EnteredEnd, Cycle[J].Left, Other.LeftBegin);
      Before(Cycle[I].Left, This.end(), Cycle[J].Entered, 0);
      Before(Cycle[I].Left, This.end(), Cycle[J].Left, Other.LeftBegin);
    }
  }
  return Scripts;
}

bool BlockSchedule::exists(const std::vector<Visit> &Cycle, bool OneByOne) {
  return run(scripts(Cycle, OneByOne), !OneByOne);
}

/// Runs the scripts in every way until all accesses of the cycle have happened.
bool BlockSchedule::run(const std::vector<Script> &Scripts, bool HasLimit) {
  const size_t N = Scripts.size();
  using Places = std::vector<uint32_t>;
  auto Blocked = [&](const Places &At, size_t I) {
    const Script &S = Scripts[I];
    if (At[I] == S.end())
      return true;
    for (const Script::Guard &G : S.Guards)
      if (G.Line == At[I] && At[G.Thread] < G.Reached)
        return true;
    for (size_t J = 0; J < N; ++J)
      if (J != I && Units.sets().exclude(S.Lines[At[I]].Takes,
                                         Scripts[J].Lines[At[J]].Held))
        return true;
    return false;
  };
  std::unordered_set<std::string> Seen;
  std::vector<Places> Pending(1, Places(N, 0));
  while (!Pending.empty()) {
    Places Here = std::move(Pending.back());
    Pending.pop_back();
    // A step that only gives others more choice can as well be done at once.
    for (bool Again = true; Again;) {
      Again = false;
      for (size_t I = 0; I < N; ++I)
        while (Scripts[I].Lines[Here[I]].Kind != UnitItem::Acquire &&
               !Blocked(Here, I)) {
          ++Here[I];
          Again = true;
        }
    }
    if (!Seen.emplace(reinterpret_cast<const char *>(Here.data()),
                      N * sizeof Here[0])
             .second)
      continue;
    ++States;
    if (HasLimit && Limit.reached())
      return false;
    bool Goal = true;
    for (size_t I = 0; I < N; ++I)
      Goal &= Here[I] >= Scripts[I].goal();
    if (Goal)
      return true;
    for (size_t I = 0; I < N; ++I)
      if (!Blocked(Here, I)) {
        Pending.push_back(Here);
        ++Pending.back()[I];
      }
  }
  return false;
}
