//===- Formats.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/net/Formats.h"
#include "lib/net/Scanner.h"
#include <algorithm>

namespace atsan::net {

static std::string ending(const std::string &File) {
  const size_t Dot = File.rfind('.');
  return Dot == std::string::npos ? "" : File.substr(Dot);
}

[[noreturn]] static void failEnding(const std::string &File) {
  throw NetError(File +
                 ": the ending names no format of nets; use .spec, .pnml "
                 "or .ll_net");
}

Net readByName(const std::string &Text, const std::string &File) {
  const std::string Ending = ending(File);
  if (Ending == ".spec")
    return readSpec(Text, File);
  if (Ending == ".pnml" || Ending == ".xml")
    return readPnml(Text, File);
  if (Ending == ".ll_net")
    return readLlNet(Text, File);
  failEnding(File);
}

void checkEnding(const std::string &File) {
  const std::string Ending = ending(File);
  if (Ending != ".spec" && Ending != ".pnml" && Ending != ".ll_net")
    failEnding(File);
}

std::string writeByName(const Net &N, const std::string &File) {
  checkEnding(File);
  const std::string Ending = ending(File);
  if (Ending == ".spec")
    return writeSpec(N);
  if (!N.OrMore.empty())
    throw NetError(File + ": the place '" + N.Places[N.OrMore.front()] +
                   "' begins with any number of tokens, which only .spec can "
                   "say; name a file that ends in .spec");
  return Ending == ".pnml" ? writePnml(N) : writeLlNet(N);
}

void addTarget(Net &N, const std::string &Text) {
  const auto Fail = [&](const std::string &Why) {
    throw NetError("the target '" + Printable(Text) + "': " + Why +
                   "; write it as 'p1>=2, p2'");
  };
  Marking M;
  for (size_t At = 0; At <= Text.size();) {
    const size_t End = std::min(Text.find(',', At), Text.size());
    std::string Name = Text.substr(At, End - At);
    At = End + 1;
    uint64_t Count = 1;
    if (const size_t Sign = Name.find(">="); Sign != std::string::npos) {
      std::string Number = Name.substr(Sign + 2);
      Number.erase(0, Number.find_first_not_of(' '));
      Number.erase(Number.find_last_not_of(' ') + 1);
      if (Number.empty() || Number.size() > 9 ||
          Number.find_first_not_of("0123456789") != std::string::npos)
        Fail("'" + Printable(Number) + "' is no number of tokens");
      Count = std::stoul(Number);
      Name.erase(Sign);
    }
    Name.erase(0, Name.find_first_not_of(' '));
    Name.erase(Name.find_last_not_of(' ') + 1);
    const PlaceId P = placeNamed(N, Name);
    if (P == N.Places.size())
      Fail("there is no place '" + Printable(Name) + "'");
    if (std::any_of(M.begin(), M.end(),
                    [P](const Arc &A) { return A.Place == P; }))
      Fail("'" + Printable(Name) +
           "' stands twice in one target; keep the larger bound");
    M.push_back({P, static_cast<Tokens>(Count)});
  }
  normalize(M);
  N.Targets.push_back(std::move(M));
}

} // namespace atsan::net
