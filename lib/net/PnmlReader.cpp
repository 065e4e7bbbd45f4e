//===- PnmlReader.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PNML: pugixml reads the XML, and this file what it means. Pages may be nested;
// reference nodes stand for what they name.
//
//===----------------------------------------------------------------------===//

#include "lib/net/Formats.h"
#include "lib/net/Scanner.h"
#include <algorithm>
#include <pugixml.hpp>
#include <unordered_map>
#include <unordered_set>

namespace atsan::net {

namespace {

class PnmlReader {
public:
  PnmlReader(const std::string &Text, const std::string &File)
      : Text(Text), File(File) {}

  Net read() {
    const auto Result = Document.load_buffer(Text.data(), Text.size());
    if (!Result)
      fail(static_cast<size_t>(std::max<ptrdiff_t>(Result.offset, 0)),
           std::string("this is no well-formed XML: ") + Result.description());
    const pugi::xml_node Root = Document.document_element();
    if (local(Root) != "pnml")
      fail(Root, "the document is <" + Printable(local(Root)) +
                     ">; PNML begins with <pnml>");
    const pugi::xml_node First = child(Root, "net");
    if (!First)
      fail(Root, "there is no <net>; add one");
    for (pugi::xml_node Next = First.next_sibling(); Next;
         Next = Next.next_sibling())
      if (local(Next) == "net")
        fail(Next, "there are several nets; keep one in each file");
    checkType(First);
    collect(First);
    for (const pugi::xml_node &A : Arcs)
      readArc(A);
    for (Transition &T : N.Transitions)
      if (!normalize(T.Pre) || !normalize(T.Post))
        fail(First, "the weights of the arcs of '" + Printable(T.Name) +
                        "' are too large; use smaller ones");
    normalize(N.Initial);
    return std::move(N);
  }

private:
  const std::string &Text;
  std::string File;
  pugi::xml_document Document;
  Net N;
  std::unordered_map<std::string, uint32_t> Places, Transitions;
  std::unordered_map<std::string, std::string> References;
  std::unordered_set<std::string> Names;
  std::vector<pugi::xml_node> Arcs;

  [[noreturn]] void fail(size_t Offset, const std::string &Message) const {
    const size_t End = std::min(Offset, Text.size());
    const auto Line = std::count(Text.begin(), Text.begin() + End, '\n') + 1;
    throw NetError(File + ":" + std::to_string(Line) + ": " + Message);
  }
  [[noreturn]] void fail(const pugi::xml_node &Node,
                         const std::string &Message) const {
    fail(static_cast<size_t>(std::max<ptrdiff_t>(Node.offset_debug(), 0)),
         Message);
  }

  /// The name without the prefix of a name space.
  static std::string local(const pugi::xml_node &Node) {
    const std::string Name = Node.name();
    return Name.substr(Name.find(':') + 1);
  }

  static pugi::xml_node child(const pugi::xml_node &Node, const char *Name) {
    return Node.find_child(
        [&](const pugi::xml_node &C) { return local(C) == Name; });
  }

  /// Refuses coloured and symmetric nets, of which each token has a value.
  void checkType(const pugi::xml_node &Net) const {
    const std::string Type = Net.attribute("type").value();
    if (Type.find("symmetricnet") != std::string::npos ||
        Type.find("highlevelnet") != std::string::npos ||
        Type.find("pt-hlpng") != std::string::npos)
      fail(Net, "the net is of type '" + Printable(Type) +
                    "'; only place/transition nets (ptnet) can be read: unfold "
                    "its colours first");
  }

  /// Walks over nested pages without recursion: files may nest them deeply.
  void collect(const pugi::xml_node &Root) {
    for (pugi::xml_node Node = Root.first_child(); Node;) {
      const std::string Kind = local(Node);
      if (Kind == "place")
        readPlace(Node);
      else if (Kind == "transition")
        readTransition(Node);
      else if (Kind == "referencePlace" || Kind == "referenceTransition")
        References[id(Node)] = Node.attribute("ref").value();
      else if (Kind == "arc")
        Arcs.push_back(Node);
      Node = next(Node, Root, Kind == "page");
    }
  }

  static pugi::xml_node next(pugi::xml_node Node, const pugi::xml_node &Root,
                             bool Inside) {
    if (Inside && Node.first_child())
      return Node.first_child();
    while (Node && !Node.next_sibling()) {
      Node = Node.parent();
      if (Node == Root)
        return {};
    }
    return Node.next_sibling();
  }

  std::string id(const pugi::xml_node &Node) const {
    const std::string Id = Node.attribute("id").value();
    if (Id.empty())
      fail(Node, "<" + local(Node) + "> has no id; give it one");
    if (Places.count(Id) || Transitions.count(Id) || References.count(Id))
      fail(Node, "the id '" + Printable(Id) +
                     "' is given twice; ids are for one object each");
    return Id;
  }

  /// The text of a label, such as the name or the initial marking.
  static std::string label(const pugi::xml_node &Node, const char *Name) {
    const pugi::xml_node Label = child(Node, Name);
    std::string Value = child(Label, "text").text().get();
    if (Value.empty())
      Value = child(Label, "value").text().get();
    const size_t From = Value.find_first_not_of(" \t\r\n");
    if (From == std::string::npos)
      return "";
    return Value.substr(From, Value.find_last_not_of(" \t\r\n") - From + 1);
  }

  /// The label of the name; some tools give one to several objects, and then it
  /// is the id.
  std::string nameOf(const pugi::xml_node &Node) {
    std::string Name = label(Node, "name");
    if (Name.empty() || Names.count(Name))
      Name = Node.attribute("id").value();
    while (!Names.insert(Name).second)
      Name += "'";
    return Name;
  }

  Tokens number(const pugi::xml_node &Node, const char *Name, Tokens Default) {
    const std::string Value = label(Node, Name);
    if (Value.empty())
      return Default;
    // Some tools write "Default,3" for the colour that all tokens have.
    const std::string Digits = Value.substr(Value.rfind(',') + 1);
    uint64_t Result = 0;
    for (const char C : Digits) {
      if (C < '0' || C > '9')
        fail(Node, std::string("<") + Name + "> is '" + Printable(Value) +
                       "'; write a whole number");
      Result = Result * 10 + (C - '0');
      if (Result > MaxTokens)
        fail(Node, std::string("<") + Name + "> is larger than " +
                       std::to_string(MaxTokens) + "; use smaller numbers");
    }
    return static_cast<Tokens>(Result);
  }

  void readPlace(const pugi::xml_node &Node) {
    const PlaceId P = N.Places.size();
    Places.emplace(id(Node), P);
    N.Places.push_back(nameOf(Node));
    if (const Tokens Count = number(Node, "initialMarking", 0))
      N.Initial.push_back({P, Count});
  }

  void readTransition(const pugi::xml_node &Node) {
    Transitions.emplace(id(Node), N.Transitions.size());
    N.Transitions.push_back({nameOf(Node), {}, {}});
  }

  std::string resolve(const pugi::xml_node &Arc, const char *End) const {
    std::string Id = Arc.attribute(End).value();
    for (size_t Steps = 0;; ++Steps) {
      const auto It = References.find(Id);
      if (It == References.end())
        return Id;
      if (Steps > References.size())
        fail(Arc, "the reference '" + Printable(Id) +
                      "' stands for itself; name a place or transition");
      Id = It->second;
    }
  }

  void readArc(const pugi::xml_node &Node) {
    const pugi::xml_node Type = child(Node, "type");
    const std::string Kind = Type.attribute("value").value();
    if (!Kind.empty() && Kind != "normal")
      fail(Node, "the arc is of type '" + Printable(Kind) +
                     "'; only normal arcs make a place/transition net");
    const std::string From = resolve(Node, "source");
    const std::string To = resolve(Node, "target");
    const Tokens Weight = number(Node, "inscription", 1);
    const auto FromPlace = Places.find(From), ToPlace = Places.find(To);
    const auto FromT = Transitions.find(From), ToT = Transitions.find(To);
    if (FromPlace != Places.end() && ToT != Transitions.end())
      N.Transitions[ToT->second].Pre.push_back({FromPlace->second, Weight});
    else if (FromT != Transitions.end() && ToPlace != Places.end())
      N.Transitions[FromT->second].Post.push_back({ToPlace->second, Weight});
    else
      fail(Node, "the arc from '" + Printable(From) + "' to '" + Printable(To) +
                     "' does not join a place and a transition of the net");
  }
};

} // namespace

Net readPnml(const std::string &Text, const std::string &File) {
  return PnmlReader(Text, File).read();
}

} // namespace atsan::net
