//===- SpecReader.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The `.spec` files of mist, without what goes beyond Petri nets.
//
//===----------------------------------------------------------------------===//

#include "lib/net/Formats.h"
#include "lib/net/Scanner.h"
#include <algorithm>
#include <unordered_map>

namespace atsan::net {

namespace {

class SpecReader {
public:
  SpecReader(const std::string &Text, const std::string &File)
      : S(Text, File, '#') {}

  Net read() {
    expectSection("vars");
    readPlaces();
    expectSection("rules");
    while (!isSection())
      readRule();
    expectSection("init");
    readInitial();
    expectSection("target");
    while (!S.atEnd() && S.peekName() != "invariants")
      N.Targets.push_back(readTarget());
    if (N.Targets.empty())
      S.fail("the section 'target' is empty; add a line such as 'x0 >= 1'");
    if (!S.atEnd())
      readInvariants();
    return std::move(N);
  }

private:
  Scanner S;
  Net N;
  std::unordered_map<std::string, PlaceId> Known;

  bool isSection() {
    const std::string Name = S.peekName();
    return Name == "vars" || Name == "rules" || Name == "init" ||
           Name == "target" || Name == "invariants";
  }

  void expectSection(const std::string &Name) {
    if (S.peekName() != Name)
      S.fail("expected the section '" + Name + "', but found " + S.here() +
             "; the sections are vars, rules, init, target, invariants");
    S.name();
  }

  void expect(const std::string &Sign) {
    if (!S.take(Sign))
      S.fail("expected '" + Sign + "', but found " + S.here());
  }

  void readPlaces() {
    while (!S.atEnd() && !isSection()) {
      const std::string Name = S.name();
      if (Name.empty() || (Name[0] >= '0' && Name[0] <= '9'))
        S.fail("expected the name of a variable, but found " +
               (Name.empty() ? S.here() : "'" + Name + "'"));
      if (!Known.emplace(Name, N.Places.size()).second)
        S.fail("the variable '" + Name + "' is declared twice; remove one");
      N.Places.push_back(Name);
      S.take(","); // Some writers separate them.
    }
    if (N.Places.empty())
      S.fail("there is no variable; name some behind 'vars'");
  }

  PlaceId place() {
    const std::string Name = S.peekName();
    const auto It = Known.find(Name);
    if (It == Known.end())
      S.fail("there is no variable " + S.here() + "; declare it behind 'vars'");
    S.name();
    return It->second;
  }

  /// Reads `x >= n`.
  Arc readAtLeast(const char *Remedy) {
    const PlaceId P = place();
    if (!S.take(">="))
      S.fail("expected '>=', but found " + S.here() + "; " + Remedy);
    return {P, S.number("a bound")};
  }

  Marking readGuard() {
    Marking Guard;
    if (S.peek() == '-')
      return Guard;
    do {
      const Arc A = readAtLeast("tests for zero are no Petri nets: only guards "
                                "of the form 'x >= n' can be decided");
      const auto Same =
          std::find_if(Guard.begin(), Guard.end(),
                       [&](const Arc &B) { return B.Place == A.Place; });
      if (Same == Guard.end())
        Guard.push_back(A);
      else
        Same->Count = std::max(Same->Count, A.Count);
    } while (S.take(","));
    return Guard;
  }

  /// Reads `x' = x + n`, and puts it into \p T, whose Pre is the guard. A place
  /// gets an entry of Post even if nothing changes.
  void readEffect(Transition &T) {
    static const char *const Remedy =
        "transfers and resets are no Petri nets: only effects of the form "
        "'x' = x + n' and 'x' = x - n' can be decided";
    const PlaceId P = place();
    expect("'");
    expect("=");
    if (S.isNumber() || Known.at(N.Places[P]) != place())
      S.fail(Remedy);
    const bool Less = S.take("-");
    if (!Less && !S.take("+")) {
      addEffect(T, P, 0, false);
      return;
    }
    if (!S.isNumber())
      S.fail(Remedy);
    addEffect(T, P, S.number("an effect"), Less);
    if (S.peek() == '+' || S.peek() == '-')
      S.fail(Remedy);
  }

  void addEffect(Transition &T, PlaceId P, Tokens Count, bool Less) {
    const auto IsHere = [&](const Arc &A) { return A.Place == P; };
    if (std::any_of(T.Post.begin(), T.Post.end(), IsHere))
      S.fail("'" + N.Places[P] + "' is assigned twice in one rule; remove one");
    auto Pre = std::find_if(T.Pre.begin(), T.Pre.end(), IsHere);
    if (Pre == T.Pre.end())
      Pre = T.Pre.insert(T.Pre.end(), {P, 0});
    if (Less) {
      Pre->Count = std::max(Pre->Count, Count);
      T.Post.push_back({P, Pre->Count - Count});
    } else if (Count > MaxTokens - Pre->Count) {
      S.fail("the numbers of '" + N.Places[P] + "' are too large");
    } else {
      T.Post.push_back({P, Pre->Count + Count});
    }
  }

  void readRule() {
    Transition T;
    T.Name = "t" + std::to_string(N.Transitions.size() + 1);
    T.Pre = readGuard();
    expect("->");
    if (S.peek() != ';') {
      do
        readEffect(T);
      while (S.take(","));
    }
    expect(";");
    // What a guard only tests stays.
    for (const Arc &A : T.Pre)
      if (std::none_of(T.Post.begin(), T.Post.end(),
                       [&](const Arc &B) { return A.Place == B.Place; }))
        T.Post.push_back(A);
    normalize(T.Pre);
    normalize(T.Post);
    N.Transitions.push_back(std::move(T));
  }

  void readInitial() {
    std::vector<bool> Seen(N.Places.size());
    do {
      const PlaceId P = place();
      if (Seen[P])
        S.fail("'" + N.Places[P] + "' begins twice; remove one");
      Seen[P] = true;
      if (S.take(">="))
        N.OrMore.push_back(P);
      else
        expect("=");
      N.Initial.push_back({P, S.number("a number of tokens")});
    } while (S.take(","));
    normalize(N.Initial);
    std::sort(N.OrMore.begin(), N.OrMore.end());
  }

  Marking readTarget() {
    Marking M;
    do {
      const Arc A = readAtLeast("a target is upward closed: write 'x >= n'");
      if (std::any_of(M.begin(), M.end(),
                      [&](const Arc &B) { return B.Place == A.Place; }))
        S.fail("'" + N.Places[A.Place] +
               "' stands twice in one target; keep the larger bound");
      M.push_back(A);
    } while (S.take(","));
    normalize(M);
    return M;
  }

  /// Passes `x = 1, y = 1`: what mist knows beforehand, and we do not need.
  void readInvariants() {
    expectSection("invariants");
    while (!S.atEnd()) {
      place();
      expect("=");
      S.number("a weight");
      S.take(",");
    }
  }
};

} // namespace

Net readSpec(const std::string &Text, const std::string &File) {
  return SpecReader(Text, File).read();
}

} // namespace atsan::net
