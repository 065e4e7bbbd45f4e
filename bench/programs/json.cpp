//===-- json.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread takes orders as JSON documents, changes them and prints them
// again, with nlohmann-json: many small allocations, trees and strings, and a
// parser that looks at each character. Regions: one document.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <nlohmann/json.hpp>
#include <string>

namespace {

using nlohmann::json;

std::string makeOrder(Random &Rng, uint64_t Number) {
  std::string Text = "{\"id\": " + std::to_string(Number) +
                     ", \"customer\": {\"name\": \"M\\u00fcller " +
                     std::to_string(Rng.below(1000)) +
                     "\", \"tags\": [\"new\", null, true]}, \"items\": [";
  const uint64_t Items = 1 + Rng.below(8);
  for (uint64_t I = 0; I < Items; ++I)
    Text += std::string(I ? ", " : "") + "{\"article\": \"a-" +
            std::to_string(Rng.below(100)) +
            "\", \"price\": " + std::to_string(Rng.below(10000)) +
            ".25, \"count\": " + std::to_string(Rng.below(5)) + "}";
  return Text + "]}";
}

std::string handleOrder(const std::string &Text) {
  json Order = json::parse(Text);
  json Kept = json::array();
  double Total = 0;
  for (json &Item : Order["items"]) {
    if (Item["count"] == 0)
      continue;
    const double Price = Item["price"];
    Item["sum"] = Price * Item["count"].get<int>();
    Total += Item["sum"].get<double>();
    Kept.push_back(std::move(Item));
  }
  Order["items"] = std::move(Kept);
  Order["total"] = Total;
  Order.merge_patch({{"state", "taken"}, {"customer", {{"tags", nullptr}}}});
  return Order.dump(2);
}

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  uint64_t Documents = argument(Argc, Argv, 2, "documents");

  std::vector<uint64_t> Results(Threads);
  runThreads(Threads, [&](unsigned Self) {
    Random Rng(Self + 1);
    uint64_t Sum = 0;
    for (uint64_t I = 0; I < Documents; ++I) {
      OperationRegion Region("handle order");
      const std::string Printed = handleOrder(makeOrder(Rng, I));
      Sum = Sum * 31 + std::hash<std::string>()(Printed);
    }
    Results[Self] = Sum;
  });
  return finish("documents", Results);
}
