//===- model_causal.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan model --causal`: which blocks of a model are causally atomic (CAV'06).
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Analysis.h"
#include "lib/causal/RunPicture.h"
#include "lib/finding/Json.h"
#include "lib/finding/Words.h"
#include "lib/net/Formats.h"
#include "tools/atsan/model.h"
#include "tools/atsan/model_json.h"
#include "tools/atsan/model_page.h"
#include "tools/atsan/output_file.h"
#include "tools/atsan/search_progress.h"
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace atsan::tool {

using namespace atsan::causal;

namespace {

class Teller {
public:
  Teller(const Program &P, const std::string &File, std::ostream &Out)
      : P(P), File(File), Out(Out) {}

  void tell(const BlockVerdict &V) const {
    const model::Region &R = P.Regions[V.Region];
    Out << File << ':' << R.At.Line << ": block"
        << (R.Name.empty() ? "" : " '" + R.Name + "'") << ": ";
    switch (V.What) {
    case net::Verdict::NotCoverable:
      Out << "causally atomic" << numberOfThreads(V) << " (" << V.Why << ")\n";
      return;
    case net::Verdict::Coverable:
      tellRun(V);
      return;
    case net::Verdict::GaveUp:
      Out << "gave up: " << V.Why << '\n';
      return;
    case net::Verdict::NotApplicable: // Refused before.
      return;
    }
  }

  /// The verdict by schema/atsan-model-1.schema.json.
  nlohmann::ordered_json json(const BlockVerdict &V) const {
    const model::Region &R = P.Regions[V.Region];
    nlohmann::ordered_json J;
    if (!R.Name.empty())
      J["name"] = R.Name;
    J["line"] = R.At.Line;
    if (V.What == net::Verdict::Coverable) {
      J["verdict"] = V.IsMay ? "may not be atomic" : "not atomic";
      J["threads"] = V.Threads;
      J["lock_order_only"] = V.Shown.ByLockOrder;
      J["run"] = runJson(V);
      return J;
    }
    const bool IsAtomic = V.What == net::Verdict::NotCoverable;
    J["verdict"] = IsAtomic ? "atomic" : "undecided";
    if (IsAtomic)
      J["for_any_number"] = V.ForAnyNumber;
    J["why"] = V.Why;
    return J;
  }

  /// The picture of the run: a column for each thread, time goes down. Arrows
  /// between threads: what is behind what.
  Picture picture(const BlockVerdict &V) const {
    RunPicture Drawn(P);
    for (size_t I = 0; I < V.Run.size(); ++I) {
      const ScheduleStep &S = V.Run[I];
      const std::string What = words(S, true);
      if (!What.empty())
        Drawn.add(S,
                  "line " + std::to_string(edge(S.Path.back(), S).At.Line) +
                      ": " + What,
                  I == V.Shown.Begin || I == V.Shown.Between ||
                      I == V.Shown.Back);
    }
    return {"Run that shows it: block" + nameOf(P.Regions[V.Region]),
            Drawn.dot()};
  }

private:
  const Program &P;
  const std::string &File;
  std::ostream &Out;

  nlohmann::ordered_json runJson(const BlockVerdict &V) const {
    auto Run = nlohmann::ordered_json::array();
    for (size_t I = 0; I < V.Run.size(); ++I) {
      const ScheduleStep &S = V.Run[I];
      const std::string What = words(S, false);
      if (What.empty())
        continue;
      nlohmann::ordered_json J;
      J["thread"] = nameOf(S.Thread);
      J["line"] = edge(S.Path.back(), S).At.Line;
      J["does"] = What;
      J["depends_on_data"] = S.DependsOnData;
      if (I == V.Shown.Begin)
        J["is"] = "begin";
      else if (I == V.Shown.Between)
        J["is"] = "between";
      else if (I == V.Shown.Back)
        J["is"] = "back";
      Run.push_back(std::move(J));
    }
    return Run;
  }

  std::string numberOfThreads(const BlockVerdict &V) const {
    uint64_t Count = 0;
    bool IsAnyNumber = false, IsReplicated = false;
    for (const model::Thread &T : P.Threads) {
      Count += T.Count;
      IsAnyNumber |= T.IsAnyNumber;
      IsReplicated |= T.IsReplicated;
    }
    if (IsAnyNumber)
      return ", for every number of threads";
    const std::string Fixed = ", for " + finding::counted(Count, "thread");
    return Fixed +
           (IsReplicated && V.ForAnyNumber ? " and for every number" : "");
  }

  void tellRun(const BlockVerdict &V) const {
    Out << (V.IsMay ? "may not be causally atomic" : "not causally atomic")
        << "; " << finding::counted(V.Threads, "thread") << " are enough"
        << (V.Shown.ByLockOrder ? ", by lock order only" : "") << '\n';
    // What only the thread itself notices is not worth a line.
    std::vector<size_t> Number(V.Run.size());
    size_t Last = 0;
    for (size_t I = 0; I < V.Run.size(); ++I) {
      const std::string What = words(V.Run[I], true);
      if (What.empty())
        continue;
      Number[I] = ++Last;
      Out << "  " << Last << ". " << nameOf(V.Run[I].Thread) << ", line "
          << edge(V.Run[I].Path.back(), V.Run[I]).At.Line << ": " << What
          << remark(V.Shown, I, Number) << '\n';
    }
    if (V.IsMay)
      Out << "  'may': conditions and values are not kept; steps with * "
             "need some of them to be so\n";
  }

  static std::string remark(const Replayed &R, size_t I,
                            const std::vector<size_t> &Number) {
    if (I == R.Begin)
      return "   <- the block begins";
    if (I == R.Between)
      return "   <- comes behind the begin";
    if (I == R.Back)
      return "   <- in the block, behind step " +
             std::to_string(Number[R.Between]);
    return "";
  }

  std::string nameOf(const ThreadId &T) const {
    return model::replicaName(P.Threads[T.Thread], T.Replica);
  }

  const Edge &edge(const EdgeRef &E, const ScheduleStep &S) const {
    return P.Threads[S.Thread.Thread].Code.Nodes[E.Node].Out[E.Edge];
  }

  /// What a step does: "reads x, writes y". \p HasStar: and a star if it
  /// depends on data.
  std::string words(const ScheduleStep &S, bool HasStar) const {
    std::string Text;
    for (const EdgeRef &E : S.Path) {
      // A block that begins or ends by the way is not the one that is asked
      // for.
      const Edge &Of = edge(E, S);
      const bool IsBorder =
          Of.Is == Edge::Kind::Begin || Of.Is == Edge::Kind::End;
      if (IsBorder && &E != &S.Path.back())
        continue;
      const std::string One = words(Of, E.Made);
      if (!One.empty())
        Text += (Text.empty() ? "" : ", ") + One;
    }
    return Text + (HasStar && S.DependsOnData && !Text.empty() ? " *" : "");
  }

  std::string words(const Edge &E, const Move &M) const {
    const auto On = [&](const char *Verb) {
      return std::string(Verb) + ' ' + objectName(P, M.Object) + value(M);
    };
    switch (E.Is) {
    case Edge::Kind::Read:
      return On("reads");
    case Edge::Kind::Write:
      return On("writes");
    case Edge::Kind::Cas:
      return On("compares and swaps");
    case Edge::Kind::Acquire:
      return On("acquires");
    case Edge::Kind::Release:
      return On("releases");
    case Edge::Kind::Begin:
      return "begins the block" + nameOf(P.Regions[E.Number]);
    case Edge::Kind::End:
      return "ends the block" + nameOf(P.Regions[E.Number]);
    case Edge::Kind::Restart:
      return "begins the block anew";
    default:
      return "";
    }
  }

  /// The value of a variable whose values are kept.
  std::string value(const Move &M) const {
    if (!M.After)
      return "";
    const bool IsBool = P.Variables[M.Object].Of.IsBool;
    return ": " +
           (IsBool ? *M.After ? "true" : "false" : std::to_string(*M.After));
  }

  static std::string nameOf(const model::Region &R) {
    return R.Name.empty() ? "" : " '" + R.Name + "'";
  }
};

void refuseIfNotApplicable(const CausalResult &R, const std::string &File) {
  for (const BlockVerdict &V : R.Blocks)
    if (V.What == net::Verdict::NotApplicable)
      throw InputError(File + ": the engine cannot decide this model: " +
                       V.Why + "; leave --engine out");
}

void writeJson(const CausalResult &R, const Program &P, const ModelCommand &C) {
  nlohmann::ordered_json J = modelJson(C.File, "causal");
  J["blocks"] = nlohmann::ordered_json::array();
  for (const BlockVerdict &V : R.Blocks)
    J["blocks"].push_back(Teller(P, C.File, std::cout).json(V));
  std::cout << finding::toText(J);
}

int exitCode(const std::vector<BlockVerdict> &Blocks) {
  const auto Has = [&](net::Verdict What) {
    return std::any_of(Blocks.begin(), Blocks.end(),
                       [&](const BlockVerdict &V) { return V.What == What; });
  };
  // A finding stays one, whatever was not decided.
  return Has(net::Verdict::Coverable) ? ExitFinding
         : Has(net::Verdict::GaveUp)  ? ExitBadInput
                                      : ExitNothingFound;
}

void writePage(const CausalResult &R, const Program &P, const ModelCommand &C,
               const Picture &Decided) {
  std::ostringstream Text;
  const Teller T(P, C.File, Text);
  ModelPage Page = {"Causal atomicity of " + C.File, "", {}};
  for (const BlockVerdict &V : R.Blocks) {
    T.tell(V);
    if (V.What == net::Verdict::Coverable)
      Page.Pictures.push_back(T.picture(V));
  }
  Page.Text = Text.str();
  Page.Pictures.push_back(Decided);
  writeModelPage(C.Html, Page, C.Force);
}

void writeFiles(const CausalResult &R, const Program &P,
                const ModelCommand &C) {
  if (!C.Net.empty())
    writeWhole(C.Net, net::writeByName(R.Net.N, C.Net), C.Force);
  if (C.Dot.empty() && C.Html.empty())
    return;
  const Picture Decided = pictureOf(R.Net.N, C.Engine, R.Prefix, nullptr);
  if (!C.Dot.empty())
    writeWhole(C.Dot, Decided.Dot, C.Force);
  if (!C.Html.empty())
    writePage(R, P, C, Decided);
}

} // namespace

int runCausal(const ModelCommand &C) {
  const Program P = readProgram(C.File, model::Calls::Expand);
  if (const model::Contents Has = model::contentsOf(P); !Has.Regions)
    refuseWithoutBlock(C.File, Has);
  net::Budget B(C.MaxSeconds, C.MaxMemoryBytes);
  const CausalResult R = withProgress([&] { return analyse(P, C.Engine, B); });
  refuseIfNotApplicable(R, C.File);
  if (exitCode(R.Blocks) == ExitNothingFound && model::comesToNoRegion(P))
    refuseUnreached(C.File, "a block");
  if (C.Json)
    writeJson(R, P, C);
  else
    for (const BlockVerdict &V : R.Blocks)
      Teller(P, C.File, std::cout).tell(V);
  writeFiles(R, P, C);
  if (C.Stats && !C.Json)
    std::cout << R.Net.N.Places.size() << " places, "
              << R.Net.N.Transitions.size() << " transitions, "
              << R.Prefix.Events.size() << " events\n";
  return exitCode(R.Blocks);
}

} // namespace atsan::tool
