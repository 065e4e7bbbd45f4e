//===- Decide.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Decide.h"
#include "lib/registers/FlatMap.h"

using namespace atsan::registers;

const std::vector<AlgorithmInfo> &atsan::registers::algorithms() {
  static const std::vector<AlgorithmInfo> All = {
      {"auto", "the quickest of the next three that can decide the register"},
      {"one-writer", "writes that do not overlap, any values: O(n)"},
      {"zones", "reads and writes, no value written twice: O(n log n)"},
      {"frontier", "any operations: O(n k 2^k), k operations open at once"},
      {"soar", "one writer, as published in 2008: O(n^3), for comparison"},
      {"clmt", "reads and writes, at most 62: exponential, for comparison"}};
  return All;
}

/// A value that is written twice, or initial and written.
static std::optional<Value> findRepeated(const Register &R) {
  FlatMap<bool> Written;
  Written.get(R.Initial) = true;
  for (const Operation &O : R.Operations) {
    if (O.What != Kind::Write)
      continue;
    bool &Is = Written.get(O.Argument);
    if (Is)
      return O.Argument;
    Is = true;
  }
  return std::nullopt;
}

std::string atsan::registers::whyNot(const std::string &Algorithm,
                                     const Register &R, const Values &Known) {
  const std::string Remedy = "; leave out --algorithm=" + Algorithm;
  if ((Algorithm == "one-writer" || Algorithm == "soar") && !hasOneWriter(R))
    return Algorithm +
           " is for plain writes of which no two overlap, and here there are "
           "others" +
           Remedy;
  if ((Algorithm == "zones" || Algorithm == "clmt") && !hasReadsAndWrites(R))
    return Algorithm +
           " is for reads and plain writes, and here there are "
           "other operations" +
           Remedy;
  if (Algorithm == "clmt" && R.Operations.size() > 62)
    return "clmt is for 62 operations at most, and here there are " +
           std::to_string(R.Operations.size()) + Remedy;
  if (Algorithm == "zones")
    if (const std::optional<Value> Twice = findRepeated(R))
      return "zones is for values that are written once, and " +
             Known.text(*Twice) + " is written again" + Remedy;
  return "";
}

Decision atsan::registers::decide(const std::string &Algorithm,
                                  const Register &R, Values &Known,
                                  const Request &Wanted) {
  if (Algorithm == "one-writer")
    return decideOneWriter(R, Wanted);
  if (Algorithm == "zones")
    return *decideZones(R, Wanted);
  if (Algorithm == "frontier")
    return decideFrontier(R, Known, Wanted);
  if (Algorithm == "soar")
    return decideSoar(R);
  if (Algorithm == "clmt")
    return decideClmt(R, Wanted);
  return decide(R, Known, Wanted);
}

Decision atsan::registers::decide(const Register &R, Values &Known,
                                  const Request &Wanted) {
  if (hasOneWriter(R))
    return decideOneWriter(R, Wanted);
  if (hasReadsAndWrites(R))
    if (std::optional<Decision> D = decideZones(R, Wanted))
      return *D;
  return decideFrontier(R, Known, Wanted);
}
