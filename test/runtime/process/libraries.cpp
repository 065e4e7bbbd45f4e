// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: what the C++ library does behind one lock is serializable, and
// nothing that it does in its own shared objects, or with its own reference
// counts, is reported.
// RUN: %silent %t
// RUN: %exits 66 %t unlocked 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

std::mutex lock;
std::map<std::string, std::shared_ptr<std::vector<int>>> table;
std::regex pattern("([a-z]+)([0-9]+)");
int matches;

static void use_everything(int me, int round) {
  atsan::atomic_region region("library");
  std::lock_guard<std::mutex> guard(lock);
  std::ostringstream text;
  text << "key" << (me + round) % 7;
  std::shared_ptr<std::vector<int>> &slot = table[text.str()];
  if (!slot)
    slot = std::make_shared<std::vector<int>>();
  std::shared_ptr<std::vector<int>> copy = slot;
  copy->push_back(round);
  std::sort(copy->begin(), copy->end());
  std::smatch match;
  std::string key = text.str();
  if (std::regex_match(key, match, pattern) && match[1] == "key")
    matches++;
  std::clog.flush();
}

// CHECK: region 'size'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation

int main(int argc, char **argv) {
  if (called_with(argc, argv, "unlocked")) {
    in_parallel(
        [] {
          atsan::atomic_region region("size");
          STEP(1) USE(table.size());
          STEP(3) USE(table.size());
        },
        [] {
          STEP(2) {
            std::lock_guard<std::mutex> guard(lock);
            table["new"] = nullptr;
          }
        });
    return 0;
  }
  auto work = [](int me) {
    for (int i = 0; i < 30; i++) use_everything(me, i);
  };
  in_parallel([=] { work(1); }, [=] { work(2); }, [=] { work(3); });
  return matches == 90 ? 0 : 1;
}
