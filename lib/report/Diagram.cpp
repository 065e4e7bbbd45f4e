//===- Diagram.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Diagram.h"
#include "lib/report/Markup.h"
#include <algorithm>
#include <sstream>

namespace atsan::report {

namespace {

// Sizes are in pixels.
constexpr int LaneWidth = 370;
constexpr int BoxWidth = 290;
constexpr int BoxLeft = (LaneWidth - BoxWidth) / 2;
constexpr int BoxHeight = 58;
/// Where a box begins in its row: the title of a region is above.
constexpr int BoxTop = 28;
constexpr int RowHeight = 100;
constexpr int HeadHeight = 34;
constexpr int RegionMargin = 14;  ///< Between a region's frame and its boxes.
constexpr size_t LineLength = 40; ///< Characters in a box.

std::string shorten(const std::string &Text, size_t Length = LineLength) {
  // A character of several bytes is not divided.
  size_t Characters = 0;
  for (size_t I = 0; I < Text.size(); ++I)
    if ((Text[I] & 0xc0) != 0x80 && Characters++ == Length)
      return Text.substr(0, I) + "\u2026";
  return Text;
}

class Diagram {
public:
  Diagram(const Finding &R, const Timeline &Time, const Places &P,
          const std::string &Prefix)
      : R(R), Time(Time), P(P), Prefix(Prefix) {
    for (const Step &S : R.Steps)
      for (const Event *E : {&S.First, &S.Later})
        if (laneOf(*E) == Lanes.size())
          Lanes.push_back(E->Thread);
  }

  std::string draw() {
    const int Width = static_cast<int>(Lanes.size()) * LaneWidth;
    const int Height = top(Time.Events.size()) + 10;
    Out << "<svg role=\"img\" aria-label=\"" << escape(R.Message)
        << "\" viewBox=\"0 0 " << Width << ' ' << Height << "\" width=\""
        << Width << "\" height=\"" << Height << "\">\n";
    for (size_t Lane = 0; Lane < Lanes.size(); ++Lane)
      drawLane(Lane, Height);
    for (size_t Index = 0; Index < R.Regions.size(); ++Index)
      drawRegion(Index);
    for (size_t Row = 0; Row < Time.Events.size(); ++Row)
      drawEvent(Row);
    for (size_t Step = 0; Step < Time.Links.size(); ++Step)
      drawArrow(Step);
    Out << "</svg>\n";
    return Out.str();
  }

private:
  size_t laneOf(const Event &E) const {
    return std::find(Lanes.begin(), Lanes.end(), E.Thread) - Lanes.begin();
  }
  int left(size_t Lane) const { return static_cast<int>(Lane) * LaneWidth; }
  int top(size_t Row) const {
    return HeadHeight + static_cast<int>(Row) * RowHeight;
  }

  void drawText(int X, int Y, const char *Class, const std::string &Text,
                size_t Length = LineLength) {
    Out << "<text class=\"" << Class << "\" x=\"" << X << "\" y=\"" << Y
        << "\">" << escape(shorten(Text, Length)) << "</text>\n";
  }

  void drawLane(size_t Lane, int Height) {
    const int Middle = left(Lane) + LaneWidth / 2;
    drawText(Middle, 20, "thread", threadName(R, Lanes[Lane]));
    Out << "<line class=\"lane\" x1=\"" << Middle << "\" y1=\"" << HeadHeight
        << "\" x2=\"" << Middle << "\" y2=\"" << Height << "\"/>\n";
  }

  void drawRegion(size_t Index) {
    size_t First = Time.Events.size(), Last = 0, Lane = 0;
    for (size_t Row = 0; Row < Time.Events.size(); ++Row) {
      if (Time.Events[Row]->Region != Index)
        continue;
      First = std::min(First, Row);
      Last = Row;
      Lane = laneOf(*Time.Events[Row]);
    }
    if (First == Time.Events.size())
      return;
    const int X = left(Lane) + BoxLeft - RegionMargin;
    const int Y = top(First) + 4;
    const int Height = top(Last) + BoxTop + BoxHeight + 8 - Y;
    const Region &Shown = R.Regions[Index];
    Out << "<rect class=\"region" << (Shown.Blamed ? " blamed" : "")
        << "\" x=\"" << X << "\" y=\"" << Y << "\" width=\""
        << BoxWidth + 2 * RegionMargin << "\" height=\"" << Height
        << "\" rx=\"6\"/>\n";
    drawText(X + 8, Y + 16, "title", regionWords(Shown));
  }

  void drawEvent(size_t Row) {
    const Event &E = *Time.Events[Row];
    const int X = left(laneOf(E)) + BoxLeft;
    const int Y = top(Row) + BoxTop;
    const Frame *Place = userFrame(E.Frames);
    Out << "<a href=\"#" << Prefix << "-e" << Row + 1 << "\"><title>"
        << escape(eventWords(R, E) + (Place ? "\n" + P.place(*Place) : ""))
        << "</title>\n<rect class=\"event\" x=\"" << X << "\" y=\"" << Y
        << "\" width=\"" << BoxWidth << "\" height=\"" << BoxHeight
        << "\" rx=\"4\"/>\n";
    drawText(X + 8, Y + 17, "what", inShort(eventWords(R, E)));
    if (Place) {
      drawText(X + 8, Y + 34, "where", Place->Function);
      drawText(X + 8, Y + 50, "where", fromTheEnd(P.shortPlace(*Place)));
    }
    Out << "</a>\n";
  }

  /// Leaves out on whose stack a variable is, for which there is no room.
  static std::string inShort(const std::string &What) {
    const size_t Whose = What.find(" on the stack of ");
    return Whose == What.npos ? What : What.substr(0, Whose) + ")";
  }

  /// Cuts the begin of a path that is too long: its end says more.
  static std::string fromTheEnd(const std::string &Path) {
    if (Path.size() <= LineLength)
      return Path;
    const size_t Slash = Path.find('/', Path.size() - LineLength);
    return Slash == Path.npos ? Path : "\u2026" + Path.substr(Slash);
  }

  void drawArrow(size_t Step) {
    const Timeline::Link &Link = Time.Links[Step];
    const size_t From = laneOf(*Time.Events[Link.First]);
    const size_t To = laneOf(*Time.Events[Link.Later]);
    // Arrows come in above the middle of a box and go out below it.
    const int Y1 = top(Link.First) + BoxTop + BoxHeight * 2 / 3;
    const int Y2 = top(Link.Later) + BoxTop + BoxHeight / 3;
    const bool Rightwards = To >= From;
    const int X1 = left(From) + BoxLeft + (Rightwards ? BoxWidth : 0);
    const bool EndsLeft = To > From;
    const int X2 = left(To) + BoxLeft + (EndsLeft ? 0 : BoxWidth);
    const int Bend1 = X1 + (Rightwards ? 45 : -45);
    const int Bend2 = X2 + (EndsLeft ? -45 : 45);
    Out << "<path class=\"arrow\" d=\"M" << X1 << ' ' << Y1 << " C" << Bend1
        << ' ' << Y1 << ' ' << Bend2 << ' ' << Y2 << ' ' << X2 << ' ' << Y2
        << "\"/>\n";
    const int Back = EndsLeft ? -9 : 9;
    Out << "<path class=\"head\" d=\"M" << X2 << ' ' << Y2 << " l" << Back
        << " -5 v10 z\"/>\n";
    const int X = (X1 + 3 * Bend1 + 3 * Bend2 + X2) / 8;
    const int Y = (Y1 + Y2) / 2;
    Out << "<circle class=\"step\" cx=\"" << X << "\" cy=\"" << Y
        << "\" r=\"10\"/>\n";
    drawText(X, Y + 4, "number", std::to_string(Step + 1));
  }

  const Finding &R;
  const Timeline &Time;
  const Places &P;
  const std::string &Prefix;
  std::vector<std::optional<uint64_t>> Lanes;
  std::ostringstream Out;
};

} // namespace

std::string drawDiagram(const Finding &R, const Timeline &Time, const Places &P,
                        const std::string &Prefix) {
  return Diagram(R, Time, P, Prefix).draw();
}

} // namespace atsan::report
