//===- JUnitWriter.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Markup.h"
#include "lib/report/Writers.h"
#include <sstream>

namespace atsan::report {

static void beginCase(std::ostream &Out, const std::string &Class,
                      const std::string &Name) {
  Out << "    <testcase classname=\"" << escape(Class) << "\" name=\""
      << escape(Name) << "\"";
}

static void writeFinding(std::ostream &Out, const Group &F, const Summary &S,
                         const Places &P) {
  const Finding &R = F.Shown;
  const std::string Place = R.Summary ? P.place(*R.Summary) : "";
  const std::string Message =
      R.Message + (Place.empty() ? "" : ", at " + Place);
  beginCase(Out, R.Kind, describeForBaseline(R) + " (" + R.Fingerprint + ')');
  if (F.Known) {
    Out << ">\n      <skipped message=\"known: in the baseline\"/>\n";
  } else if (!S.fails(F)) {
    Out << ">\n      <skipped message=\"potential: " << escape(Message)
        << "\"/>\n";
  } else {
    Summary Single;
    Single.Findings.push_back(F);
    Single.Reports = F.Reports;
    Out << ">\n      <failure type=\"" << escape(R.Kind + notionWords(R))
        << "\" message=\"" << escape(Message) << "\">"
        << escape(writeText(Single, P)) << "</failure>\n";
  }
  Out << "    </testcase>\n";
}

std::string writeJUnit(const Summary &S, const Places &P) {
  // A suite without tests is a failure to some servers.
  const bool Clean = S.Findings.empty() && S.Problems.empty();
  const size_t Tests = S.Findings.size() + S.Problems.size() + Clean;
  std::ostringstream Out;
  Out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      << "  <testsuite name=\"AtomicitySanitizer\" tests=\"" << Tests
      << "\" failures=\"" << S.failing() << "\" errors=\"" << S.Problems.size()
      << "\" skipped=\"" << S.Findings.size() - S.failing() << "\">\n";
  for (const Group &F : S.Findings)
    writeFinding(Out, F, S, P);
  for (const std::string &Problem : S.Problems) {
    beginCase(Out, "log", Problem.substr(0, Problem.find(": ")));
    Out << ">\n      <error message=\"" << escape(Problem)
        << "\"/>\n    </testcase>\n";
  }
  if (Clean) {
    beginCase(Out, "atomicity-violation", "no findings");
    Out << "/>\n";
  }
  Out << "  </testsuite>\n</testsuites>\n";
  return Out.str();
}

} // namespace atsan::report
