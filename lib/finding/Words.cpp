//===- Words.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/finding/Words.h"
#include "lib/base/Printable.h"
#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace atsan::finding {

std::string listed(const std::vector<std::string> &Names) {
  std::string Out;
  for (size_t I = 0; I < Names.size(); ++I)
    Out += (!I ? "" : I + 1 == Names.size() ? " and " : ", ") + Names[I];
  return Out;
}

// The threads of the cycle beside one, in the order of the cycle.
static std::string threadsBeside(const Finding &R, uint64_t Thread) {
  std::vector<std::string> Names;
  for (const Step &S : R.Steps)
    for (const Event *E : {&S.First, &S.Later})
      if (const std::string Name = threadName(R, E->Thread);
          E->Thread != Thread &&
          std::find(Names.begin(), Names.end(), Name) == Names.end())
        Names.push_back(Name);
  return listed(Names);
}

std::string verdictWords(const Finding &R) {
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
  return capitalized(Names[0]) + " is not atomic: " + threadsBeside(R, Thread) +
         " came in between";
}

std::string messageWords(const Finding &R) {
  return R.Shape.empty() ? R.Message : R.Message + " (" + R.Shape + ")";
}

std::string notionWords(const Finding &R) {
  return R.isPotential() ? " (potential: no bad schedule was observed)" : "";
}

std::string threadName(const Finding &R, std::optional<uint64_t> Id) {
  if (!Id)
    return "a finished thread";
  for (const Thread &T : R.Threads)
    if (T.Id == *Id && !T.Label.empty())
      return T.Label;
  if (*Id == 0)
    return "the main thread";
  std::string Out = "T" + std::to_string(*Id);
  for (const Thread &T : R.Threads)
    if (T.Id == *Id && !T.Name.empty())
      Out += " '" + atsan_text::Printable(T.Name) + "'";
  return Out;
}

std::string counted(uint64_t Number, const std::string &Noun,
                    const std::string &Plural) {
  return std::to_string(Number) + ' ' + (Number == 1 ? Noun : Plural);
}

std::string counted(uint64_t Number, const std::string &Noun) {
  return counted(Number, Noun, Noun + 's');
}

std::string capitalized(std::string Text) {
  if (!Text.empty() && Text[0] >= 'a' && Text[0] <= 'z')
    Text[0] = static_cast<char>(Text[0] - 'a' + 'A');
  return Text;
}

std::string eventWords(const Finding &R, const Event &E) {
  if (E.Role != "access") {
    if (E.Memory)
      return E.Role + " of " + R.Objects[*E.Memory].Label;
    return E.Other ? E.Role + " of " + threadName(R, E.Other) : E.Role;
  }
  std::string Out = E.Access.empty() ? "access" : E.Access;
  if (E.Size && E.Access != "free")
    Out += " of " + counted(E.Size, "byte");
  if (E.Memory)
    Out += " (" + R.Objects[*E.Memory].Label + ")";
  return Out;
}

std::string regionWords(const Region &In) {
  return In.Title + (In.Run ? " (run " + std::to_string(In.Run) + ")" : "");
}

std::string unitWords(const Finding &R, const Event &E) {
  if (E.Region)
    return ", in " + regionWords(R.Regions[*E.Region]);
  return E.Role == "access" ? ", outside any region" : "";
}

std::string describeEvent(const Finding &R, const Event &E) {
  return threadName(R, E.Thread) + ": " + eventWords(R, E) + unitWords(R, E);
}

std::string describeOperation(const Finding &R, const Operation &O) {
  return threadName(R, O.Thread) + ": " + O.What + ", from " +
         std::to_string(O.Call) +
         (O.Return ? " to " + std::to_string(*O.Return) : " on");
}

std::string describeForBaseline(const Finding &R) {
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

} // namespace atsan::finding
