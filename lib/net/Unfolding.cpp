//===- Unfolding.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// J. Esparza, S. Römer, W. Vogler: An improvement of McMillan's unfolding
// algorithm (2002). Possible extensions wait in the order of their local
// configurations: by size, then by their transitions, then by their Foata
// normal form. An event whose configuration reaches a marking that an earlier
// one has reached is a cut-off.
//
//===----------------------------------------------------------------------===//

#include "lib/net/Unfolding.h"
#include <algorithm>
#include <map>
#include <memory>
#include <queue>
#include <unordered_map>

namespace atsan::net {

namespace {

/// What is known of an event that is not in the prefix yet.
struct Extension {
  TransitionId By;
  std::vector<ConditionId> Pre;
  uint32_t Level;
  std::vector<TransitionId> Transitions; ///< Sorted; of all its events.
  /// Level and transition of each event of the configuration, sorted.
  std::vector<std::pair<uint32_t, TransitionId>> Foata;
  /// The places in which the marking behind it differs from the initial one.
  std::vector<PlaceId> Changed;
};

using ExtensionPtr = std::unique_ptr<Extension>;

/// The first level in which the two differ decides: the shorter one comes
/// first, else the one with the smaller transitions.
bool isFoataLess(const Extension &A, const Extension &B) {
  const size_t Size = A.Foata.size(); // Both have as many events.
  size_t I = 0;
  while (I < Size && A.Foata[I] == B.Foata[I])
    ++I;
  if (I == Size)
    return false;
  if (A.Foata[I].first != B.Foata[I].first)
    return A.Foata[I].first > B.Foata[I].first; // The level of A ended.
  const auto EndOfLevel = [I](const Extension &X) {
    size_t End = I;
    while (End < X.Foata.size() && X.Foata[End].first == X.Foata[I].first)
      ++End;
    return End;
  };
  const size_t EndA = EndOfLevel(A), EndB = EndOfLevel(B);
  return EndA != EndB ? EndA < EndB : A.Foata[I].second < B.Foata[I].second;
}

struct IsLater {
  bool operator()(const ExtensionPtr &A, const ExtensionPtr &B) const {
    if (A->Transitions.size() != B->Transitions.size())
      return A->Transitions.size() > B->Transitions.size();
    if (A->Transitions != B->Transitions)
      return A->Transitions > B->Transitions;
    return isFoataLess(*B, *A);
  }
};

class Unfolder {
public:
  Unfolder(const Net &N, Budget &B, Prefix &P)
      : N(N), B(B), P(P), Takers(takersByPlace(N)), Bucket(N.Places.size()) {
    // A target is a transition that takes it.
    for (size_t T = 0; T < N.Targets.size(); ++T)
      for (const Arc &A : N.Targets[T])
        Takers[A.Place].push_back(N.Transitions.size() + T);
  }

  Answer run() {
    if (const std::string Why = whyNotSafe(); !Why.empty())
      return notApplicable(Why);
    for (size_t T = 0; T < N.Targets.size(); ++T)
      if (N.Targets[T].empty())
        return found(T, {});
    std::vector<ConditionId> First;
    for (const Arc &X : N.Initial)
      First.push_back(addCondition(X.Place, NoEvent));
    for (const ConditionId C : First)
      P.Conditions[C].Concurrent.reserve(First.size());
    for (const ConditionId C : First)
      for (const ConditionId D : First)
        if (C != D)
          P.Conditions[C].Concurrent.push_back(D);
    Reached.emplace(std::vector<PlaceId>(), NoEvent);
    extend(First);
    while (!Waiting.empty() && A.What == Verdict::GaveUp && A.Why.empty()) {
      // The queue gives only constant references out.
      ExtensionPtr Next = std::move(const_cast<ExtensionPtr &>(Waiting.top()));
      Waiting.pop();
      insert(*Next);
      if (B.isSpent() && A.What == Verdict::GaveUp)
        A.Why = B.why();
    }
    // extend() stops half-way then.
    if (A.What == Verdict::GaveUp && A.Why.empty() && B.isSpent())
      A.Why = B.why();
    if (A.What == Verdict::GaveUp && A.Why.empty()) {
      A.What = Verdict::NotCoverable;
      A.Why = "an unfolding of " + std::to_string(P.Events.size()) + " events";
    }
    return std::move(A);
  }

private:
  const Net &N;
  Budget &B;
  Prefix &P;
  Answer A;
  std::vector<std::vector<TransitionId>> Takers;
  std::priority_queue<ExtensionPtr, std::vector<ExtensionPtr>, IsLater> Waiting;
  std::map<std::vector<PlaceId>, EventId> Reached;
  /// Conditions by place, while extensions of one condition are searched.
  std::vector<std::vector<ConditionId>> Bucket;
  std::vector<uint32_t> Seen; ///< For events: in which search they were met.
  uint32_t Search = 0;

  std::string whyNotSafe() const {
    if (!N.OrMore.empty())
      return "a place begins with any number of tokens";
    for (const Arc &X : N.Initial)
      if (X.Count > 1)
        return "the place '" + N.Places[X.Place] + "' can have two tokens";
    for (const Transition &T : N.Transitions) {
      if (T.Pre.empty())
        return "the transition '" + T.Name + "' takes no token";
      for (const Arc &X : T.Post)
        if (X.Count > 1)
          return "the place '" + N.Places[X.Place] + "' can have two tokens";
    }
    return "";
  }

  Answer notApplicable(const std::string &Why) {
    A.What = Verdict::NotApplicable;
    A.Why = Why;
    return std::move(A);
  }

  const Marking &preOf(TransitionId Id) const {
    return Id < N.Transitions.size() ? N.Transitions[Id].Pre
                                     : N.Targets[Id - N.Transitions.size()];
  }

  ConditionId addCondition(PlaceId Place, EventId From) {
    P.Conditions.push_back({Place, From, {}});
    return P.Conditions.size() - 1;
  }

  bool isConcurrent(ConditionId C, ConditionId D) const {
    const auto &Of = P.Conditions[C].Concurrent;
    return std::binary_search(Of.begin(), Of.end(), D);
  }

  /// Adds the event of an extension, with what it makes possible.
  void insert(Extension &E) {
    const EventId Id = P.Events.size();
    const bool IsNew = Reached.emplace(std::move(E.Changed), Id).second;
    P.Events.push_back({E.By, std::move(E.Pre), {}, E.Level, !IsNew});
    Seen.push_back(0);
    if (!IsNew)
      return;
    // What can hold together with all conditions that the event takes, and is
    // none of them, can hold together with what it makes.
    std::vector<ConditionId> Beside;
    const std::vector<ConditionId> &Pre = P.Events[Id].Pre;
    const ConditionId Least = *std::min_element(
        Pre.begin(), Pre.end(), [&](ConditionId C, ConditionId D) {
          return P.Conditions[C].Concurrent.size() <
                 P.Conditions[D].Concurrent.size();
        });
    for (const ConditionId C : P.Conditions[Least].Concurrent)
      if (std::all_of(Pre.begin(), Pre.end(), [&](ConditionId D) {
            return D == Least || (D != C && isConcurrent(D, C));
          }))
        Beside.push_back(C);
    std::vector<ConditionId> Post;
    for (const Arc &X : N.Transitions[E.By].Post)
      Post.push_back(addCondition(X.Place, Id));
    for (const ConditionId C : Beside)
      for (const ConditionId New : Post)
        P.Conditions[C].Concurrent.push_back(New);
    for (const ConditionId New : Post) {
      auto &Concurrent = P.Conditions[New].Concurrent;
      Concurrent = Beside;
      for (const ConditionId Other : Post)
        if (Other != New)
          Concurrent.push_back(Other);
    }
    P.Events[Id].Post = Post;
    extend(Post);
  }

  /// Finds the extensions that take one of these new conditions.
  void extend(const std::vector<ConditionId> &New) {
    for (const ConditionId C : New) {
      if (B.isSpent())
        return;
      const PlaceId Place = P.Conditions[C].Place;
      std::vector<PlaceId> Filled;
      for (const ConditionId D : P.Conditions[C].Concurrent) {
        const PlaceId Other = P.Conditions[D].Place;
        if (Other == Place) {
          notSafe(Place);
          return;
        }
        // A set with several new conditions is found at its last one.
        if (D > C)
          break;
        if (Bucket[Other].empty())
          Filled.push_back(Other);
        Bucket[Other].push_back(D);
      }
      for (const TransitionId T : Takers[Place])
        if (A.What == Verdict::GaveUp)
          choose(T, C);
      for (const PlaceId Other : Filled)
        Bucket[Other].clear();
    }
  }

  void notSafe(PlaceId Place) {
    A.What = Verdict::NotApplicable;
    A.Why = "the place '" + N.Places[Place] + "' can have two tokens";
  }

  void choose(TransitionId T, ConditionId C) {
    std::vector<PlaceId> Others;
    for (const Arc &X : preOf(T)) {
      if (X.Count > 1)
        return; // No safe net has so many.
      if (X.Place == P.Conditions[C].Place)
        continue;
      if (Bucket[X.Place].empty())
        return;
      Others.push_back(X.Place);
    }
    std::vector<ConditionId> Chosen = {C};
    choose(T, Others, Chosen);
  }

  void choose(TransitionId T, const std::vector<PlaceId> &Others,
              std::vector<ConditionId> &Chosen) {
    if (Chosen.size() == Others.size() + 1) {
      if (T >= N.Transitions.size())
        found(T - N.Transitions.size(), Chosen);
      else
        Waiting.push(extension(T, Chosen));
      return;
    }
    for (const ConditionId D : Bucket[Others[Chosen.size() - 1]]) {
      if (!std::all_of(Chosen.begin() + 1, Chosen.end(),
                       [&](ConditionId X) { return isConcurrent(X, D); }))
        continue;
      Chosen.push_back(D);
      choose(T, Others, Chosen);
      Chosen.pop_back();
    }
  }

  /// The events that must have happened before these conditions hold together.
  std::vector<EventId> configuration(const std::vector<ConditionId> &Of) {
    ++Search;
    std::vector<EventId> Events;
    const auto Visit = [&](ConditionId C) {
      const EventId E = P.Conditions[C].From;
      if (E != NoEvent && Seen[E] != Search) {
        Seen[E] = Search;
        Events.push_back(E);
      }
    };
    for (const ConditionId C : Of)
      Visit(C);
    for (size_t I = 0; I < Events.size(); ++I)
      for (const ConditionId C : P.Events[Events[I]].Pre)
        Visit(C);
    return Events;
  }

  ExtensionPtr extension(TransitionId T, const std::vector<ConditionId> &Pre) {
    auto E = std::make_unique<Extension>();
    E->By = T;
    E->Pre = Pre;
    E->Level = 1;
    const std::vector<EventId> Events = configuration(Pre);
    std::unordered_map<PlaceId, int> Effect;
    const auto Count = [&](TransitionId By) {
      for (const Arc &X : N.Transitions[By].Pre)
        --Effect[X.Place];
      for (const Arc &X : N.Transitions[By].Post)
        ++Effect[X.Place];
    };
    for (const EventId Id : Events) {
      const Event &Of = P.Events[Id];
      E->Transitions.push_back(Of.By);
      E->Foata.emplace_back(Of.Level, Of.By);
      E->Level = std::max(E->Level, Of.Level + 1);
      Count(Of.By);
    }
    E->Transitions.push_back(T);
    E->Foata.emplace_back(E->Level, T);
    Count(T);
    std::sort(E->Transitions.begin(), E->Transitions.end());
    std::sort(E->Foata.begin(), E->Foata.end());
    for (const auto &[Place, Change] : Effect) {
      if (!Change)
        continue;
      if (Change != (tokensIn(N.Initial, Place) ? -1 : 1))
        notSafe(Place);
      E->Changed.push_back(Place);
    }
    std::sort(E->Changed.begin(), E->Changed.end());
    return E;
  }

  Answer found(size_t Target, const std::vector<ConditionId> &Of) {
    P.Found = configuration(Of);
    // Events are added behind those that they need.
    std::sort(P.Found.begin(), P.Found.end());
    A.What = Verdict::Coverable;
    A.Witness.Start = N.Initial;
    A.Witness.Target = Target;
    Segment Only;
    for (const EventId Id : P.Found)
      Only.Word.push_back(P.Events[Id].By);
    A.Witness.Segments = {Only};
    return A;
  }
};

} // namespace

Answer unfold(const Net &N, Budget &B, Prefix &P) {
  return Unfolder(N, B, P).run();
}

Answer searchUnfolding(const Net &N, Budget &B) {
  Prefix P;
  return unfold(N, B, P);
}

} // namespace atsan::net
