// Sequential objects, with the operations of those in structures.h.
#ifndef ATSAN_TEST_LINEARIZABLE_SEQUENTIAL_H
#define ATSAN_TEST_LINEARIZABLE_SEQUENTIAL_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace sequential {

struct Stack : std::vector<int> {
  void push(int v) { push_back(v); }
  std::optional<int> pop() {
    if (empty())
      return std::nullopt;
    const int v = back();
    pop_back();
    return v;
  }
};

struct Queue : std::deque<int> {
  void push(int v) { push_back(v); }
  std::optional<int> pop() {
    if (empty())
      return std::nullopt;
    const int v = front();
    pop_front();
    return v;
  }
  size_t count() const { return size(); }
};

struct Set : std::set<int> {
  bool add(int k) { return insert(k).second; }
  bool remove(int k) { return erase(k); }
  bool contains(int k) const { return count(k); }
};

struct Map : std::map<int, int> {
  // What is there afterwards.
  int put_if_absent(int k, int v) { return emplace(k, v).first->second; }
  bool remove(int k) { return erase(k); }
  std::optional<int> get(int k) const {
    const auto found = find(k);
    return found == end() ? std::nullopt : std::optional(found->second);
  }
};

struct Counter {
  uint64_t value = 0;
  void add(uint64_t n) { value += n; }
  uint64_t next() { return value++; }
  uint64_t read() const { return value; }
  bool operator==(const Counter &other) const { return value == other.value; }
};

struct Pair {
  int value = 0;
  void write(int v) { value = v; }
  std::pair<int, int> read() const { return {value, value}; }
  bool operator==(const Pair &other) const { return value == other.value; }
};

struct Snapshot : std::array<int, 2> {
  Snapshot() : array{0, 0} {}
  void update(int i, int v) { (*this)[i] = v; }
  std::pair<int, int> scan() const { return {(*this)[0], (*this)[1]}; }
};

struct MaxRegister {
  int value = 0;
  void raise(int v) { value = std::max(value, v); }
  int read() const { return value; }
  bool operator==(const MaxRegister &o) const { return value == o.value; }
};

struct Consensus {
  int value = 0;
  int decide(int v) { return value ? value : value = v; }
  bool operator==(const Consensus &o) const { return value == o.value; }
};

} // namespace sequential
#endif
