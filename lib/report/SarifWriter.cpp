//===- SarifWriter.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SARIF 2.1.0 (OASIS): a result per finding, its cycle as a code flow in the
// order of time, its stacks as stacks.
//
//===----------------------------------------------------------------------===//

#include "lib/finding/Json.h"
#include "lib/report/Timeline.h"
#include "lib/report/Writers.h"
#include <algorithm>
#include <nlohmann/json.hpp>

using Json = nlohmann::ordered_json;

namespace atsan::report {

namespace {

constexpr char RootId[] = "SRCROOT";

/// RFC 3986: a path as part of a URI.
std::string asUri(const std::string &Path) {
  static constexpr char Digits[] = "0123456789ABCDEF";
  static constexpr std::string_view Marks = "-._~/+@,=";
  std::string Out;
  for (unsigned char C : Path) {
    const bool Plain = (C < 0x80 && std::isalnum(C)) ||
                       Marks.find(static_cast<char>(C)) != Marks.npos;
    if (Plain)
      Out += static_cast<char>(C);
    else
      Out += {'%', Digits[C >> 4], Digits[C & 15]};
  }
  return Out;
}

Json text(const std::string &Text) { return {{"text", Text}}; }

class SarifWriter {
public:
  SarifWriter(const Summary &S, const Places &P) : S(S), P(P) {}

  Json run(const std::string &ToolVersion) const {
    Json Results = Json::array();
    for (const Group &F : S.Findings)
      Results.push_back(result(F));
    Json Run = {{"tool", {{"driver", driver(ToolVersion)}}},
                {"invocations", Json::array({invocation()})},
                {"originalUriBaseIds",
                 {{RootId, {{"uri", "file://" + asUri(P.root()) + '/'}}}}},
                {"results", std::move(Results)}};
    return Run;
  }

private:
  static const char *level(bool IsPotential) {
    return IsPotential ? "warning" : "error";
  }

  static Json rule(const char *Id, const char *Name, const char *Short,
                   const char *Help, bool IsPotential = false) {
    return {{"id", Id},
            {"name", Name},
            {"shortDescription", text(Short)},
            {"fullDescription", text(Help)},
            {"help", text(Help)},
            {"defaultConfiguration", {{"level", level(IsPotential)}}}};
  }

  static Json driver(const std::string &ToolVersion) {
    return {
        {"name", "AtomicitySanitizer"},
        {"version", ToolVersion},
        {"rules",
         Json::array(
             {rule("atomicity-violation", "AtomicityViolation",
                   "A region that is meant to be atomic is not.",
                   "Other threads came in between the accesses of the region: "
                   "no order of whole regions, one after the other, explains "
                   "the run. Hold one lock from its first access to its last "
                   "one, and around the accesses that come in between."),
              rule("linearizability-violation", "LinearizabilityViolation",
                   "A shared object did not behave as an atomic one.",
                   "No order of the operations on it, one after the other, "
                   "that keeps the order of time has their results. The "
                   "related locations are operations that contradict each "
                   "other."),
              rule("irreducible-region", "IrreducibleRegion",
                   "A region that is meant to be atomic may not be.",
                   "Nothing bad was observed, but other threads may come in "
                   "between two events of the region in another schedule. "
                   "Hold one lock from its first access to its last one, and "
                   "around the accesses that may come in between.",
                   /*IsPotential=*/true),
              rule("region-end-without-begin", "RegionEndWithoutBegin",
                   "A region ends that was not begun.",
                   "Each end of a region needs a begin by the same "
                   "thread."),
              rule("unserializable-pattern", "UnserializablePattern",
                   "Another schedule of a recorded run is not atomic.",
                   "Nothing bad was observed, but the events of the trace can "
                   "happen in an order in which others come in between those "
                   "of a region. Hold one lock from its first access to its "
                   "last one.",
                   /*IsPotential=*/true),
              rule("data-race", "DataRace",
                   "Nothing orders two accesses, of which one is a write.",
                   "Hold the same lock around both, or make them atomic.",
                   /*IsPotential=*/true),
              rule("potential-deadlock", "PotentialDeadlock",
                   "Threads take locks in a circle.",
                   "In another schedule each of them waits for the next one. "
                   "Take the locks in one order everywhere.",
                   /*IsPotential=*/true)})}};
  }

  Json invocation() const {
    Json Out = {{"executionSuccessful", S.Problems.empty()}};
    for (const std::string &Problem : S.Problems)
      Out["toolExecutionNotifications"].push_back(
          {{"level", "error"}, {"message", text(Problem)}});
    return Out;
  }

  Json location(const Frame *F, const std::string &Message) const {
    Json Out = Json::object();
    if (F && !F->File.empty()) {
      Json Artifact;
      if (P.isBelowRoot(F->File))
        Artifact = {{"uri", asUri(P.file(F->File))}, {"uriBaseId", RootId}};
      else
        Artifact = {{"uri", "file://" + asUri(P.file(F->File))}};
      Out["physicalLocation"]["artifactLocation"] = std::move(Artifact);
      if (F->Line)
        Out["physicalLocation"]["region"]["startLine"] = F->Line;
      if (F->Line && F->Column)
        Out["physicalLocation"]["region"]["startColumn"] = F->Column;
    }
    if (F && !F->Function.empty())
      Out["logicalLocations"].push_back(
          {{"fullyQualifiedName", F->Function}, {"kind", "function"}});
    if (!Message.empty())
      Out["message"] = text(Message);
    return Out;
  }

  Json stack(const Stack &Frames, const std::string &Message) const {
    Json Out = {{"message", text(Message)}, {"frames", Json::array()}};
    for (const Frame &F : Frames) {
      Json Entry = {{"location", location(&F, "")}};
      if (!F.Module.empty())
        Entry["module"] = F.Module;
      Out["frames"].push_back(std::move(Entry));
    }
    return Out;
  }

  Json codeFlow(const Finding &R, const Timeline &Time) const {
    Json Locations = Json::array();
    for (size_t I = 0; I < Time.Events.size(); ++I) {
      const Event &E = *Time.Events[I];
      Locations.push_back(
          {{"executionOrder", I},
           {"location", location(userFrame(E.Frames), describeEvent(R, E))}});
    }
    return {
        {"threadFlows", Json::array({{{"locations", std::move(Locations)}}})}};
  }

  /// The events of a potential finding have no order of time.
  Json pairs(const Finding &R) const {
    Json Out = Json::array();
    for (const Step &Of : R.Steps)
      for (const Event *E : {&Of.First, &Of.Later})
        Out.push_back(location(userFrame(E->Frames),
                               Of.Why + ": " + describeEvent(R, *E)));
    return Out;
  }

  Json operations(const Finding &R) const {
    Json Out = Json::array();
    for (const Operation &O : R.Operations)
      if (O.IsCore)
        Out.push_back(location(userFrame(O.Frames), describeOperation(R, O)));
    return Out;
  }

  Json stacks(const Finding &R, const Timeline &Time) const {
    Json Out = Json::array();
    // An event may be in several steps; no stack may be there twice.
    const auto Add = [&](const Stack &Frames, const std::string &Message) {
      Json Entry = stack(Frames, Message);
      if (!Frames.empty() &&
          std::find(Out.begin(), Out.end(), Entry) == Out.end())
        Out.push_back(std::move(Entry));
    };
    Add(R.Use, R.Message);
    for (const Event *E : Time.Events)
      Add(E->Frames, describeEvent(R, *E));
    for (const Region &In : R.Regions)
      Add(In.Begin,
          regionWords(In) + " of " + threadName(R, In.Thread) + " began");
    for (const Memory &M : R.Objects)
      Add(M.Allocation, M.Label + " was allocated");
    for (const Thread &T : R.Threads)
      Add(T.Creation,
          threadName(R, T.Id) + " was created by " + threadName(R, T.Parent));
    return Out;
  }

  Json result(const Group &F) const {
    const Finding &R = F.Shown;
    const Timeline Time = makeTimeline(R);
    Json Out = {{"ruleId", R.Kind},
                {"level", level(R.isPotential())},
                {"message", text(messageWords(R) + notionWords(R))},
                {"partialFingerprints", {{"atsan/v1", R.Fingerprint}}},
                {"occurrenceCount", F.Reports}};
    if (S.HasBaseline)
      Out["baselineState"] = F.Known ? "unchanged" : "new";
    Out["locations"] =
        Json::array({location(R.Summary ? &*R.Summary : nullptr, "")});
    if (R.isPotential())
      Out["relatedLocations"] = pairs(R);
    else if (!Time.Events.empty())
      Out["codeFlows"] = Json::array({codeFlow(R, Time)});
    else if (!R.Operations.empty())
      Out["relatedLocations"] = operations(R);
    Out["stacks"] = stacks(R, Time);
    if (!R.Suppression.empty())
      Out["properties"]["suppression"] = R.Suppression;
    return Out;
  }

  const Summary &S;
  const Places &P;
};

} // namespace

std::string writeSarif(const Summary &S, const Places &P,
                       const std::string &ToolVersion) {
  const Json Log = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", Json::array({SarifWriter(S, P).run(ToolVersion)})}};
  return finding::toText(Log);
}

} // namespace atsan::report
