//===- LlNetReader.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The `.ll_net` files of PEP: lines in blocks PL, TR, TP and PT.
//
//===----------------------------------------------------------------------===//

#include "lib/net/Formats.h"
#include "lib/net/Scanner.h"
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace atsan::net {

namespace {

class LlNetReader {
public:
  LlNetReader(const std::string &Text, const std::string &File)
      : S(Text, File, '%') {}

  Net read() {
    readHead();
    while (!S.atEnd())
      readBlock();
    for (Transition &T : N.Transitions)
      if (!normalize(T.Pre) || !normalize(T.Post))
        S.fail("the weights of the arcs of '" + T.Name +
               "' are too large; use smaller ones");
    return std::move(N);
  }

private:
  using Numbers = std::unordered_map<Tokens, uint32_t>;

  Scanner S;
  Net N;
  std::unordered_set<std::string> Names;
  Numbers Places, Transitions; ///< From the numbers of the file to ours.
  Tokens LastPlace = 0, LastTransition = 0;

  void readHead() {
    if (S.name() != "PEP")
      S.fail("the file does not begin with 'PEP'; a low-level net of PEP does");
    const std::string Kind = S.name();
    if (Kind != "PetriBox" && Kind != "PTNet" && Kind != "PetriNet")
      S.fail("expected 'PTNet' or 'PetriBox', but found '" + Printable(Kind) +
             "'; only low-level nets can be read");
    const std::string Format = S.name();
    if (Format != "FORMAT_N" && Format != "FORMAT_N2")
      S.fail("expected 'FORMAT_N' or 'FORMAT_N2', but found '" +
             Printable(Format) + "'; write the net in one of these");
  }

  void readBlock() {
    const std::string Block = S.name();
    if (Block == "PL")
      readObjects(N.Places, Places, LastPlace, true);
    else if (Block == "TR")
      readTransitions();
    else if (Block == "TP")
      readArcs('<');
    else if (Block == "PT")
      readArcs('>');
    else if (Block == "DPL" || Block == "DTR" || Block == "DPT" ||
             Block == "DTP" || Block == "TX")
      S.line(); // How things are drawn unless they say something else.
    else
      S.fail("expected a block PL, TR, TP or PT, but found '" +
             Printable(Block.empty() ? S.here() : Block) +
             "'; other blocks cannot be read");
  }

  bool isObject() { return S.peek() == '"' || S.isNumber(); }

  /// Makes \p Name one that no other object has.
  std::string unique(std::string Name, const std::string &Default) {
    if (Name.empty())
      Name = Default;
    while (!Names.insert(Name).second)
      Name += "'";
    return Name;
  }

  Tokens readNumber(Numbers &Known, Tokens &Last, uint32_t Ours) {
    const Tokens Id = S.isNumber() ? S.number("a number") : Last + 1;
    if (!Known.emplace(Id, Ours).second)
      S.fail("the number " + std::to_string(Id) +
             " is given twice; number objects differently");
    return Last = Id;
  }

  void readObjects(std::vector<std::string> &Objects, Numbers &Known,
                   Tokens &Last, bool HasTokens) {
    while (isObject()) {
      const uint32_t Ours = Objects.size();
      const Tokens Id = readNumber(Known, Last, Ours);
      const std::string Default = (HasTokens ? "p" : "t") + std::to_string(Id);
      Objects.push_back(
          unique(S.peek() == '"' ? S.quoted() : std::string(), Default));
      if (HasTokens)
        readTokens(Ours);
      else
        S.line();
    }
  }

  /// Finds the `M` in the attributes of a place, of which texts are in quotes.
  void readTokens(PlaceId Place) {
    const std::string Rest = S.line();
    bool InText = false;
    for (size_t I = 0; I < Rest.size(); ++I) {
      InText ^= Rest[I] == '"';
      if (InText || Rest[I] != 'M')
        continue;
      if (const Tokens Count = numberAt(Rest, I + 1, "M1 for one token"))
        N.Initial.push_back({Place, Count});
      return;
    }
  }

  /// The number in \p Attributes at \p At.
  Tokens numberAt(const std::string &Attributes, size_t At,
                  const char *Example) const {
    const size_t End = std::min(Attributes.find_first_not_of("0123456789", At),
                                Attributes.size());
    if (End == At)
      S.fail(std::string("a letter without its number; write ") + Example);
    const std::string Digits = Attributes.substr(At, End - At);
    const uint64_t Number =
        Digits.size() > 10 ? UINT64_MAX : std::stoull(Digits);
    if (Number > MaxTokens)
      S.fail("the number " + Digits.substr(0, 20) + " is larger than " +
             std::to_string(MaxTokens) + "; use smaller numbers");
    return static_cast<Tokens>(Number);
  }

  void readTransitions() {
    // Our numbers go on where an earlier block ended.
    const size_t First = N.Transitions.size();
    std::vector<std::string> Objects(First);
    readObjects(Objects, Transitions, LastTransition, false);
    for (size_t I = First; I < Objects.size(); ++I)
      N.Transitions.push_back({Objects[I], {}, {}});
  }

  uint32_t object(const Numbers &Known, const char *What) {
    const Tokens Id = S.number(What);
    const auto It = Known.find(Id);
    if (It == Known.end())
      S.fail(std::string("there is no ") + (What + 2) + " " +
             std::to_string(Id) + "; declare it before its arcs");
    return It->second;
  }

  /// Reads `transition<place` or `place>transition`.
  void readArcs(char Sign) {
    while (S.isNumber()) {
      uint32_t P, T;
      if (Sign == '<')
        T = object(Transitions, "a transition");
      else
        P = object(Places, "a place");
      if (!S.take(std::string(1, Sign)))
        S.fail(std::string("expected '") + Sign + "', but found " + S.here());
      if (Sign == '<')
        P = object(Places, "a place");
      else
        T = object(Transitions, "a transition");
      Marking &Arcs =
          Sign == '<' ? N.Transitions[T].Post : N.Transitions[T].Pre;
      Arcs.push_back({P, readWeight()});
    }
  }

  /// Finds the `w` in the attributes of an arc.
  Tokens readWeight() {
    const std::string Rest = S.line();
    const size_t At = Rest.find('w');
    if (At == std::string::npos)
      return 1;
    const Tokens Weight = numberAt(Rest, At + 1, "w2 for two tokens");
    if (!Weight)
      S.fail("the weight is 0; leave the arc out");
    return Weight;
  }
};

} // namespace

Net readLlNet(const std::string &Text, const std::string &File) {
  Net N = LlNetReader(Text, File).read();
  normalize(N.Initial);
  return N;
}

} // namespace atsan::net
