//===- refine_list.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/refine_list.h"
#include "lib/base/NamePattern.h"
#include "lib/finding/Places.h"
#include "lib/report/Files.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/output_file.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace fs = std::filesystem;

namespace atsan::tool {

// --- From a report. ----------------------------------------------------------

/// Makes a pattern that matches \p Name alone. \p Literal has the characters
/// that mean something in patterns, and are not to here.
static std::string escaped(const std::string &Name, const char *Literal) {
  std::string Out;
  for (size_t I = 0; I < Name.size(); ++I) {
    const unsigned char C = Name[I];
    const bool AtEnd = I == 0 || I + 1 == Name.size();
    if (C < ' ') { // The character cannot stand in a line.
      Out += '?';
      continue;
    }
    if (std::strchr(Literal, C) || (AtEnd && C == ' ') || (!I && C == '#'))
      Out += '\\';
    Out += static_cast<char>(C);
  }
  const atsan_names::Text Text = {Out.data(), Out.data() + Out.size()};
  return atsan_names::Problem(Text) ? '\\' + Out : Out;
}

/// Makes a pattern in which '*' matches what was left out of a long name.
static std::string functionPattern(std::string Name) {
  constexpr char Shortened[] = "<...>";
  for (size_t At = 0; (At = Name.find(Shortened, At)) != std::string::npos;
       ++At)
    Name.replace(At, sizeof(Shortened) - 1, "<*>");
  return escaped(Name, "?\\");
}

static std::string onOneLine(std::string Text) {
  std::replace_if(
      Text.begin(), Text.end(), [](unsigned char C) { return C < ' '; }, ' ');
  return Text;
}

static std::string placeOf(const finding::Stack &Frames) {
  if (Frames.empty())
    return "an unknown place";
  const finding::Frame &F = Frames.front();
  std::string Place = F.File.empty() ? F.Module + '+' + F.Offset : F.File;
  if (F.Line)
    Place += ':' + std::to_string(F.Line);
  if (!F.Function.empty())
    Place += " in " + F.Function;
  return Place;
}

static std::string reasonOf(const finding::Event &E,
                            const finding::Finding &R) {
  return (E.Access.empty() ? E.Role : E.Access) + " at " + placeOf(E.Frames) +
         (E.Region ? ", in " + R.Regions[*E.Region].Title
                   : std::string(", outside any region"));
}

/// Makes the pattern of the function that the region begins in, and of its
/// callers up to the one that the region is of: one that wraps a lock has
/// returned, and begins the regions of many.
static std::string beginPattern(const finding::Region &R) {
  std::string Chain;
  for (size_t I = 0; R.Frame && I <= *R.Frame; ++I) {
    const finding::Frame &F = R.Begin[I];
    if (!finding::isOfStandardLibrary(F.File))
      Chain += (Chain.empty() ? "" : " <- ") + functionPattern(F.Function);
  }
  const finding::Frame *User = finding::userFrame(R.Begin);
  return Chain.empty() && User && !User->Function.empty()
             ? functionPattern(User->Function)
             : Chain;
}

Exclusion exclusionFor(const finding::Finding &R) {
  if (R.Steps.empty() || !R.Steps.back().Later.Region)
    throw InputError("a report is of no region that could be excluded: " +
                     onOneLine(R.Message));
  const finding::Region &Blamed = R.Regions[*R.Steps.back().Later.Region];
  Exclusion Out;
  // A region without a name goes by its function: unlike a line number, that
  // stays.
  Out.Pattern =
      Blamed.Name.empty() ? beginPattern(Blamed) : escaped(Blamed.Name, "*?\\");
  if (Out.Pattern.empty())
    throw InputError(Blamed.Title +
                     " is not atomic, and has neither a name nor "
                     "a known function to exclude it by; "
                     "compile with -g, or name it");
  Out.Reasons.push_back(onOneLine(R.Message));
  for (const finding::Step &S : R.Steps)
    for (const finding::Event *E : {&S.First, &S.Later}) {
      const std::string Reason = "  " + onOneLine(reasonOf(*E, R));
      if (Out.Reasons.back() != Reason)
        Out.Reasons.push_back(Reason);
    }
  return Out;
}

// --- The file. ---------------------------------------------------------------

/// How each list begins. Nearly any line can be the name of a region, so that
/// others cannot be told from a source file.
static const char *const Begin =
    "# Regions that are not atomic, found by `atsan refine`.";
static const char *const Rest =
    " To go on without them:\n"
    "# atsan-clang -fsanitize=atomicity -fatomicity-exclude=FILE, or, without "
    "compiling\n"
    "# again, ATSAN_OPTIONS=exclude_regions=FILE.\n";

ExclusionList::ExclusionList(const std::string &File) {
  std::error_code Error;
  // The path is absolute: programs may run in other directories. A link stays
  // one.
  Path = fs::weakly_canonical(fs::absolute(File), Error).string();
  if (Error)
    Path = fs::absolute(File).string();
  if (!fs::exists(Path, Error))
    writeWhole(Path, std::string(Begin) + Rest, /*Replace=*/true);
  read();
}

void ExclusionList::read() {
  Text.clear();
  Patterns.clear();
  if (!report::readFile(Path, Text))
    throw InputError(Path + ": the list cannot be read (" +
                     std::strerror(errno) + "); name another one by --exclude");
  atsan_names::Lines Lines({Text.data(), Text.data() + Text.size()});
  while (Lines.Next()) {
    const std::string Pattern(Lines.pattern.begin, Lines.pattern.end);
    if (const char *Problem = atsan_names::Problem(Lines.pattern))
      throw InputError(Path + ':' + std::to_string(Lines.number) + ": '" +
                       Pattern.c_str() + "' " + Problem +
                       "; is this a list of regions?");
    Patterns.push_back(Pattern);
  }
  // An empty file stays so until there is something to add.
  if (Text.empty())
    Text = std::string(Begin) + Rest;
  if (Text.rfind(Begin, 0) != 0)
    throw InputError(Path +
                     ":1: the file is not one that atsan refine has "
                     "begun, so nothing is added to it; name another "
                     "one by --exclude, or, if it is a list of "
                     "regions, begin it with the line '" +
                     Begin + "'");
}

bool ExclusionList::has(const std::string &Pattern) const {
  return std::find(Patterns.begin(), Patterns.end(), Pattern) != Patterns.end();
}

void ExclusionList::add(const std::vector<Exclusion> &New) {
  read(); // Somebody may have edited the file meanwhile.
  if (!Text.empty() && Text.back() != '\n')
    Text += '\n';
  for (const Exclusion &E : New) {
    Text += '\n';
    for (const std::string &Reason : E.Reasons)
      Text += "# " + Reason + '\n';
    Text += E.Pattern + '\n';
    Patterns.push_back(E.Pattern);
  }
  writeWhole(Path, Text, /*Replace=*/true);
}

} // namespace atsan::tool
