//===- StatisticsText.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/EventText.h"
#include "lib/trace/Statistics.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace atsan::trace;

namespace {

double bytesPerEvent(const Statistics &S, const Source &Trace) {
  return S.events() ? double(Trace.bytesRead()) / double(S.events()) : 0;
}

std::string atRight(const std::string &Text) {
  constexpr size_t Width = 12;
  return std::string(Width - std::min(Width, Text.size()), ' ') + Text;
}

nlohmann::ordered_json object(const Statistics &S, const Source &Trace,
                              const std::string &File) {
  const Names &Known = Trace.names();
  nlohmann::ordered_json J;
  J["file"] = File;
  J["events"] = S.events();
  J["bytes"] = Trace.bytesRead();
  J["bytes_per_event"] = bytesPerEvent(S, Trace);
  J["kinds"] = nlohmann::ordered_json::object();
  for (unsigned I = 0; I < NumEventKinds; ++I)
    if (const auto K = static_cast<EventKind>(I); S.ofKind(K))
      J["kinds"][kindName(K)] = S.ofKind(K);
  J["atomic"] = S.atomics();
  J["variables"] = S.variables();
  J["locks"] = S.locks();
  J["deepest_region"] = S.deepestRegion();
  J["threads"] = nlohmann::ordered_json::array();
  for (const auto &[Thread, Events] : S.threads())
    J["threads"].push_back(
        {{"name", Known.thread(Thread)}, {"events", Events}});
  J["regions"] = nlohmann::ordered_json::array();
  for (const auto &[Name, Begins] : S.regions())
    J["regions"].push_back(
        {{"name", Name ? Known.region(Name) : ""}, {"begins", Begins}});
  J["damage"] = nullptr;
  if (!Trace.damage().empty())
    J["damage"] = Trace.damage();
  return J;
}

using Row = std::pair<uint64_t, std::string>;

/// The rows with the largest numbers, largest first.
std::string table(const std::string &Title, std::vector<Row> Rows) {
  constexpr size_t Most = 20;
  std::sort(Rows.begin(), Rows.end(), [](const Row &A, const Row &B) {
    return A.first != B.first ? A.first > B.first : A.second < B.second;
  });
  std::string Text = Rows.empty() ? "" : "\n" + Title + "\n";
  for (size_t I = 0; I < std::min(Rows.size(), Most); ++I)
    Text +=
        atRight(std::to_string(Rows[I].first)) + "  " + Rows[I].second + "\n";
  if (Rows.size() > Most)
    Text += std::string(12, ' ') + "  and " +
            std::to_string(Rows.size() - Most) + " more (--json has all)\n";
  return Text;
}

} // namespace

std::string atsan::trace::toText(const Statistics &S, const Source &Trace) {
  const Names &Known = Trace.names();
  char PerEvent[32];
  std::snprintf(PerEvent, sizeof(PerEvent), "%.2f", bytesPerEvent(S, Trace));
  std::string Text;
  for (const auto &[Figure, What] :
       {std::pair(std::to_string(S.events()), "events"),
        std::pair(std::to_string(S.threads().size()), "threads"),
        std::pair(std::to_string(S.variables()), "variables"),
        std::pair(std::to_string(S.locks()), "locks"),
        std::pair(std::to_string(S.deepestRegion()), "regions in one another"),
        std::pair(std::to_string(S.atomics()), "atomic accesses"),
        std::pair(std::to_string(Trace.bytesRead()), "bytes read"),
        std::pair(std::string(PerEvent), "bytes per event")})
    Text += atRight(Figure) + "  " + What + "\n";
  std::vector<Row> Rows;
  for (unsigned I = 0; I < NumEventKinds; ++I)
    if (const auto K = static_cast<EventKind>(I); S.ofKind(K))
      Rows.emplace_back(S.ofKind(K), kindName(K));
  Text += table("Events by kind", std::move(Rows));
  Rows.clear();
  for (const auto &[Thread, Events] : S.threads())
    Rows.emplace_back(Events, Known.thread(Thread));
  Text += table("Events by thread", std::move(Rows));
  Rows.clear();
  for (const auto &[Name, Begins] : S.regions())
    Rows.emplace_back(Begins, Name ? Known.region(Name) : "(without a name)");
  return Text + table("Regions, and how often they began", std::move(Rows));
}

std::string atsan::trace::toJson(const Statistics &S, const Source &Trace,
                                 const std::string &File) {
  // Names need not be UTF-8.
  return object(S, Trace, File)
             .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}
