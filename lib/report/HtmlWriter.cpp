//===- HtmlWriter.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One page: a picture of each cycle that was observed, and everything that the
// report says below it. No scripts: events are links to their stacks, so that
// the keyboard and a printer work as well as a mouse.
//
//===----------------------------------------------------------------------===//

#include "Diagram.h"
#include "Markup.h"
#include "Writers.h"
#include <sstream>

namespace atsan::report {

namespace {

constexpr char Style[] = R"(
body { font: 15px/1.45 system-ui, sans-serif; color: #1b1f24; max-width: 75rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin: 0 0 .3rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .2rem; }
section { border-top: 2px solid #d0d7de; padding-top: 1rem; margin-top: 2rem; }
ol.stack { margin: .1rem 0 .7rem 1.2rem; padding-left: 1.2rem; }
ol.stack, code, svg text { font-family: ui-monospace, "DejaVu Sans Mono",
  monospace; }
ol.stack, code { font-size: .85em; overflow-wrap: anywhere; }
.meta { color: #57606a; } .new { color: #a40e26; } .known { color: #57606a; }
.problem { border-left: 4px solid #a40e26; padding-left: .7rem; }
.picture { overflow-x: auto; }
svg text { font-size: 11px; fill: #1b1f24; }
svg text.thread { font-size: 13px; font-weight: 600; text-anchor: middle; }
svg text.what { font-weight: 600; } svg text.where { fill: #57606a; }
svg text.title { font-weight: 600; fill: #57606a; }
svg text.number { fill: #fff; font-weight: 700; text-anchor: middle; }
.lane { stroke: #d0d7de; stroke-width: 2; }
.region { fill: #eef4fb; stroke: #8ba7c7; }
.blamed { fill: #fdf0f0; stroke: #c9303e; stroke-width: 2; }
.event { fill: #fff; stroke: #57606a; }
svg a:focus .event, svg a:hover .event { stroke: #0550ae; stroke-width: 3; }
.arrow { fill: none; stroke: #0550ae; stroke-width: 2; }
.head, .step { fill: #0550ae; }
:target { background: #fff8c5; }
@media print { body { max-width: none; margin: 0; }
  .picture { overflow: visible; } svg { max-width: 100%; height: auto; }
  .finding { break-before: page; } .finding:first-of-type { break-before: auto; }
  h3 { break-after: avoid; } ol.stack { break-inside: avoid; } }
)";

std::string capitalized(std::string Text) {
  if (!Text.empty() && Text[0] >= 'a' && Text[0] <= 'z')
    Text[0] = static_cast<char>(Text[0] - 'a' + 'A');
  return Text;
}

class HtmlWriter {
public:
  HtmlWriter(const Summary &S, const Places &P) : S(S), P(P) {}

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
          << escape(S.Findings[I].Shown.Message) << "</a></li>\n";
    Out << "</ol>\n</nav>\n";
  }

  void writeFinding(const Finding &F, size_t Number) {
    const Report &R = F.Shown;
    const std::string Prefix = "f" + std::to_string(Number);
    Out << "<section class=\"finding\" id=\"" << Prefix << "\">\n<h2>" << Number
        << ". " << escape(messageWords(R)) << "</h2>\n<p class=\"meta\">"
        << escape(R.Kind + notionWords(R));
    if (R.Summary)
      Out << " at <code>" << escape(P.place(*R.Summary)) << "</code>";
    Out << "<br>" << counted(F.Reports, "report", "reports") << " by "
        << counted(F.Processes, "process", "processes")
        << ", fingerprint <code>" << escape(R.Fingerprint) << "</code>";
    if (S.HasBaseline)
      Out << (F.Known ? ", <span class=\"known\">known</span>"
                      : ", <strong class=\"new\">new</strong>");
    Out << "</p>\n";
    if (R.isPotential())
      writePairs(R);
    else if (!R.Steps.empty())
      writeCycle(R, Prefix);
    if (!R.Use.empty())
      writeStack("", "Where", R.Use);
    writeRest(R);
    Out << "</section>\n";
  }

  void writeCycle(const Report &R, const std::string &Prefix) {
    const Timeline Time = makeTimeline(R);
    Out << "<div class=\"picture\">\n"
        << drawDiagram(R, Time, P, Prefix)
        << "</div>\n<p class=\"meta\">Time goes down. An arrow leads from the "
           "first to the later of two events whose order is fixed. The arrows "
           "lead around a cycle: the regions in red cannot "
           "have run as a whole, before or after the others. Events of one "
           "region that no arrow orders stand in the order of the cycle.</p>\n";
    for (size_t I = 0; I < Time.Events.size(); ++I)
      writeEvent(R, *Time.Events[I], Prefix + "-e" + std::to_string(I + 1));
  }

  void writePairs(const Report &R) {
    for (const Step &Of : R.Steps) {
      Out << "<p>" << escape(Of.Why) << ":</p>\n";
      writeEvent(R, Of.First, "");
      writeEvent(R, Of.Later, "");
    }
  }

  void writeEvent(const Report &R, const Event &E, const std::string &Id) {
    writeStack(Id, describeEvent(R, E), E.Frames);
  }

  void writeRest(const Report &R) {
    for (const Region &In : R.Regions) {
      writeStack("",
                 regionWords(In) + " of " + threadName(R, In.Thread) + " began",
                 In.Begin);
      if (!In.Split.empty())
        writeStack("", "This part of it began after", In.Split);
    }
    for (const Memory &M : R.Objects)
      if (!M.Allocation.empty())
        writeStack("", M.Label + " was allocated", M.Allocation);
    for (const Thread &T : R.Threads)
      if (!T.Creation.empty())
        writeStack("",
                   threadName(R, T.Id) + " was created by " +
                       threadName(R, T.Parent),
                   T.Creation);
    if (!R.Suppression.empty())
      Out << "<p>To suppress it: <code>" << escape(R.Suppression)
          << "</code></p>\n";
  }

  void writeStack(const std::string &Id, const std::string &Title,
                  const Stack &Frames) {
    Out << "<h3" << (Id.empty() ? "" : " id=\"" + Id + "\"") << '>'
        << escape(capitalized(Title))
        << "</h3>\n<ol class=\"stack\" start=\"0\">\n";
    for (const Frame &F : Frames)
      Out << "<li>" << escape(F.Function) << ' ' << escape(placeOnly(F))
          << "</li>\n";
    Out << "</ol>\n";
  }

  std::string placeOnly(const Frame &F) const {
    Frame Nameless = F;
    Nameless.Function.clear();
    return P.place(Nameless);
  }

  const Summary &S;
  const Places &P;
  std::ostringstream Out;
};

} // namespace

std::string writeHtml(const Summary &S, const Places &P) {
  return HtmlWriter(S, P).write();
}

} // namespace atsan::report
