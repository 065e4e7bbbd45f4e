// Objects that behave as one atomic register, and three mutants of each, which
// do not. Mutant 0 is the correct one. Each has a writer and readers, or is for
// any threads where it says so.
#ifndef ATSAN_TEST_HISTORY_OBJECTS_H
#define ATSAN_TEST_HISTORY_OBJECTS_H

#include <atomic>
#include <cstddef>
#include <cstdint>

constexpr auto kRelaxed = std::memory_order_relaxed;

// A value of 64 bits in so many words: the low half in the first one, the high
// half in all others. Who reads it while it is written may find half of it.
#ifndef ATSAN_TEST_WORDS
#define ATSAN_TEST_WORDS 2
#endif
struct Record {
  std::atomic<uint32_t> words[ATSAN_TEST_WORDS] = {};
  uint64_t load() const {
    const uint32_t low = words[0].load(kRelaxed);
    uint32_t high = 0;
    for (size_t i = 1; i < ATSAN_TEST_WORDS; i++)
      high = words[i].load(kRelaxed);
    return low | uint64_t(high) << 32;
  }
  void store(uint64_t v) {
    words[0].store(uint32_t(v), kRelaxed);
    for (size_t i = 1; i < ATSAN_TEST_WORDS; i++)
      words[i].store(uint32_t(v >> 32), kRelaxed);
  }
};

// Lameter's sequence lock, with Boehm's fences (MSPC 2012). Mutants: 1, the
// reader does not look again; 2, the writer does not say that it begins; 3, the
// reader does not care that a writer is at work.
template <int Mutant> class Seqlock {
public:
  explicit Seqlock(uint64_t initial) { value.store(initial); }
  uint64_t load() {
    for (;;) {
      const uint32_t before = sequence.load(std::memory_order_acquire);
      const uint64_t v = value.load();
      std::atomic_thread_fence(std::memory_order_acquire);
      const bool is_same = Mutant == 1 || sequence.load(kRelaxed) == before;
      if (is_same && (Mutant == 3 || before % 2 == 0))
        return v;
    }
  }
  void store(uint64_t v) {
    const uint32_t before = sequence.load(kRelaxed);
    if (Mutant != 2)
      sequence.store(before + 1, kRelaxed);
    std::atomic_thread_fence(std::memory_order_release);
    value.store(v);
    sequence.store(before + 2, std::memory_order_release);
  }

private:
  std::atomic<uint32_t> sequence{0};
  Record value;
};

// Simpson's register of four slots (1990), for one writer and one reader.
// Mutants: 1, the reader does not say where it reads; 2, the writer goes where
// the reader is; 3, the writer says where the value is before it is there.
template <int Mutant> class FourSlots {
public:
  explicit FourSlots(uint64_t initial) { data[0][0].store(initial); }
  uint64_t load() {
    const int pair = latest.load();
    if (Mutant != 1)
      reading.store(pair);
    const int index = slot[pair].load();
    return data[pair][index].load();
  }
  void store(uint64_t v) {
    const int pair = Mutant == 2 ? reading.load() : !reading.load();
    const int index = !slot[pair].load();
    if (Mutant == 3)
      slot[pair].store(index);
    data[pair][index].store(v);
    slot[pair].store(index);
    latest.store(pair);
  }

private:
  Record data[2][2];
  std::atomic<int> slot[2] = {{0}, {0}}, latest{0}, reading{0};
};

// A pointer to a node that nobody changes while a reader has announced it
// (Michael, 2004), with two nodes and one reader. Mutants: 1, the reader does
// not announce it; 2, the writer does not look; 3, the reader goes too early;
// 4, the reader does not look again, which shows only under controlled
// schedules.
template <int Mutant> class HazardSlot {
public:
  explicit HazardSlot(uint64_t initial) { nodes[0].store(initial); }
  uint64_t load() {
    Record *node = current.load();
    for (;;) {
      if (Mutant != 1)
        hazard.store(node);
      Record *const again = current.load();
      if (Mutant == 4 || again == node)
        break;
      node = again;
    }
    if (Mutant == 3)
      hazard.store(nullptr);
    const uint64_t v = node->load();
    hazard.store(nullptr);
    return v;
  }
  void store(uint64_t v) {
    Record *const spare = current.load() == &nodes[0] ? &nodes[1] : &nodes[0];
    while (Mutant != 2 && hazard.load() == spare) {
    }
    spare->store(v);
    current.store(spare);
  }

private:
  Record nodes[2];
  std::atomic<Record *> current{&nodes[0]}, hazard{nullptr};
};

// A counter with a shard for each of four threads, to which one is added at a
// time. Mutants: 1, all add to one shard, in two steps; 2, readers keep a sum;
// 3, the reader reads a shard twice.
template <int Mutant> class ShardedCounter {
public:
  explicit ShardedCounter(uint64_t initial) { shards[0].store(initial); }
  void increment(unsigned thread) {
    std::atomic<uint64_t> &mine = shards[Mutant == 1 ? 0 : thread % 4];
    if (Mutant == 1)
      mine.store(mine.load() + 1);
    else
      mine.fetch_add(1);
  }
  uint64_t load() {
    if (Mutant == 2 && kept.load())
      return kept.load();
    uint64_t sum = Mutant == 3 ? shards[1].load() : 0;
    for (std::atomic<uint64_t> &s : shards) sum += s.load();
    kept.store(sum);
    return sum;
  }

private:
  std::atomic<uint64_t> shards[4] = {{0}, {0}, {0}, {0}}, kept{0};
};

// std::atomic itself, for any threads. Mutants do in two steps: 1, fetch_add;
// 2, compare_exchange_strong; 3, exchange.
template <int Mutant> class Atomic {
public:
  explicit Atomic(uint64_t initial) : value(initial) {}
  uint64_t load() { return value.load(); }
  void store(uint64_t v) { value.store(v); }
  uint64_t fetch_add(uint64_t v) {
    if (Mutant != 1)
      return value.fetch_add(v);
    const uint64_t found = value.load();
    value.store(found + v);
    return found;
  }
  bool compare_exchange_strong(uint64_t &expected, uint64_t v) {
    if (Mutant != 2)
      return value.compare_exchange_strong(expected, v);
    const uint64_t found = value.load();
    if (found != expected) {
      expected = found;
      return false;
    }
    value.store(v);
    return true;
  }
  uint64_t exchange(uint64_t v) {
    if (Mutant != 3)
      return value.exchange(v);
    const uint64_t found = value.load();
    value.store(v);
    return found;
  }

private:
  std::atomic<uint64_t> value;
};

#endif
