// Intent: operations as people have them: member functions, texts, values that
// can only be moved, pairs, enumerations, results of types that differ,
// exceptions. A correct object is not blamed, one that is wrong is.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx_atsan -g -Wall -Wextra -Werror -std=c++17 -O1 -fatomicity-schedule %s -o test
// RUN: %silent ./test
// RUN: %exits 66 ./test broken 2>&1 | FileCheck %s
// CHECK: linearizability violation: 'Cupboard<true>': '{{.*}} fits into no order
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <memory>
#include <mutex>
#include <optional>
#include <sanitizer/atsan_linearizable.hpp>
#include <stdexcept>
#include <string>
#include <vector>

enum class Mood : unsigned char { calm, busy };

// Keeps a number under each name, and has a limit.
class Shelf {
public:
  explicit Shelf(size_t limit) : limit(limit) {}
  void put(std::string name, int value) {
    for (auto &item : items)
      if (item.first == name) {
        item.second = value;
        return;
      }
    if (items.size() == limit)
      throw std::length_error("full");
    items.emplace_back(std::move(name), value);
  }
  std::unique_ptr<int> get(const std::string &name) const {
    for (const auto &item : items)
      if (item.first == name)
        return std::make_unique<int>(item.second);
    return nullptr;
  }
  bool take(std::string_view name, int &value) { // By a reference.
    for (size_t i = 0; i < items.size(); i++)
      if (items[i].first == name) {
        value = items[i].second;
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      }
    return false;
  }
  std::size_t count() const { return items.size(); }
  Mood mood() const { return items.size() == limit ? Mood::busy : Mood::calm; }
  std::optional<std::pair<std::string, int>> first() const {
    return items.empty() ? std::nullopt : std::optional(items.front());
  }

private:
  size_t limit;
  std::vector<std::pair<std::string, int>> items;
};

struct Model : Shelf {
  Model() : Shelf(2) {}
  int signed_count() const { return static_cast<int>(count()); }
};

// Broken: between the look and the act, the lock is given back.
template <bool Broken> class Cupboard {
public:
  void put(const std::string &name, std::unique_ptr<int> value) {
    std::lock_guard<std::mutex> guard(lock);
    shelf.put(name, *value);
  }
  std::unique_ptr<int> get(const std::string &name) {
    std::lock_guard<std::mutex> guard(lock);
    return shelf.get(name);
  }
  bool take(const std::string &name, int &value) {
    std::unique_lock<std::mutex> guard(lock);
    const std::unique_ptr<int> found = shelf.get(name);
    if (Broken) {
      guard.unlock();
      guard.lock();
    }
    int unused;
    shelf.take(name, unused);
    value = found ? *found : value;
    return found != nullptr;
  }
  std::size_t count() {
    std::lock_guard<std::mutex> guard(lock);
    return shelf.count();
  }
  Mood mood() {
    std::lock_guard<std::mutex> guard(lock);
    return shelf.mood();
  }
  std::optional<std::pair<std::string, int>> first() {
    std::lock_guard<std::mutex> guard(lock);
    return shelf.first();
  }

private:
  std::mutex lock;
  Shelf shelf{2};
};

template <bool Broken> int cupboard() {
  using atsan::op;
  using Object = Cupboard<Broken>;
  const auto names = atsan::one_of("a", "b", "c");
  const auto take = [](auto &s, const char *name) {
    int value = 0;
    const bool had = s.take(name, value);
    return std::make_pair(had, value);
  };
  atsan::linearizable_options options;
  options.tests = 60;
  return atsan::linearizable<Object, Model>(
      options,
      op(
          "put", names, atsan::fresh(),
          [](Object &s, const char *name, int v) {
            s.put(name, std::make_unique<int>(v));
          },
          &Model::put),
      op("get", names, &Object::get, &Model::get), op("take", names, take),
      op("count", &Object::count, &Model::signed_count),
      op("mood", [](auto &s) { return s.mood(); }),
      op("first", &Object::first, &Model::first));
}

int main(int argc, char **) {
  return argc > 1 ? cupboard<true>() : cupboard<false>();
}
