//===- Dot.cpp ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/net/Dot.h"
#include "lib/net/Scanner.h"
#include <algorithm>
#include <sstream>

namespace atsan::net {

std::string quoted(const std::string &Text) {
  std::string Quoted = "\"";
  for (const char C : Printable(Text)) {
    if (C == '"' || C == '\\')
      Quoted += '\\';
    Quoted += C;
  }
  return Quoted + "\"";
}

static void begin(std::ostringstream &Out, const char *Name) {
  Out << "digraph " << Name
      << " {\n  node [fontname=\"sans-serif\", fontsize=10];\n"
         "  edge [fontname=\"sans-serif\", fontsize=9];\n";
}

/// Lists the steps of each transition: "1, 4"; long lists are cut.
static std::vector<std::string> stepsOf(const Net &N, const Run *Shown) {
  std::vector<std::string> Steps(N.Transitions.size());
  if (!Shown)
    return Steps;
  uint64_t Step = 0;
  for (const Segment &S : Shown->Segments) {
    for (const TransitionId Id : S.Word) {
      std::string &Text = Steps[Id];
      const std::string Number = std::to_string(++Step);
      if (Text.size() < 40)
        Text += (Text.empty() ? "" : ", ") + Number;
      else if (Text.back() != '.')
        Text += " ...";
    }
    Step += S.Word.size() * (S.Times - 1);
  }
  return Steps;
}

std::string dotOfNet(const Net &N, const Run *Shown) {
  std::ostringstream Out;
  begin(Out, "net");
  const Marking Initial = initialWithUnbounded(N);
  for (PlaceId P = 0; P < N.Places.size(); ++P) {
    const Tokens Count = tokensIn(Initial, P);
    Out << "  p" << P << " [shape=circle, label="
        << quoted(Count == Unbounded ? "any"
                  : Count            ? std::to_string(Count)
                                     : "")
        << ", xlabel=" << quoted(N.Places[P]);
    for (const Marking &Target : N.Targets)
      if (tokensIn(Target, P)) {
        Out << ", peripheries=2";
        break;
      }
    Out << "];\n";
  }
  const std::vector<std::string> Steps = stepsOf(N, Shown);
  for (TransitionId Id = 0; Id < N.Transitions.size(); ++Id) {
    const Transition &T = N.Transitions[Id];
    Out << "  t" << Id << " [shape=box, label="
        << quoted(Steps[Id].empty() ? T.Name : Steps[Id] + ": " + T.Name)
        << (Steps[Id].empty() ? "" : ", color=red, fontcolor=red") << "];\n";
    const auto Arrow = [&](const std::string &From, const std::string &To,
                           Tokens Weight) {
      Out << "  " << From << " -> " << To;
      if (Weight != 1)
        Out << " [label=" << Weight << ']';
      Out << ";\n";
    };
    const std::string Name = "t" + std::to_string(Id);
    for (const Arc &A : T.Pre)
      Arrow("p" + std::to_string(A.Place), Name, A.Count);
    for (const Arc &A : T.Post)
      Arrow(Name, "p" + std::to_string(A.Place), A.Count);
  }
  Out << "}\n";
  return Out.str();
}

std::string dotOfPrefix(const Net &N, const Prefix &P) {
  std::ostringstream Out;
  begin(Out, "unfolding");
  for (ConditionId C = 0; C < P.Conditions.size(); ++C)
    Out << "  c" << C << " [shape=circle, label=\"\", xlabel="
        << quoted(N.Places[P.Conditions[C].Place]) << "];\n";
  for (EventId E = 0; E < P.Events.size(); ++E) {
    const Event &Of = P.Events[E];
    const bool IsFound = std::binary_search(P.Found.begin(), P.Found.end(), E);
    Out << "  e" << E << " [shape=box, label="
        << quoted("e" + std::to_string(E + 1) + ": " +
                  N.Transitions[Of.By].Name)
        << (Of.IsCutOff ? ", style=dashed" : "")
        << (IsFound ? ", color=red, fontcolor=red" : "") << "];\n";
    for (const ConditionId C : Of.Pre)
      Out << "  c" << C << " -> e" << E << ";\n";
    for (const ConditionId C : Of.Post)
      Out << "  e" << E << " -> c" << C << ";\n";
  }
  Out << "}\n";
  return Out.str();
}

} // namespace atsan::net
