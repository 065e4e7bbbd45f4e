//===- RunPicture.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run of a model as a picture.
//
//===----------------------------------------------------------------------===//

#include "lib/causal/RunPicture.h"

#include "lib/net/Dot.h"
#include <algorithm>

namespace atsan::causal {

void RunPicture::add(const ScheduleStep &S, const std::string &Words,
                     bool IsRed) {
  Drawn New = {S.Thread, Words, IsRed, {}};
  for (const EdgeRef &E : S.Path)
    if (E.Made.Is != Move::Kind::Local)
      New.Moves.push_back(E.Made);
  Steps.push_back(std::move(New));
}

static std::string nodeName(size_t Step) { return "s" + std::to_string(Step); }

/// The steps of a thread, one below the other.
std::string RunPicture::column(const ThreadId &T, size_t Number) const {
  std::string Text =
      "  subgraph cluster" + std::to_string(Number) + " {\n    label=" +
      net::quoted(model::replicaName(P.Threads[T.Thread], T.Replica)) + ";\n";
  std::string Last;
  for (size_t I = 0; I < Steps.size(); ++I) {
    if (!(Steps[I].Thread == T))
      continue;
    Text += "    " + nodeName(I) + " [label=" +
            net::quoted(std::to_string(I + 1) + ". " + Steps[I].Words) +
            (Steps[I].IsRed ? ", color=red, fontcolor=red" : "") + "];\n";
    if (!Last.empty())
      Text += "    " + Last + " -> " + nodeName(I) + " [color=gray];\n";
    Last = nodeName(I);
  }
  return Text + "  }\n";
}

/// For each object, an arrow from the last step of another thread on which this
/// one depends.
std::string RunPicture::arrowsTo(size_t Later) const {
  std::string Text;
  for (const Move &M : Steps[Later].Moves)
    for (size_t First = Later; First-- > 0;) {
      const Drawn &Other = Steps[First];
      const auto IsOnIt = [&](const Move &Of) { return conflicts(M, Of); };
      if (std::none_of(Other.Moves.begin(), Other.Moves.end(), IsOnIt))
        continue;
      if (!(Other.Thread == Steps[Later].Thread))
        Text += "  " + nodeName(First) + " -> " + nodeName(Later) +
                " [color=blue];\n";
      break;
    }
  return Text;
}

std::string RunPicture::dot() const {
  std::string Text =
      "digraph run {\n  fontname=\"sans-serif\";\n  node [shape=box, "
      "fontname=\"sans-serif\", fontsize=10];\n";
  std::vector<ThreadId> Threads;
  for (const Drawn &S : Steps)
    if (std::find(Threads.begin(), Threads.end(), S.Thread) == Threads.end()) {
      Threads.push_back(S.Thread);
      Text += column(S.Thread, Threads.size());
    }
  for (size_t I = 0; I < Steps.size(); ++I)
    Text += arrowsTo(I);
  return Text + "}\n";
}

} // namespace atsan::causal
