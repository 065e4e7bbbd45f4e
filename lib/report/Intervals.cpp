//===- Intervals.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Intervals.h"
#include "lib/report/Markup.h"
#include <algorithm>
#include <sstream>

namespace atsan::report {

namespace {

// Sizes are in pixels.
constexpr int NameWidth = 130;
constexpr int StampWidth = 46; ///< Between two stamps that follow each other.
constexpr int LaneHeight = 40;
constexpr int BarHeight = 24;
constexpr int Margin = 10;

class Intervals {
public:
  Intervals(const Finding &R, const std::string &Prefix)
      : R(R), Prefix(Prefix) {
    for (const Operation &O : R.Operations) {
      Stamps.push_back(O.Call);
      Stamps.push_back(O.Return.value_or(O.Call));
      if (rowOf(O) == Lanes.size())
        Lanes.push_back(O.Thread);
    }
    std::sort(Stamps.begin(), Stamps.end());
    Stamps.erase(std::unique(Stamps.begin(), Stamps.end()), Stamps.end());
  }

  std::string draw() {
    const int Width = end() + Margin;
    const int Height = LaneHeight * static_cast<int>(Lanes.size()) + Margin;
    Out << "<svg role=\"img\" aria-label=\"" << escape(R.Message)
        << "\" viewBox=\"0 0 " << Width << ' ' << Height << "\" width=\""
        << Width << "\" height=\"" << Height << "\">\n";
    for (size_t Row = 0; Row != Lanes.size(); ++Row)
      drawLane(Row);
    for (size_t I = 0; I != R.Operations.size(); ++I)
      drawBar(I);
    Out << "</svg>\n";
    return Out.str();
  }

private:
  size_t rowOf(const Operation &O) const {
    return std::find(Lanes.begin(), Lanes.end(), O.Thread) - Lanes.begin();
  }
  /// Only the order of stamps counts, so they stand at equal distances.
  int left(uint64_t Stamp) const {
    return NameWidth +
           StampWidth * static_cast<int>(std::lower_bound(Stamps.begin(),
                                                          Stamps.end(), Stamp) -
                                         Stamps.begin());
  }
  int end() const {
    return NameWidth + StampWidth * (static_cast<int>(Stamps.size()) + 1);
  }
  static int middle(size_t Row) {
    return LaneHeight * static_cast<int>(Row) + LaneHeight / 2;
  }

  void drawLane(size_t Row) {
    const int Y = middle(Row);
    Out << "<text x=\"0\" y=\"" << Y + 4 << "\">"
        << escape(threadName(R, Lanes[Row])) << "</text>\n"
        << "<line class=\"lane\" x1=\"" << NameWidth << "\" y1=\"" << Y
        << "\" x2=\"" << end() << "\" y2=\"" << Y << "\"/>\n";
  }

  void drawBar(size_t I) {
    const Operation &O = R.Operations[I];
    const int X = left(O.Call);
    const int Right = O.Return ? left(*O.Return) + StampWidth / 2 : end();
    const int Y = middle(rowOf(O)) - BarHeight / 2;
    Out << "<a href=\"#" << Prefix << "-o" << I + 1 << "\"><title>"
        << escape(O.What) << "</title>\n<rect class=\"region"
        << (O.IsOffending || O.IsCore ? " blamed" : "") << "\" x=\"" << X
        << "\" y=\"" << Y << "\" width=\"" << Right - X << "\" height=\""
        << BarHeight << "\" rx=\"4\"/>\n<text class=\""
        << (O.IsCore ? "what" : "where") << "\" x=\"" << X + 4 << "\" y=\""
        << Y + 16 << "\">" << escape(O.What) << "</text>\n</a>\n";
  }

  const Finding &R;
  const std::string &Prefix;
  std::vector<uint64_t> Stamps, Lanes;
  std::ostringstream Out;
};

} // namespace

std::string drawIntervals(const Finding &R, const std::string &Prefix) {
  return Intervals(R, Prefix).draw();
}

} // namespace atsan::report
