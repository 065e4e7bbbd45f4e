// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: regions that use all of the C++ library, under a mutex or on data of
// their own, are silent; what it writes for the program is seen.
//
// RUN: for i in streams locales pointers once exceptions containers regex random \
// RUN:   shared_mutex time files console async strings; do \
// RUN:   %silent %t $i || exit 1; done
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: write of 8 bytes
// CHECK-NEXT: #0 std::__cxx11::basic_string<{{.*}}>::replace(
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}libstdcxx.cpp:
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <regex>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

static std::mutex mutex;
static std::shared_mutex shared_lock;
static std::map<std::string, int> table;
static std::unordered_map<int, std::vector<std::string>> lists;
static std::shared_ptr<std::string> current =
    std::make_shared<std::string>("s");

static void streams(int i) {
  std::ostringstream out;
  out << std::setw(5) << i << ' ' << 1.5 * i << std::hex << i;
  std::istringstream in(out.str());
  int x = 0;
  in >> x;
  table[out.str()] = x;
}

static void locales(int i) {
  std::locale mixed(std::locale::classic(), "C", std::locale::numeric);
  std::ostringstream out;
  out.imbue(mixed);
  out << i << std::use_facet<std::ctype<char>>(mixed).toupper('a');
  table[out.str()]++;
}

static void pointers(int) {
  auto copy = current;
  std::weak_ptr<std::string> weak = copy;
  if (auto locked = weak.lock())
    table[*locked]++;
  current = std::make_shared<std::string>(*copy + "x");
  if (current->size() > 40)
    *current = "s";
}

static std::string &local_static() {
  static std::string text = "made by the first thread that comes";
  return text;
}

static void exceptions(int i) {
  try {
    if (i % 2)
      throw std::runtime_error("odd");
    table.at("none");
  } catch (const std::exception &error) {
    table[error.what()]++;
    try {
      std::rethrow_exception(std::current_exception());
    } catch (...) {
    }
  }
}

static void containers(int i) {
  auto &list = lists[i % 7];
  list.push_back("value " + std::to_string(i));
  std::sort(list.begin(), list.end());
  if (list.size() > 50)
    list.clear();
}

static void regex(int i) {
  static const std::regex pattern("([a-z]+) ([0-9]+)");
  std::smatch match;
  std::string text = "word " + std::to_string(i);
  if (std::regex_match(text, match, pattern))
    table[match[1]]++;
}

static void random(int) {
  static std::mt19937 generator;
  table["random"] += std::uniform_int_distribution<>(0, 9)(generator);
}

static void time(int) {
  std::time_t now =
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm fields;
  localtime_r(&now, &fields);
  std::ostringstream out;
  out << std::put_time(&fields, "%F %T");
  table["time"] = out.str().size();
}

static void files(int i) {
  std::ofstream out("/dev/null");
  out << i << std::endl;
  std::ifstream in("/dev/zero");
  char buffer[64];
  in.read(buffer, sizeof(buffer));
}

static void console(int) { std::cout << "" << std::flush; }

static void strings(int i) {
  std::string text = "some text that is on the heap";
  text.insert(4, std::to_string(i)).append(local_static()).erase(2, 3);
  table[text.substr(0, 3)] = text.find("heap");
}

// --- Not under the mutex. ----------------------------------------------------

static void once(int) {
  static std::once_flag flag;
  atsan::atomic_region region("once");
  std::call_once(flag, [] { local_static() += "!"; });
}

static void shared_mutex(int i) {
  atsan::atomic_region region("shared_mutex");
  if (i % 5)
    std::shared_lock<std::shared_mutex> lock(shared_lock);
  else
    std::unique_lock<std::shared_mutex> lock(shared_lock);
}

// Each has a thread and a state of its own.
static void async(int i) {
  auto answer = std::async(std::launch::async, [i] { return i; });
  int result = answer.get();
  atsan::atomic_region region("async");
  std::lock_guard<std::mutex> guard(mutex);
  table["async"] = result;
}

static void bad() {
  static std::string text = "0123456789";
  in_parallel(
      [] {
        atsan::atomic_region region("reader");
        STEP(1) USE(text[1]);
        STEP(3) USE(text[1]);
      },
      [] {
        STEP(2) text.replace(0, 8, "98765432");
      });
}

static void in_threads(std::function<void(int)> work) {
  auto several = [=] {
    for (int i = 0; i < 100; i++) work(i);
  };
  in_parallel(several, several, several, several);
}

int main(int argc, char **argv) {
  const std::map<std::string, void (*)(int)> under_mutex = {
      {"streams", streams},       {"locales", locales},
      {"pointers", pointers},     {"exceptions", exceptions},
      {"containers", containers}, {"regex", regex},
      {"random", random},         {"time", time},
      {"files", files},           {"console", console},
      {"strings", strings}};
  const std::map<std::string, void (*)(int)> free = {
      {"once", once}, {"shared_mutex", shared_mutex}, {"async", async}};
  std::string name = argc > 1 ? argv[1] : "";
  if (auto found = under_mutex.find(name); found != under_mutex.end())
    in_threads([=](int i) {
      atsan::atomic_region region("under the mutex");
      std::lock_guard<std::mutex> guard(mutex);
      found->second(i);
    });
  else if (auto found = free.find(name); found != free.end())
    in_threads(found->second);
  else if (name == "bad")
    bad();
  else
    return 1;
}
