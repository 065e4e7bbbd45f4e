// Threads at work on each correct object, for a while.
#ifndef ATSAN_TEST_HISTORY_STRESS_H
#define ATSAN_TEST_HISTORY_STRESS_H

#include "objects.h"
#include <chrono>
#include <cstdio>
#include <sanitizer/atsan_history.hpp>
#include <string>
#include <thread>
#include <vector>

// Calls work(thread, round) in so many threads for so long; prints the time for
// a call, all threads together.
template <class Work>
void run(const char *name, unsigned threads, double seconds, Work work) {
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<uint64_t> calls{0};
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; t++)
    all.emplace_back([&, t] {
      for (uint64_t round = 0;; round++) {
        if (round % 256 == 0 && std::chrono::duration<double>(
                                    std::chrono::steady_clock::now() - begin)
                                        .count() > seconds) {
          calls += round;
          return;
        }
        work(t, round);
      }
    });
  for (std::thread &t : all) t.join();
  std::printf("%s: %.0f ns, %llu calls\n", name, seconds * 1e9 / double(calls),
              static_cast<unsigned long long>(calls));
}

// An object with one writer.
template <class Object>
void one_writer(const char *name, unsigned threads, double seconds) {
  atsan::checked_register<uint64_t, Object> object(0, name);
  run(name, threads, seconds, [&](unsigned t, uint64_t round) {
    if (t == 0)
      object.store(round << 32 | round);
    else
      object.load();
  });
}

inline void sharded_counter(unsigned threads, double seconds) {
  ShardedCounter<0> counter(0);
  atsan::history<uint64_t> watched("sharded counter", 0);
  run("sharded counter", threads, seconds, [&](unsigned t, uint64_t round) {
    if (t < 4 && round % 4)
      watched.add(1, [&] { counter.increment(t); });
    else
      watched.read([&] { return counter.load(); });
  });
}

inline void any_operations(unsigned threads, double seconds) {
  atsan::checked_register<uint64_t> atomic(0, "std::atomic");
  run("std::atomic", threads, seconds, [&](unsigned t, uint64_t round) {
    uint64_t expected = round % 3;
    switch ((round + t) % 5) {
    case 0:
      atomic.store(round % 4);
      break;
    case 1:
      atomic.fetch_add(1);
      break;
    case 2:
      atomic.compare_exchange_strong(expected, t);
      break;
    case 3:
      atomic.exchange(t);
      break;
    default:
      atomic.load();
    }
  });
}

// Runs the slots whose name is given, or all.
inline void all_objects(unsigned threads, double seconds,
                        const std::string &name = "") {
  const auto is = [&](const char *one) { return name.empty() || name == one; };
  if (is("seqlock"))
    one_writer<Seqlock<0>>("seqlock", threads, seconds);
  if (is("four slots"))
    one_writer<FourSlots<0>>("four slots", 2, seconds);
  if (is("hazard slot"))
    one_writer<HazardSlot<0>>("hazard slot", 2, seconds);
  if (is("sharded counter"))
    sharded_counter(threads, seconds);
  if (is("std::atomic"))
    any_operations(threads, seconds);
}

#endif
