//===-- market.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many producers and consumers around one bounded buffer: half of the threads
// put messages, half take them and add up what is inside. Regions: a put, a
// take.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

namespace {

constexpr size_t kWords = 16, kCapacity = 256;

struct Message {
  uint64_t Words[kWords];
};
using MessagePtr = std::unique_ptr<Message>;

class Buffer {
public:
  void put(MessagePtr M) {
    std::unique_lock<std::mutex> Lock(Mutex);
    HasRoom.wait(Lock, [this] { return Messages.size() < kCapacity; });
    {
      OperationRegion Region("put");
      Messages.push_back(std::move(M));
    }
    HasMessage.notify_one();
  }

  MessagePtr take() {
    std::unique_lock<std::mutex> Lock(Mutex);
    HasMessage.wait(Lock, [this] { return !Messages.empty(); });
    MessagePtr M;
    {
      OperationRegion Region("take");
      M = std::move(Messages.front());
      Messages.pop_front();
    }
    HasRoom.notify_one();
    return M;
  }

private:
  std::mutex Mutex;
  std::condition_variable HasRoom, HasMessage;
  std::deque<MessagePtr> Messages;
};

} // namespace

int main(int Argc, char **Argv) {
  unsigned Pairs = (argument(Argc, Argv, 1, "threads") + 1) / 2;
  unsigned Messages = argument(Argc, Argv, 2, "messages for each pair");

  Buffer B;
  std::vector<uint64_t> Sums(Pairs);
  runThreads(2 * Pairs, [&, Messages](unsigned Self) {
    Random Rng(Self + 1);
    for (unsigned I = 0; I < Messages; ++I) {
      if (Self % 2 == 0) {
        MessagePtr M(new Message);
        for (uint64_t &W : M->Words)
          W = Rng.next();
        B.put(std::move(M));
      } else {
        MessagePtr M = B.take();
        for (uint64_t W : M->Words)
          Sums[Self / 2] += W;
      }
    }
  });
  uint64_t Sum = 0;
  for (uint64_t S : Sums)
    Sum += S;
  return finish("messages", Sum);
}
