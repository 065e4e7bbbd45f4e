//===- StepLog.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/predict/StepLog.h"
#include "lib/base/Demangled.h"
#include <sstream>

using namespace atsan::predict;
using atsan::trace::Event;
using atsan::trace::EventKind;

static const char Header[] = "atsan-steps 1";

std::string StepLog::read(const std::string &Text) {
  size_t Begin = 0;
  for (uint64_t Number = 1;; ++Number) {
    const size_t End = Text.find('\n', Begin);
    if (End == std::string::npos)
      return Number == 1 ? "it is empty, or cut in its first line" : "";
    const std::string Line = Text.substr(Begin, End - Begin);
    Begin = End + 1;
    if (Number == 1 ? Line != Header : !readLine(Line))
      return "line " + std::to_string(Number) + ": '" + Line.substr(0, 60) +
             "' is no line of a log of this version";
  }
}

bool StepLog::readLine(const std::string &Line) {
  std::istringstream In(Line);
  unsigned Kind = 0, Location = 0;
  int IsAtomic = 0, IsFresh = 0;
  std::string Path, Place;
  Event E;
  Point P;
  In >> Kind >> E.Thread >> Path >> std::hex >> E.Address >> std::dec >>
      E.Size >> Location >> IsAtomic >> Place >> P.Visit >> IsFresh;
  const bool HasName = Place.rfind('#') != 0;
  if (!In || Kind >= trace::NumEventKinds || E.Thread > MaxThread || !HasName)
    return false;
  E.Kind = static_cast<EventKind>(Kind);
  E.IsAtomic = IsAtomic != 0;
  std::string Source;
  std::getline(In >> std::ws, Source);
  P.Place = placeOf(Place, Source);
  P.IsFresh = IsFresh != 0;
  E.Location = locationOf(Location, P.Place);
  Paths.emplace(E.Thread, std::move(Path));
  Events.push_back(E);
  Points.push_back(P);
  return true;
}

uint32_t StepLog::placeOf(const std::string &Name, const std::string &Source) {
  const auto [It, IsNew] = PlaceNumbers.emplace(Name, Places.size());
  if (IsNew) {
    Places.push_back(Name);
    Sources.push_back(Source);
  }
  return It->second;
}

static std::string readable(const std::string &Name) {
  std::string Words = atsan::demangled(Name);
  // What everybody calls std::string.
  static const std::string String = "std::__cxx11::basic_string<char, "
                                    "std::char_traits<char>, "
                                    "std::allocator<char> >";
  for (size_t At; (At = Words.find(String)) != std::string::npos;)
    Words.replace(At, String.size(), "std::string");
  return Words;
}

std::string StepLog::where(uint64_t Number) const {
  const uint32_t Place = pointOf(Number).Place;
  const std::string &Name = Places[Place];
  const std::string Function = readable(Name.substr(0, Name.rfind('#')));
  return Sources[Place].empty() ? Function : Function + ' ' + Sources[Place];
}

/// Places tell accesses apart that optimized code has one address for.
uint32_t StepLog::locationOf(uint32_t Location, uint32_t Place) {
  return Locations
      .emplace(std::make_pair(Location, Place), Locations.size() + 1)
      .first->second;
}

std::string StepLog::path(uint32_t Thread) const {
  const auto It = Paths.find(Thread);
  return It == Paths.end() ? std::string() : It->second;
}
