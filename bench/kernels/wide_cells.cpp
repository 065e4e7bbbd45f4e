//===-- wide_cells.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What it costs to record an access in a granule's cell and locations: with
// plain stores by the page's owner, as the runtime does; with both in one word
// of 16 bytes that is exchanged by a locked instruction, so that pages need no
// owner; and with such a word, and owners. Compile with -O2 -mcx16.
//
//===----------------------------------------------------------------------===//

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <emmintrin.h>

namespace {

constexpr unsigned kGranules = 1024, kInPage = 128, kRounds = 100000;
constexpr uint32_t kOwner = 7, kLocked = 9;

struct alignas(64) Page {
  volatile uint32_t Word = kOwner;
};

Page Pages[kGranules / kInPage];
uint64_t Cells[kGranules], Locations[kGranules];
alignas(16) uint64_t Both[kGranules][2];
volatile uint64_t Work;

void require(bool Condition) {
  if (!Condition)
    abort();
}

void fence() { asm volatile("" ::: "memory"); }

template <class Record> void asOwner(unsigned I, Record Write) {
  Work = I + 1;
  fence();
  require(Pages[I / kInPage].Word == kOwner);
  Write();
  fence();
  require(Pages[I / kInPage].Word != kLocked);
  Work = 0;
}

void recordApart(unsigned I, uint64_t New) {
  asOwner(I, [=] {
    require(Cells[I] >> 60 == 0);
    Locations[I] = New;
    Cells[I] = New;
  });
}

void recordLocked(unsigned I, uint64_t New) {
  uint64_t Low = Both[I][0], High = Both[I][1];
  require(Low >> 60 == 0);
  bool Done;
  asm volatile("lock cmpxchg16b %1"
               : "=@ccz"(Done), "+m"(Both[I]), "+a"(Low), "+d"(High)
               : "b"(New), "c"(New)
               : "memory");
  require(Done);
}

void recordTogether(unsigned I, uint64_t New) {
  asOwner(I, [=] {
    require(Both[I][0] >> 60 == 0);
    _mm_store_si128(reinterpret_cast<__m128i *>(Both[I]),
                    _mm_set1_epi64x(int64_t(New)));
  });
}

template <class Record> void measure(const char *What, Record Write) {
  auto Start = std::chrono::steady_clock::now();
  for (unsigned N = 0; N < kRounds; N++)
    for (unsigned I = 0; I < kGranules; I++)
      Write(I, N);
  std::chrono::duration<double, std::nano> Time =
      std::chrono::steady_clock::now() - Start;
  printf("%-40s %.2f ns\n", What, Time.count() / kRounds / kGranules);
}

} // namespace

int main() {
  measure("owner, cell and locations apart", recordApart);
  measure("cmpxchg16b, no owner", recordLocked);
  measure("owner, one store of 16 bytes", recordTogether);
}
