//===-- watched.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: watched OPERATIONS
//
// What an operation on a std::atomic<uint64_t> costs, watched by an
// atsan::checked_register, or, with -DNATIVE, not. Prints a line for each
// operation and number of threads: nanoseconds of processor time.
//
//===----------------------------------------------------------------------===//

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>
#ifdef NATIVE
using Register = std::atomic<uint64_t>;
#else
#include <sanitizer/atsan_history.hpp>
using Register = atsan::checked_register<uint64_t>;
#endif

namespace {

double processorTime() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e9 + double(now.tv_nsec);
}

template <class Work>
void measure(const char *name, unsigned threads, long operations, Work work) {
  Register object(0);
  const double begin = processorTime();
  std::vector<std::thread> all;
  for (unsigned t = 0; t != threads; ++t)
    all.emplace_back([&] {
      for (long i = 0; i != operations / threads; ++i)
        work(object);
    });
  for (std::thread &t : all)
    t.join();
  std::printf("%s %u %.2f\n", name, threads,
              (processorTime() - begin) / double(operations));
}

} // namespace

int main(int argc, char **argv) {
  const long operations = argc > 1 ? std::atol(argv[1]) : 1000000;
  for (const unsigned threads : {1, 2, 8}) {
    measure("load", threads, operations, [](Register &r) { r.load(); });
    measure("store", threads, operations, [](Register &r) { r.store(1); });
    measure("fetch_add", threads, operations,
            [](Register &r) { r.fetch_add(1); });
  }
}
