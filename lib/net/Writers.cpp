//===- Writers.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nets as text in the formats of other tools. What was written is read as the
// same net, up to names that a format cannot have.
//
//===----------------------------------------------------------------------===//

#include "lib/net/Formats.h"
#include "lib/net/Scanner.h"
#include <algorithm>
#include <pugixml.hpp>
#include <sstream>
#include <unordered_set>

namespace atsan::net {

/// Returns the names of the places with only letters, digits and underscores,
/// and different from each other and from the words of mist.
static std::vector<std::string> plainNames(const Net &N) {
  std::unordered_set<std::string> Taken = {"vars", "rules", "init", "target",
                                           "invariants"};
  std::vector<std::string> Names;
  for (const std::string &Place : N.Places) {
    std::string Name = Place;
    for (char &C : Name)
      if (!(C >= '0' && C <= '9') && !(C >= 'a' && C <= 'z') &&
          !(C >= 'A' && C <= 'Z'))
        C = '_';
    if (Name.empty() || (Name[0] >= '0' && Name[0] <= '9'))
      Name.insert(0, "p");
    const std::string Stem = Name;
    for (unsigned I = 2; !Taken.insert(Name).second; ++I)
      Name = Stem + "_" + std::to_string(I);
    Names.push_back(Name);
  }
  return Names;
}

static std::string atLeast(const std::vector<std::string> &Names,
                           const Marking &M) {
  std::string Text;
  for (const Arc &A : M) {
    Text += Text.empty() ? "" : ", ";
    Text += Names[A.Place];
    Text += " >= ";
    Text += std::to_string(A.Count);
  }
  return Text.empty() ? Names[0] + " >= 0" : Text;
}

std::string writeSpec(const Net &N) {
  if (N.Places.empty())
    throw NetError("a net without places cannot be written as .spec");
  const std::vector<std::string> Names = plainNames(N);
  std::ostringstream Out;
  Out << "vars\n   ";
  for (const std::string &Name : Names)
    Out << ' ' << Name;
  Out << "\n\nrules\n";
  for (const Transition &T : N.Transitions) {
    Out << "    # " << Printable(T.Name) << "\n    " << atLeast(Names, T.Pre)
        << " ->\n";
    std::string Effects;
    Marking Changed = T.Pre;
    Changed.insert(Changed.end(), T.Post.begin(), T.Post.end());
    std::sort(Changed.begin(), Changed.end());
    for (size_t I = 0; I < Changed.size(); ++I) {
      const PlaceId P = Changed[I].Place;
      if (I && Changed[I - 1].Place == P)
        continue;
      const int64_t Effect =
          int64_t{tokensIn(T.Post, P)} - int64_t{tokensIn(T.Pre, P)};
      if (Effect)
        Effects += (Effects.empty() ? "        " : ",\n        ") + Names[P] +
                   "' = " + Names[P] + (Effect < 0 ? " - " : " + ") +
                   std::to_string(std::abs(Effect));
    }
    // mist wants an effect in each rule.
    Out << (Effects.empty() ? "        " + Names[0] + "' = " + Names[0] + " + 0"
                            : Effects)
        << ";\n\n";
  }
  Out << "init\n    ";
  for (PlaceId P = 0; P < N.Places.size(); ++P)
    Out << (P ? ", " : "") << Names[P]
        << (std::binary_search(N.OrMore.begin(), N.OrMore.end(), P) ? " >= "
                                                                    : " = ")
        << tokensIn(N.Initial, P);
  Out << "\n\ntarget\n";
  for (const Marking &Target : N.Targets)
    Out << "    " << atLeast(Names, Target) << '\n';
  return Out.str();
}

static void addLabel(pugi::xml_node Node, const char *Label,
                     const std::string &Text) {
  Node.append_child(Label).append_child("text").text().set(Text.c_str());
}

std::string writePnml(const Net &N) {
  pugi::xml_document Document;
  auto Declaration = Document.append_child(pugi::node_declaration);
  Declaration.append_attribute("version") = "1.0";
  Declaration.append_attribute("encoding") = "UTF-8";
  auto Root = Document.append_child("pnml");
  Root.append_attribute("xmlns") =
      "http://www.pnml.org/version-2009/grammar/pnml";
  auto Net = Root.append_child("net");
  Net.append_attribute("id") = "net";
  Net.append_attribute("type") =
      "http://www.pnml.org/version-2009/grammar/ptnet";
  auto Page = Net.append_child("page");
  Page.append_attribute("id") = "page";
  for (PlaceId P = 0; P < N.Places.size(); ++P) {
    auto Place = Page.append_child("place");
    Place.append_attribute("id") = ("p" + std::to_string(P)).c_str();
    addLabel(Place, "name", Printable(N.Places[P]));
    if (const Tokens Count = tokensIn(N.Initial, P))
      addLabel(Place, "initialMarking", std::to_string(Count));
  }
  for (TransitionId T = 0; T < N.Transitions.size(); ++T) {
    auto Node = Page.append_child("transition");
    Node.append_attribute("id") = ("t" + std::to_string(T)).c_str();
    addLabel(Node, "name", Printable(N.Transitions[T].Name));
  }
  unsigned Arcs = 0;
  const auto AddArc = [&](const std::string &From, const std::string &To,
                          Tokens Weight) {
    auto Arc = Page.append_child("arc");
    Arc.append_attribute("id") = ("a" + std::to_string(Arcs++)).c_str();
    Arc.append_attribute("source") = From.c_str();
    Arc.append_attribute("target") = To.c_str();
    if (Weight != 1)
      addLabel(Arc, "inscription", std::to_string(Weight));
  };
  for (TransitionId T = 0; T < N.Transitions.size(); ++T) {
    const std::string Id = "t" + std::to_string(T);
    for (const Arc &A : N.Transitions[T].Pre)
      AddArc("p" + std::to_string(A.Place), Id, A.Count);
    for (const Arc &A : N.Transitions[T].Post)
      AddArc(Id, "p" + std::to_string(A.Place), A.Count);
  }
  std::ostringstream Out;
  Document.save(Out, "  ");
  return Out.str();
}

/// Returns a name as it can stand between double quotes in a line.
static std::string quotable(const std::string &Name) {
  std::string Text = Printable(Name);
  std::replace(Text.begin(), Text.end(), '"', '\'');
  return Text;
}

std::string writeLlNet(const Net &N) {
  std::ostringstream Out;
  Out << "PEP\nPTNet\nFORMAT_N\nPL\n";
  for (PlaceId P = 0; P < N.Places.size(); ++P) {
    Out << P + 1 << '"' << quotable(N.Places[P]) << "\"0@0";
    if (const Tokens Count = tokensIn(N.Initial, P))
      Out << 'M' << Count << 'm' << Count;
    Out << '\n';
  }
  Out << "TR\n";
  for (TransitionId T = 0; T < N.Transitions.size(); ++T)
    Out << T + 1 << '"' << quotable(N.Transitions[T].Name) << "\"0@0\n";
  const auto PutWeight = [&](const Arc &A) {
    if (A.Count != 1)
      Out << 'w' << A.Count;
    Out << '\n';
  };
  Out << "TP\n";
  for (TransitionId T = 0; T < N.Transitions.size(); ++T)
    for (const Arc &A : N.Transitions[T].Post) {
      Out << T + 1 << '<' << A.Place + 1;
      PutWeight(A);
    }
  Out << "PT\n";
  for (TransitionId T = 0; T < N.Transitions.size(); ++T)
    for (const Arc &A : N.Transitions[T].Pre) {
      Out << A.Place + 1 << '>' << T + 1;
      PutWeight(A);
    }
  return Out.str();
}

} // namespace atsan::net
