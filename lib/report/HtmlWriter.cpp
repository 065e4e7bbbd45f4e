//===- HtmlWriter.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One page: a picture of each cycle that was observed, and everything that the
// report says below it, with the code around each access. No scripts: events
// are links to their code, so that the keyboard and a printer work as well as a
// mouse.
//
//===----------------------------------------------------------------------===//

#include "lib/report/Diagram.h"
#include "lib/report/Intervals.h"
#include "lib/report/Markup.h"
#include "lib/report/Moves.h"
#include "lib/report/Source.h"
#include "lib/report/Writers.h"
#include <sstream>

namespace atsan::report {

namespace {

constexpr char Style[] = R"(
:root { color-scheme: light dark; --text: #1b1f24; --page: #fff;
  --quiet: #57606a; --rule: #d0d7de; --code: #f6f8fa; --here: #fff1c2;
  --bad: #a40e26; --link: #0550ae; --region: #eef4fb; --region-edge: #8ba7c7;
  --blamed: #fdf0f0; --blamed-edge: #c9303e; --on-link: #fff; }
@media screen and (prefers-color-scheme: dark) {
  :root { --text: #d7dde4; --page: #0f1318; --quiet: #98a3b0; --rule: #363e48;
    --code: #191f26; --here: #4a3c10; --bad: #ff8189; --link: #79b8ff;
    --region: #16222f; --region-edge: #46648a; --blamed: #331a1e;
    --blamed-edge: #e5646e; --on-link: #0f1318; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--text);
  background: var(--page); max-width: 75rem; margin: 2rem auto;
  padding: 0 1rem; }
a { color: var(--link); }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin: 0 0 .3rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
section { border-top: 2px solid var(--rule); padding-top: 1rem;
  margin-top: 2rem; }
ol.stack, pre, code, .place, svg text { font-family: ui-monospace,
  "DejaVu Sans Mono", monospace; }
ol.stack, code, .place { font-size: .85em; overflow-wrap: anywhere; }
ol.stack { margin: .2rem 0 .7rem 1.2rem; padding-left: 1.2rem; }
summary { cursor: pointer; } details { margin: .2rem 0; }
.rest { margin-top: 1.4rem; }
pre { background: var(--code); margin: 0 0 .3rem; padding: .4rem 0;
  border: 1px solid var(--rule); border-radius: 6px; overflow-x: auto;
  font-size: .85em; tab-size: 4; }
pre span { display: block; width: max-content; min-width: calc(100% - 1rem);
  padding: 0 .5rem; }
pre i { display: inline-block; width: 5ch; margin-right: 2ch; font-style: normal;
  text-align: right; color: var(--quiet); user-select: none; }
pre .here { background: var(--here); }
.meta { color: var(--quiet); }
.badge { font-size: .75rem; font-weight: 600; padding: .1rem .5rem;
  border: 1px solid; border-radius: 1rem; color: var(--quiet);
  vertical-align: middle; white-space: nowrap; }
.badge.new { color: var(--page); background: var(--bad);
  border-color: var(--bad); }
.problem { border-left: 4px solid var(--bad); padding-left: .7rem; }
.picture { overflow-x: auto; }
svg text { font-size: 11px; fill: var(--text); }
svg text.thread { font-size: 13px; font-weight: 600; text-anchor: middle; }
svg text.what { font-weight: 600; } svg text.where { fill: var(--quiet); }
svg text.title { font-weight: 600; fill: var(--quiet); }
svg text.number { fill: var(--on-link); font-weight: 700; text-anchor: middle; }
.lane { stroke: var(--rule); stroke-width: 2; }
.region { fill: var(--region); stroke: var(--region-edge); }
.blamed { fill: var(--blamed); stroke: var(--blamed-edge); stroke-width: 2; }
.event { fill: var(--page); stroke: var(--quiet); }
.moved { fill: var(--blamed); stroke: var(--blamed-edge); stroke-width: 2; }
svg a:focus .event, svg a:hover .event { stroke: var(--link); stroke-width: 3; }
.arrow { fill: none; stroke: var(--link); stroke-width: 2; }
.head, .step { fill: var(--link); }
h3:target { background: var(--here); }
@media print { body { max-width: none; margin: 0; }
  .picture { overflow: visible; } svg { max-width: 100%; height: auto; }
  .finding { break-before: page; } .finding:first-of-type { break-before: auto; }
  h3 { break-after: avoid; } pre, ol.stack { break-inside: avoid; } }
)";

class HtmlWriter {
public:
  HtmlWriter(const Summary &S, const Places &P) : S(S), P(P), Code(P) {}

  std::string write() {
    const std::string Title = "AtomicitySanitizer: " +
                              counted(S.Findings.size(), "finding", "findings");
    Out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
        << "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
           "content=\"width=device-width\">\n<title>"
        << Title << "</title>\n<style>" << Style << "</style>\n</head>\n"
        << "<body>\n<main>\n<h1>" << Title << "</h1>\n";
    writeOverview();
    for (size_t I = 0; I < S.Findings.size(); ++I)
      writeFinding(S.Findings[I], I + 1);
    Out << "</main>\n</body>\n</html>\n";
    return Out.str();
  }

private:
  void writeOverview() {
    for (const std::string &Problem : S.Problems)
      Out << "<p class=\"problem\">" << escape(Problem) << "</p>\n";
    if (S.HasBaseline)
      Out << "<p>" << S.newFindings() << " new, "
          << S.Findings.size() - S.newFindings() << " known.</p>\n";
    if (S.Findings.size() < 2)
      return;
    Out << "<nav>\n<ol>\n";
    for (size_t I = 0; I < S.Findings.size(); ++I)
      Out << "<li><a href=\"#f" << I + 1 << "\">"
          << escape(capitalized(messageWords(S.Findings[I].Shown))) << "</a>"
          << badges(S.Findings[I]) << "</li>\n";
    Out << "</ol>\n</nav>\n";
  }

  std::string badges(const Group &F) const {
    std::string Words;
    if (S.HasBaseline)
      Words += F.Known ? " <span class=\"badge\">known</span>"
                       : " <span class=\"badge new\">new</span>";
    if (F.Shown.isPotential())
      Words += " <span class=\"badge\">potential</span>";
    return Words;
  }

  void writeFinding(const Group &F, size_t Number) {
    const Finding &R = F.Shown;
    const std::string Prefix = "f" + std::to_string(Number);
    Out << "<section class=\"finding\" id=\"" << Prefix << "\">\n<h2>" << Number
        << ". " << escape(capitalized(messageWords(R))) << badges(F)
        << "</h2>\n<p class=\"meta\">" << escape(R.Kind + notionWords(R));
    if (R.Summary)
      Out << " at <code>" << escape(P.place(*R.Summary)) << "</code>";
    Out << "<br>" << counted(F.Reports, "report") << " by "
        << counted(F.Processes, "process", "processes")
        << ", fingerprint <code>" << escape(R.Fingerprint) << "</code></p>\n";
    if (R.isPotential())
      writePairs(R);
    else if (!R.Steps.empty())
      writeCycle(R, Prefix);
    writeMoves(R);
    if (!R.Operations.empty())
      writeHistory(R, Prefix);
    if (!R.Use.empty())
      writePlace("", "Where", R.Use);
    for (const std::string &Note : R.Notes)
      Out << "<pre>" << escape(Note) << "</pre>\n";
    writeRest(R);
    Out << "</section>\n";
  }

  /// What the recorded run did, and what the forced one.
  void writeMoves(const Finding &R) {
    if (R.ForcedOrder.empty())
      return;
    Out << "<p>It was predicted from a run in which nothing was wrong, and "
           "forced.</p>\n";
    const Moves M = movesOf(R);
    if (!M.Steps.empty()) {
      Out << "<div class=\"picture\">\n" << drawMoves(M) << "</div>\n";
      if (const std::string Text = movesText(M); !Text.empty())
        Out << "<p>" << Text << ":</p>\n";
      Out << "<ol>\n";
      for (const std::string &Step : M.Steps)
        Out << "<li>" << escape(Step) << "</li>\n";
      Out << "</ol>\n";
      return;
    }
    Out << "<ul>\n<li>In the recorded run: " << escape(R.RecordedOrder)
        << "</li>\n<li>In the forced run: " << escape(R.ForcedOrder)
        << "</li>\n</ul>\n";
  }

  void writeCycle(const Finding &R, const std::string &Prefix) {
    const Timeline Time = makeTimeline(R);
    Out << "<div class=\"picture\">\n"
        << drawDiagram(R, Time, P, Prefix)
        << "</div>\n<p class=\"meta\">Time goes down. An arrow leads from the "
           "first to the later of two events whose order is fixed. The arrows "
           "lead around a cycle: what is red cannot have run as a whole, "
           "before or after the others. Events of one "
           "region that no arrow orders stand in the order of the cycle.</p>\n";
    for (size_t I = 0; I < Time.Events.size(); ++I)
      writeEvent(R, *Time.Events[I], Prefix + "-e" + std::to_string(I + 1));
  }

  void writeHistory(const Finding &R, const std::string &Prefix) {
    Out << "<div class=\"picture\">\n"
        << drawIntervals(R, Prefix)
        << "</div>\n<p class=\"meta\">Time goes to the right; only its order "
           "counts here. A bar is an operation, from its call to its return. "
           "Those in red contradict each other: no moments within their bars "
           "explain their results among what the others wrote.</p>\n";
    for (size_t I = 0; I < R.Operations.size(); ++I)
      writePlace(Prefix + "-o" + std::to_string(I + 1),
                 describeOperation(R, R.Operations[I]), R.Operations[I].Frames);
  }

  void writePairs(const Finding &R) {
    for (const Step &Of : R.Steps) {
      Out << "<p>" << escape(capitalized(Of.Why)) << ":</p>\n";
      writeEvent(R, Of.First, "");
      writeEvent(R, Of.Later, "");
    }
  }

  void writeEvent(const Finding &R, const Event &E, const std::string &Id) {
    writePlace(Id, capitalized(describeEvent(R, E)), E.Frames);
    if (!E.LeftOut.empty())
      Out << "<p>The stack lacks " << escape(E.LeftOut) << ".</p>\n";
  }

  void writeRest(const Finding &R) {
    Out << "<div class=\"rest\">\n";
    for (const Region &In : R.Regions) {
      writeStack(regionWords(In) + " of " + threadName(R, In.Thread) + " began",
                 In.Begin);
      if (!In.Split.empty())
        writeStack("This part of it began after", In.Split);
    }
    for (const Memory &M : R.Objects)
      if (!M.Allocation.empty())
        writeStack(M.Label + " was allocated", M.Allocation);
    for (const Thread &T : R.Threads)
      if (!T.Creation.empty())
        writeStack(threadName(R, T.Id) + " was created by " +
                       threadName(R, T.Parent),
                   T.Creation);
    Out << "</div>\n";
    if (!R.Suppression.empty())
      Out << "<p>To suppress it: <code>" << escape(R.Suppression)
          << "</code></p>\n";
  }

  /// Writes a place with its code at once, and the callers on demand.
  void writePlace(const std::string &Id, const std::string &Title,
                  const Stack &Frames) {
    Out << "<h3" << (Id.empty() ? "" : " id=\"" + Id + "\"") << '>'
        << escape(Title) << "</h3>\n";
    if (const Frame *Place = userFrame(Frames))
      writeCode(*Place);
    writeStack("", Frames);
  }

  void writeCode(const Frame &F) {
    const Excerpt Around = Code.around(F);
    if (Around.Lines.empty())
      return;
    Out << "<pre>";
    unsigned Number = Around.First;
    for (const std::string &Line : Around.Lines) {
      Out << "<span" << (Number == F.Line ? " class=\"here\"" : "") << "><i>"
          << Number << "</i>" << escape(Line) << "</span>";
      ++Number;
    }
    Out << "</pre>\n";
  }

  void writeStack(const std::string &Title, const Stack &Frames) {
    const Frame *Place = userFrame(Frames);
    // A line of a history is in no function, and was shown.
    if (!Place || (Place->Function.empty() && Frames.size() == 1))
      return;
    Out << "<details>\n<summary>" << escape(capitalized(Title))
        << (Title.empty() ? "" : ": ") << "<span class=\"place\">"
        << escape(Place->Function) << ' ' << escape(placeOnly(*Place))
        << "</span></summary>\n<ol class=\"stack\" start=\"0\">\n";
    for (const Frame &F : Frames)
      Out << "<li>" << escape(F.Function) << ' ' << escape(placeOnly(F))
          << "</li>\n";
    Out << "</ol>\n</details>\n";
  }

  std::string placeOnly(const Frame &F) const {
    Frame Nameless = F;
    Nameless.Function.clear();
    return P.place(Nameless);
  }

  const Summary &S;
  const Places &P;
  Sources Code;
  std::ostringstream Out;
};

} // namespace

std::string writeHtml(const Summary &S, const Places &P) {
  return HtmlWriter(S, P).write();
}

} // namespace atsan::report
