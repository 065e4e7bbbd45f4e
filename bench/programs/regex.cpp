//===-- regex.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread makes up the log of a web server and matches its lines against
// regular expressions of the library, which all threads share and nobody
// changes. Regions: one line.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <regex>
#include <string>

namespace {

struct Patterns {
  const std::regex Line{R"re((\d+\.\d+\.\d+\.\d+) - (\w+|-) \[([^\]]+)\] )re"
                        R"re("(GET|POST|PUT) ([^ "]+)" (\d{3}) (\d+))re"};
  const std::regex Parameter{R"re([?&](\w+)=([^&]*))re"};
  const std::regex Address{R"re((\d+)\.(\d+)\.\d+\.\d+)re"};
};

std::string makeLine(Random &Rng, uint64_t Number) {
  static const char *const kUsers[] = {"-", "anna", "ben", "carla"};
  static const char *const kMethods[] = {"GET", "POST", "PUT", "HEAD"};
  static const char *const kPages[] = {"/", "/index.html", "/search",
                                       "/shop/basket", "/img/logo.png"};
  auto text = [&](uint64_t Bound) { return std::to_string(Rng.below(Bound)); };
  std::string Line = "10." + text(256) + "." + text(256) + "." + text(256);
  Line += std::string(" - ") + kUsers[Rng.below(4)] + " [" +
          std::to_string(Number) + "] \"" + kMethods[Rng.below(4)] + " " +
          kPages[Rng.below(5)];
  const char *Separator = "?";
  for (uint64_t I = Rng.below(4); I; --I) {
    Line += Separator + ("key" + text(10)) + "=" + text(100000);
    Separator = "&";
  }
  return Line + "\" " + (Rng.below(5) ? "200" : "404") + " " + text(100000);
}

// A number that stands for what was found in the line.
uint64_t matchLine(const Patterns &P, const std::string &Line) {
  std::smatch Found;
  if (!std::regex_match(Line, Found, P.Line))
    return 1; // HEAD is not asked for.
  uint64_t Sum = Found[2].length() + 10 * Found[4].length();
  Sum = Sum * 31 + std::stoul(Found[7]);
  const std::string Page = Found[5];
  for (std::sregex_iterator I(Page.begin(), Page.end(), P.Parameter), End;
       I != End; ++I)
    Sum = Sum * 31 + std::stoul((*I)[2]) + (*I)[1].str().back();
  const std::string Masked = std::regex_replace(Line, P.Address, "$1.$2.x.x");
  return Sum * 31 + std::hash<std::string>()(Masked);
}

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  uint64_t Lines = argument(Argc, Argv, 2, "lines");

  const Patterns Shared;
  std::vector<uint64_t> Results(Threads);
  runThreads(Threads, [&](unsigned Self) {
    Random Rng(Self + 1);
    uint64_t Sum = 0;
    for (uint64_t I = 0; I < Lines; ++I) {
      OperationRegion Region("match line");
      Sum = Sum * 31 + matchLine(Shared, makeLine(Rng, I));
    }
    Results[Self] = Sum;
  });
  return finish("lines", Results);
}
