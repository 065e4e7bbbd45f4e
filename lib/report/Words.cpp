//===- Words.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Words.h"
#include "lib/base/Printable.h"
#include <algorithm>
#include <cctype>
#include <filesystem>

namespace fs = std::filesystem;

namespace atsan::report {

static std::string withoutSlash(std::string Path) {
  while (Path.size() > 1 && Path.back() == '/')
    Path.pop_back();
  return Path;
}

static bool isBelow(const fs::path &Path, const std::string &Root) {
  const std::string Prefix = Root == "/" ? Root : Root + '/';
  return Path.string().compare(0, Prefix.size(), Prefix) == 0;
}

Places::Places(const std::string &SourceRoot)
    : Root(withoutSlash(fs::absolute(SourceRoot).lexically_normal().string())) {
  std::error_code Failed;
  RealRoot = withoutSlash(fs::canonical(SourceRoot, Failed).string());
}

/// The path from the root on; empty if it is not below the root.
std::string Places::relative(const std::string &Path) const {
  const fs::path Normal = fs::path(Path).lexically_normal();
  if (isBelow(Normal, Root))
    return Normal.lexically_relative(Root).string();
  // The compiler and we may have come by different symbolic links.
  std::error_code Failed;
  const fs::path Real = fs::canonical(Normal, Failed);
  if (!RealRoot.empty() && isBelow(Real, RealRoot))
    return Real.lexically_relative(RealRoot).string();
  return "";
}

bool Places::isBelowRoot(const std::string &Path) const {
  return !relative(Path).empty();
}

std::string Places::file(const std::string &Path) const {
  const std::string Relative = relative(Path);
  return Relative.empty() ? fs::path(Path).lexically_normal().string()
                          : Relative;
}

std::string Places::shortPlace(const Frame &F) const {
  if (F.File.empty())
    return '(' + fs::path(F.Module).filename().string() + '+' + F.Offset + ')';
  return file(F.File) + (F.Line ? ':' + std::to_string(F.Line) : "");
}

std::string Places::place(const Frame &F) const {
  std::string Out = shortPlace(F);
  if (F.Column)
    Out += ':' + std::to_string(F.Column);
  if (!F.Function.empty())
    Out += " in " + F.Function;
  return Out;
}

const Frame *userFrame(const Stack &Frames) {
  for (const Frame &F : Frames)
    if (F.File.find("/include/c++/") == std::string::npos &&
        F.File.find("/c++/v1/") == std::string::npos)
      return &F;
  return Frames.empty() ? nullptr : &Frames.front();
}

// "T1", "T1 and T2", "T1, T2 and T3".
static std::string listed(const std::vector<std::string> &Names) {
  std::string Out;
  for (size_t I = 0; I < Names.size(); ++I)
    Out += (!I ? "" : I + 1 == Names.size() ? " and " : ", ") + Names[I];
  return Out;
}

// The threads of the cycle beside one, in the order of the cycle.
static std::string threadsBeside(const Report &R, uint64_t Thread) {
  std::vector<std::string> Names;
  for (const Step &S : R.Steps)
    for (const Event *E : {&S.First, &S.Later})
      if (const std::string Name = threadName(R, E->Thread);
          E->Thread != Thread &&
          std::find(Names.begin(), Names.end(), Name) == Names.end())
        Names.push_back(Name);
  return listed(Names);
}

std::string verdictWords(const Report &R) {
  std::vector<std::string> Names;
  uint64_t Thread = 0;
  for (const Region &In : R.Regions)
    if (In.Blamed) {
      Names.push_back(regionWords(In) + " of " + threadName(R, In.Thread));
      Thread = In.Thread;
    }
  if (Names.empty())
    return "";
  if (Names.size() > 1)
    return "These regions cannot all be atomic: " + listed(Names);
  Names[0][0] = static_cast<char>(std::toupper(Names[0][0]));
  return Names[0] + " is not atomic: " + threadsBeside(R, Thread) +
         " came in between";
}

std::string messageWords(const Report &R) {
  return R.Shape.empty() ? R.Message : R.Message + " (" + R.Shape + ")";
}

std::string notionWords(const Report &R) {
  return R.isPotential() ? " (potential: no bad schedule was observed)" : "";
}

std::string threadName(const Report &R, std::optional<uint64_t> Id) {
  if (!Id)
    return "a finished thread";
  for (const Thread &T : R.Threads)
    if (T.Id == *Id && !T.Label.empty())
      return T.Label;
  if (*Id == 0)
    return "the main thread";
  std::string Out = "T" + std::to_string(*Id);
  for (const Thread &T : R.Threads)
    if (T.Id == *Id && !T.Name.empty()) {
      Out += " '";
      atsan_text::ForEachPrintable(T.Name.c_str(), [&](char C) { Out += C; });
      Out += '\'';
    }
  return Out;
}

std::string counted(size_t Number, const std::string &Noun,
                    const std::string &Plural) {
  return std::to_string(Number) + ' ' + (Number == 1 ? Noun : Plural);
}

std::string eventWords(const Report &R, const Event &E) {
  if (E.Role != "access")
    return E.Role;
  std::string Out = E.Access.empty() ? "access" : E.Access;
  if (E.Size && E.Access != "free")
    Out += " of " + counted(E.Size, "byte", "bytes");
  if (E.Memory)
    Out += " (" + R.Objects[*E.Memory].Label + ")";
  return Out;
}

std::string regionWords(const Region &In) {
  return In.Title + (In.Run ? " (run " + std::to_string(In.Run) + ")" : "");
}

std::string unitWords(const Report &R, const Event &E) {
  if (E.Region)
    return ", in " + regionWords(R.Regions[*E.Region]);
  return E.Role == "access" ? ", outside any region" : "";
}

std::string describeEvent(const Report &R, const Event &E) {
  return threadName(R, E.Thread) + ": " + eventWords(R, E) + unitWords(R, E);
}

std::string describeOperation(const Report &R, const Operation &O) {
  return threadName(R, O.Thread) + ": " + O.What + ", from " +
         std::to_string(O.Call) +
         (O.Return ? " to " + std::to_string(*O.Return) : " on");
}

std::string describeForBaseline(const Report &R) {
  std::string Out = R.Kind;
  for (const Region &In : R.Regions)
    if (In.Blamed && !In.Name.empty() && Out.find(In.Title) == Out.npos)
      Out += ", " + In.Title;
  if (R.Summary && !R.Summary->File.empty())
    Out += ", " + fs::path(R.Summary->File).filename().string();
  if (R.Summary && !R.Summary->Function.empty())
    Out += " in " + R.Summary->Function;
  return Out;
}

} // namespace atsan::report
