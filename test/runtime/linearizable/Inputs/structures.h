// Well-known concurrent objects, and for each a mutant with a mistake that
// people have made (Broken), which is not linearizable.
#ifndef ATSAN_TEST_LINEARIZABLE_STRUCTURES_H
#define ATSAN_TEST_LINEARIZABLE_STRUCTURES_H

#include <atomic>
#include <climits>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace concurrent {

constexpr unsigned kNodes = 32;

// The index of a node, from 1 on, with a tag; 0: none.
struct Link {
  uint32_t node, tag;
  bool operator==(const Link &o) const {
    return node == o.node && tag == o.tag;
  }
};

// Treiber's stack (1986) of the indices of nodes. Broken: its head has no tag,
// so that a head that is the same again seems not to have changed (ABA).
template <bool Broken> class IndexStack {
public:
  void push(uint32_t node) {
    for (Link top = head.load();;) {
      next[node].store(top.node);
      if (head.compare_exchange_weak(top, {node, tag_after(top)}))
        return;
    }
  }
  uint32_t pop() {
    for (Link top = head.load();;) {
      if (!top.node)
        return 0;
      const uint32_t below = next[top.node].load();
      if (head.compare_exchange_weak(top, {below, tag_after(top)}))
        return top.node;
    }
  }

private:
  static uint32_t tag_after(Link top) { return Broken ? 0 : top.tag + 1; }
  std::atomic<Link> head{Link{0, 0}};
  std::atomic<uint32_t> next[kNodes + 1] = {};
};

// Nodes that nobody uses; what was given back first is handed out first.
class Pool {
public:
  uint32_t take() {
    std::lock_guard<std::mutex> guard(lock);
    return first == last ? ++fresh : unused[first++];
  }
  void give_back(uint32_t node) {
    std::lock_guard<std::mutex> guard(lock);
    unused[last++] = node;
  }

private:
  std::mutex lock;
  uint32_t unused[kNodes] = {};
  unsigned first = 0, last = 0;
  uint32_t fresh = 0;
};

template <bool Broken> class Stack {
public:
  void push(int v) {
    const uint32_t node = pool.take();
    values[node].store(v);
    used.push(node);
  }
  std::optional<int> pop() {
    const uint32_t node = used.pop();
    if (!node)
      return std::nullopt;
    const int v = values[node].load();
    pool.give_back(node);
    return v;
  }

private:
  IndexStack<Broken> used;
  Pool pool;
  std::atomic<int> values[kNodes + 1] = {};
};

// The queue of Michael and Scott (PODC 1996). Broken: a consumer does not look
// whether the tail lags behind, so that the head goes past it.
template <bool Broken> class Queue {
public:
  Queue() {
    const uint32_t dummy = pool.take();
    head.store({dummy, 0});
    tail.store({dummy, 0});
  }
  void push(int v) {
    const uint32_t node = pool.take();
    values[node].store(v);
    next[node].store({0, next[node].load().tag + 1});
    for (;;) {
      Link last = tail.load(), after = next[last.node].load();
      if (!(last == tail.load()))
        continue;
      if (after.node) {
        tail.compare_exchange_strong(last, {after.node, last.tag + 1});
      } else if (next[last.node].compare_exchange_strong(
                     after, {node, after.tag + 1})) {
        tail.compare_exchange_strong(last, {node, last.tag + 1});
        return;
      }
    }
  }
  std::optional<int> pop() {
    for (;;) {
      Link first = head.load(), last = tail.load();
      const Link after = next[first.node].load();
      if (!(first == head.load()))
        continue;
      if (!after.node && (Broken || first.node == last.node))
        return std::nullopt;
      if (!Broken && first.node == last.node) {
        tail.compare_exchange_strong(last, {after.node, last.tag + 1});
        continue;
      }
      const int v = values[after.node].load();
      if (head.compare_exchange_strong(first, {after.node, first.tag + 1})) {
        pool.give_back(first.node);
        return v;
      }
    }
  }

private:
  Pool pool;
  std::atomic<Link> head{Link{0, 0}}, tail{Link{0, 0}};
  std::atomic<Link> next[kNodes + 1] = {};
  std::atomic<int> values[kNodes + 1] = {};
};

// The lazy list (Heller and others, OPODIS 2005). Broken: who has locked both
// nodes does not look whether they are still neighbours, and unlinks or links
// next to a node that is gone.
template <bool Broken> class Set {
public:
  Set() {
    nodes[0].key = INT_MIN;
    nodes[1].key = INT_MAX;
    nodes[0].next.store(&nodes[1]);
  }
  bool add(int k) {
    return with_place(k, [&](Node &before, Node &at) {
      if (at.key == k)
        return false;
      Node &node = nodes[used++];
      node.key = k;
      node.next.store(&at);
      before.next.store(&node);
      return true;
    });
  }
  bool remove(int k) {
    return with_place(k, [&](Node &before, Node &at) {
      if (at.key != k)
        return false;
      at.is_gone.store(true);
      before.next.store(at.next.load());
      return true;
    });
  }
  bool contains(int k) {
    Node *at = &nodes[0];
    while (at->key < k) at = at->next.load();
    return at->key == k && !at->is_gone.load();
  }

private:
  struct Node {
    int key = 0;
    std::atomic<Node *> next{nullptr};
    std::atomic<bool> is_gone{false};
    std::mutex lock;
  };

  // Calls change(before, at), where at is the first node that is not below k.
  template <class Change> bool with_place(int k, Change change) {
    for (;;) {
      Node *before = &nodes[0], *at = before->next.load();
      while (at->key < k) {
        before = at;
        at = at->next.load();
      }
      std::lock_guard<std::mutex> first(before->lock), second(at->lock);
      if (Broken || (!before->is_gone.load() && !at->is_gone.load() &&
                     before->next.load() == at))
        return change(*before, *at);
    }
  }

  Node nodes[kNodes];
  std::atomic<unsigned> used{2};
};

// A counter of 64 bits in two halves. Broken: it is read without the lock.
template <bool Broken> class Counter {
public:
  void add(uint64_t n) {
    std::lock_guard<std::mutex> guard(lock);
    const uint64_t sum = halves() + n;
    low = uint32_t(sum);
    high = uint32_t(sum >> 32);
  }
  uint64_t read() {
    if (Broken)
      return halves();
    std::lock_guard<std::mutex> guard(lock);
    return halves();
  }

private:
  uint64_t halves() const { return uint64_t(high) << 32 | low; }
  std::mutex lock;
  std::atomic<uint32_t> low{0}, high{0};
};

// Broken: it looks for a key in one critical section, and acts in another one.
template <bool Broken> class Map {
public:
  int put_if_absent(int k, int v) {
    if (Broken) {
      if (const std::optional<int> found = get(k))
        return *found;
      std::lock_guard<std::mutex> guard(lock);
      return values[k] = v;
    }
    std::lock_guard<std::mutex> guard(lock);
    return values.emplace(k, v).first->second;
  }
  bool remove(int k) {
    std::lock_guard<std::mutex> guard(lock);
    return values.erase(k);
  }
  std::optional<int> get(int k) {
    std::lock_guard<std::mutex> guard(lock);
    const auto found = values.find(k);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }

private:
  std::mutex lock;
  std::map<int, int> values;
};

// A spin lock, and what it guards. Broken: it tests and sets in two steps.
template <bool Broken> class Locked {
public:
  uint64_t next() {
    acquire();
    const uint64_t v = value;
    value = v + 1;
    is_held.store(false);
    return v;
  }

private:
  void acquire() {
    if (!Broken) {
      while (is_held.exchange(true)) {
      }
      return;
    }
    while (is_held.load()) {
    }
    is_held.store(true);
  }
  std::atomic<bool> is_held{false};
  uint64_t value = 0;
};

// A queue that counts. Broken: the count comes behind the push.
template <bool Broken> class CountingQueue {
public:
  void push(int v) {
    {
      std::lock_guard<std::mutex> guard(lock);
      values.push_back(v);
      size += !Broken;
    }
    size += Broken;
  }
  std::optional<int> pop() {
    std::lock_guard<std::mutex> guard(lock);
    if (values.empty())
      return std::nullopt;
    const int v = values.front();
    values.pop_front();
    size--;
    return v;
  }
  size_t count() {
    std::lock_guard<std::mutex> guard(lock);
    return size;
  }

private:
  std::mutex lock;
  std::deque<int> values;
  std::atomic<size_t> size{0};
};

// A lock for readers and one writer at a time, and what it guards. Broken: a
// reader looks for a writer before it says that it is there.
template <bool Broken> class SharedPair {
public:
  void write(int v) {
    std::lock_guard<std::mutex> guard(one_writer);
    is_written.store(true);
    while (readers.load()) {
    }
    first = v;
    second = v;
    is_written.store(false);
  }
  std::pair<int, int> read() {
    for (;;) {
      while (is_written.load()) {
      }
      ++readers;
      if (Broken || !is_written.load())
        break;
      --readers;
    }
    const std::pair<int, int> found = {first, second};
    --readers;
    return found;
  }

private:
  std::mutex one_writer;
  std::atomic<bool> is_written{false};
  std::atomic<int> readers{0};
  int first = 0, second = 0;
};

// An atomic snapshot of two registers (Afek and others, 1993), each written by
// one thread at a time. Broken: it is content with one look.
template <bool Broken> class Snapshot {
public:
  void update(int i, int v) {
    std::lock_guard<std::mutex> guard(locks[i]);
    registers[i].store({v, registers[i].load().version + 1});
  }
  std::pair<int, int> scan() {
    for (;;) {
      const Written a = registers[0].load(), b = registers[1].load();
      if (Broken || registers[0].load().version == a.version)
        return {a.value, b.value};
    }
  }

private:
  struct Written {
    int value, version;
  };
  std::mutex locks[2];
  std::atomic<Written> registers[2] = {};
};

// Broken: it compares and sets in two steps.
template <bool Broken> class MaxRegister {
public:
  void raise(int v) {
    for (int held = value.load(); held < v;) {
      if (Broken)
        return value.store(v);
      if (value.compare_exchange_weak(held, v))
        return;
    }
  }
  int read() { return value.load(); }

private:
  std::atomic<int> value{0};
};

// The first value that is proposed is decided. Broken: there can be two.
template <bool Broken> class Consensus {
public:
  int decide(int v) {
    int found = value.load();
    if (found)
      return found;
    if (Broken)
      value.store(v);
    else if (!value.compare_exchange_strong(found, v))
      return found;
    return v;
  }

private:
  std::atomic<int> value{0};
};

} // namespace concurrent
#endif
