//===-- Parallel.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checker's threads as threads of the system, for tests.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_PARALLEL_H
#define ATSAN_UNIT_PARALLEL_H

#include "UnitSupport.h"
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace atsan_test {

// A page of the shadow ends after a few granules.
constexpr __atsan::uptr kBase = 0x7e0000000000 - 24;
constexpr __atsan::AccessPoint kSomewhere = {1, 0};

// Counts violations for each thread id.
class Counter : public SeamListener {
public:
  void violation(__atsan::CheckerThread *Thread,
                 const __atsan::Cycle &) override {
    Count[Thread->tid]++;
    All++;
  }
  std::array<std::atomic<unsigned>, 128> Count = {};
  std::atomic<unsigned> All{0};
};

inline void read(__atsan::CheckerThread *Thr, __atsan::uptr Offset,
                 __atsan::uptr Size = 4) {
  __atsan::CheckerAccess(Thr, kBase + Offset, Size, __atsan::AccessKind::kRead,
                         kSomewhere);
}
inline void write(__atsan::CheckerThread *Thr, __atsan::uptr Offset,
                  __atsan::uptr Size = 4) {
  __atsan::CheckerAccess(Thr, kBase + Offset, Size, __atsan::AccessKind::kWrite,
                         kSomewhere);
}

// OS threads with their checker threads, created and joined by a main thread.
class Team {
public:
  Team() { __atsan::CheckerThreadCreate(nullptr, kSomewhere, &Main, 0); }

  void add(std::function<void(__atsan::CheckerThread *)> Work) {
    Members.push_back(std::make_unique<Member>());
    Member *M = Members.back().get();
    __atsan::CheckerThreadCreate(&Main, kSomewhere, &M->Thr, Members.size());
    M->Thread = std::thread([M, Work] {
      Work(&M->Thr);
      M->Ended = __atsan::CheckerThreadEnd(&M->Thr, /*will_be_joined=*/true);
    });
  }
  void joinAll() {
    for (auto &M : Members) {
      M->Thread.join();
      __atsan::CheckerThreadJoin(&Main, kSomewhere, M->Ended);
    }
    __atsan::CheckerThreadEnd(&Main, false);
  }

private:
  struct Member {
    __atsan::CheckerThread Thr = {};
    __atsan::EndedThread Ended = {};
    std::thread Thread;
  };
  __atsan::CheckerThread Main = {};
  std::vector<std::unique_ptr<Member>> Members;
};

// Two threads of a pair take turns by handshakes; the pairs run in parallel.
class Turns {
public:
  void await(unsigned Turn) {
    while (Now.load(std::memory_order_acquire) != Turn)
      std::this_thread::yield();
  }
  void next() { Now.fetch_add(1, std::memory_order_acq_rel); }

private:
  std::atomic<unsigned> Now{0};
};

} // namespace atsan_test

#endif // ATSAN_UNIT_PARALLEL_H
