//===- ColouredNet.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/ColouredNet.h"
#include <algorithm>
#include <map>

namespace atsan::causal {

namespace {

using net::PlaceId;

/// In the order in which joining takes the larger one.
enum Colour : uint8_t { Achromatic, Blue, Yellow };
const char *const Suffix[] = {"", "/blue", "/yellow"};

/// The state of a variable: the colour of the last write, and the highest one
/// of it and of the reads since. A lock that is free has one colour, twice.
struct Colours {
  Colour Written, Read;
};
const Colours AllColours[] = {{Achromatic, Achromatic}, {Achromatic, Blue},
                              {Achromatic, Yellow},     {Blue, Blue},
                              {Blue, Yellow},           {Yellow, Yellow}};

class Builder {
public:
  Builder(const Program &P, bool OneByOne) : P(P), OneByOne(OneByOne) {}

  ColouredNet build(const std::vector<ThreadClass> &Classes) {
    Armed = addPlace("no block chosen");
    Red = addPlace("RED");
    R.N.Initial.push_back({Armed, 1});
    R.N.Targets = {{{Red, 1}}};
    for (uint32_t C = 0; C < Classes.size(); ++C) {
      const ThreadClass &Of = Classes[C];
      const uint32_t Copies = OneByOne ? Of.Count : 1;
      for (uint32_t Copy = 0; Copy < Copies; ++Copy)
        addThread(Of, C, Copy);
    }
    net::normalize(R.N.Initial);
    std::sort(R.N.OrMore.begin(), R.N.OrMore.end());
    return std::move(R);
  }

private:
  const Program &P;
  bool OneByOne;
  ColouredNet R;
  PlaceId Armed = 0, Red = 0;
  using KeptValue = std::optional<model::Value>;
  /// For each object, its value if it is kept, and index of AllColours: its
  /// place.
  std::map<std::tuple<uint32_t, KeptValue, size_t>, PlaceId> ObjectPlaces;
  /// The places of the thread that is being added, for each state: achromatic,
  /// yellow, and chosen at each depth.
  std::vector<std::vector<PlaceId>> ThreadPlaces;

  PlaceId addPlace(const std::string &Name) {
    R.N.Places.push_back(Name);
    return R.N.Places.size() - 1;
  }

  PlaceId objectPlace(uint32_t Object, KeptValue V, size_t Of) {
    const auto [It, IsNew] =
        ObjectPlaces.emplace(std::make_tuple(Object, V, Of), R.N.Places.size());
    if (IsNew) {
      const Colours C = AllColours[Of];
      std::string Name = objectName(P, Object);
      if (V)
        Name += "=" + std::to_string(*V);
      Name += Suffix[C.Written];
      if (C.Read != C.Written)
        Name += std::string("/read") + Suffix[C.Read];
      addPlace(Name);
      if (Of == 0 && (!V || *V == P.Variables[Object].Initial))
        R.N.Initial.push_back({It->second, 1});
    }
    return It->second;
  }

  static size_t indexOf(Colour Written, Colour Read) {
    for (size_t I = 0;; ++I)
      if (AllColours[I].Written == Written && AllColours[I].Read == Read)
        return I;
  }

  enum { PlaceAchromatic, PlaceYellow, PlaceChosen };

  void addThread(const ThreadClass &Of, uint32_t Class, uint32_t Copy) {
    const Skeleton &S = Of.Members.front().first;
    const std::string Name =
        P.Threads[S.Of.Thread].Code.Name +
        (OneByOne && Of.Count > 1 ? "[" + std::to_string(Copy) + "]." : ".");
    ThreadPlaces.clear();
    for (size_t I = 0; I < S.Classes.size(); ++I) {
      const std::string Here = Name + std::to_string(I);
      std::vector<PlaceId> Places = {addPlace(Here),
                                     addPlace(Here + "/yellow")};
      for (size_t D = 1; D <= S.Classes[I].Open.size(); ++D)
        Places.push_back(addPlace(Here + "/blue" + std::to_string(D)));
      ThreadPlaces.push_back(std::move(Places));
    }
    const PlaceId First = ThreadPlaces[0][PlaceAchromatic];
    if (Of.IsAnyNumber)
      R.N.OrMore.push_back(First);
    else
      R.N.Initial.push_back({First, OneByOne ? 1 : Of.Count});
    for (uint32_t I = 0; I < S.Classes.size(); ++I)
      for (uint32_t E = 0; E < S.Classes[I].Out.size(); ++E)
        addStep(S, {Class, I, E, 0, Origin::Role::Other, false, false});
  }

  void addStep(const Skeleton &S, Origin O) {
    const Step &Of = S.Classes[O.State].Out[O.Step];
    // The other threads.
    if (Of.Is == Step::Kind::Access)
      addAccess(S, O);
    else
      for (const bool IsYellow : {false, true}) {
        O.IsYellow = O.IsYellowNow = IsYellow;
        move(S, O, IsYellow ? PlaceYellow : PlaceAchromatic,
             IsYellow ? PlaceYellow : PlaceAchromatic);
      }
    O.IsYellow = O.IsYellowNow = false;
    // The thread is chosen here: a block begins.
    if (Of.Is == Step::Kind::Begin)
      choose(S, O, Of.Depth);
    if (Of.Is == Step::Kind::Restart)
      for (size_t D = 1; D <= S.Classes[O.State].Open.size(); ++D)
        choose(S, O, D);
    // The chosen thread goes on; its block ends by going nowhere.
    O.As = Origin::Role::Chosen;
    for (size_t D = 1; D <= S.Classes[O.State].Open.size(); ++D) {
      if (Of.Is == Step::Kind::Begin ||
          (Of.Is == Step::Kind::End && Of.Depth > D))
        move(S, O, PlaceChosen + D - 1, PlaceChosen + D - 1);
    }
  }

  std::string words(const Step &Of) const {
    static const char *const Verbs[] = {"", "reads ", "writes ", "acquires ",
                                        "releases "};
    std::string Text = Of.Is == Step::Kind::Begin     ? "begins"
                       : Of.Is == Step::Kind::End     ? "ends"
                       : Of.Is == Step::Kind::Restart ? "begins anew"
                                                      : "";
    for (const Move &M : Of.Moves) {
      Text += Text.empty() ? "" : ", ";
      Text += Verbs[static_cast<size_t>(M.Is)] + objectName(P, M.Object);
      if (M.After)
        Text += "=" + std::to_string(*M.After);
    }
    return Text;
  }

  void add(const Skeleton &S, const Origin &O, net::Marking Pre,
           net::Marking Post) {
    const Step &Of = S.Classes[O.State].Out[O.Step];
    std::string Name = P.Threads[S.Of.Thread].Code.Name + " ";
    Name += words(Of);
    net::normalize(Pre);
    net::normalize(Post);
    R.N.Transitions.push_back({Name, std::move(Pre), std::move(Post)});
    R.Origins.push_back(O);
  }

  void move(const Skeleton &S, const Origin &O, size_t From, size_t To) {
    const Step &Of = S.Classes[O.State].Out[O.Step];
    add(S, O, {{ThreadPlaces[O.State][From], 1}},
        {{ThreadPlaces[Of.To][To], 1}});
  }

  void choose(const Skeleton &S, Origin O, size_t Depth) {
    const Step &Of = S.Classes[O.State].Out[O.Step];
    O.As = Origin::Role::Choose;
    O.Depth = static_cast<uint32_t>(Depth);
    add(S, O, {{ThreadPlaces[O.State][PlaceAchromatic], 1}, {Armed, 1}},
        {{ThreadPlaces[Of.To][PlaceChosen + Depth - 1], 1}});
  }

  /// One of the states in which a step finds an object.
  struct State {
    size_t Colours;
    KeptValue Value;
  };
  using States = std::vector<State>;

  void addAccess(const Skeleton &S, Origin O) {
    States Found;
    for (const bool IsYellow : {false, true}) {
      O.IsYellow = IsYellow;
      accessOthers(S, O, Found);
    }
    O.As = Origin::Role::Chosen;
    O.IsYellow = O.IsYellowNow = false;
    for (size_t D = 1; D <= S.Classes[O.State].Open.size(); ++D)
      accessChosen(S, O, D, Found);
  }

  /// What a step takes from an object in one of its states.
  static Colour taken(const Move &M, const Colours &C) {
    return M.Is == Move::Kind::Release ? Achromatic
           : M.Is == Move::Kind::Read  ? C.Written
                                       : C.Read;
  }

  /// The values that an object may have before a move.
  std::vector<KeptValue> valuesBefore(const Move &M) const {
    if (!M.After || M.Before)
      return {M.Before};
    std::vector<KeptValue> All;
    const model::Range &Of = P.Variables[M.Object].Of;
    for (int64_t V = Of.Low; V <= Of.High; ++V)
      All.emplace_back(static_cast<model::Value>(V));
    return All;
  }

  /// Calls \p Add for all states of all objects of the step.
  template <class Function>
  void forAllStates(const std::vector<Move> &Moves, States &Found,
                    Function Add) {
    if (Found.size() == Moves.size()) {
      Add();
      return;
    }
    const Move &M = Moves[Found.size()];
    for (size_t I = 0; I < std::size(AllColours); ++I) {
      // A lock that is given back is not there before; one that is free has one
      // colour.
      if (M.Is == Move::Kind::Release
              ? I != 0
              : M.Object >= P.Variables.size() &&
                    AllColours[I].Written != AllColours[I].Read)
        continue;
      for (const KeptValue &V : valuesBefore(M)) {
        Found.push_back({I, V});
        forAllStates(Moves, Found, Add);
        Found.pop_back();
      }
    }
  }

  /// The objects before and behind a step that gives the thread this colour.
  void addObjects(const std::vector<Move> &Moves, const States &Found,
                  Colour Now, net::Marking &Pre, net::Marking &Post) {
    for (size_t I = 0; I < Moves.size(); ++I) {
      const Move &M = Moves[I];
      const Colours Old = AllColours[Found[I].Colours];
      if (M.Is != Move::Kind::Release)
        Pre.push_back(
            {objectPlace(M.Object, Found[I].Value, Found[I].Colours), 1});
      if (M.Is == Move::Kind::Read)
        Post.push_back(
            {objectPlace(M.Object, M.After,
                         indexOf(Old.Written, std::max(Old.Read, Now))),
             1});
      else if (M.Is != Move::Kind::Acquire)
        Post.push_back({objectPlace(M.Object, M.After, indexOf(Now, Now)), 1});
    }
  }

  static Colour join(const std::vector<Move> &Moves, const States &Found) {
    Colour Most = Achromatic;
    for (size_t I = 0; I < Moves.size(); ++I)
      Most = std::max(Most, taken(Moves[I], AllColours[Found[I].Colours]));
    return Most;
  }

  void accessOthers(const Skeleton &S, Origin O, States &Found) {
    const Step &Of = S.Classes[O.State].Out[O.Step];
    forAllStates(Of.Moves, Found, [&] {
      O.IsYellowNow = O.IsYellow || join(Of.Moves, Found) != Achromatic;
      net::Marking Pre, Post;
      addObjects(Of.Moves, Found, O.IsYellowNow ? Yellow : Achromatic, Pre,
                 Post);
      Pre.push_back({ThreadPlaces[O.State][O.IsYellow], 1});
      Post.push_back({ThreadPlaces[Of.To][O.IsYellowNow], 1});
      add(S, O, std::move(Pre), std::move(Post));
    });
  }

  void accessChosen(const Skeleton &S, const Origin &O, size_t Depth,
                    States &Found) {
    const Step &Of = S.Classes[O.State].Out[O.Step];
    forAllStates(Of.Moves, Found, [&] {
      net::Marking Pre, Post;
      addObjects(Of.Moves, Found, Blue, Pre, Post);
      Pre.push_back({ThreadPlaces[O.State][PlaceChosen + Depth - 1], 1});
      if (join(Of.Moves, Found) == Yellow)
        Post = {{Red, 1}};
      else
        Post.push_back({ThreadPlaces[Of.To][PlaceChosen + Depth - 1], 1});
      add(S, O, std::move(Pre), std::move(Post));
    });
  }
};

} // namespace

ColouredNet makeColouredNet(const Program &P,
                            const std::vector<ThreadClass> &Classes,
                            bool OneByOne) {
  return Builder(P, OneByOne).build(Classes);
}

} // namespace atsan::causal
