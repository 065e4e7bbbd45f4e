//===- SharedMemory.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/SharedMemory.h"
#include <algorithm>

using namespace atsan::check;
using namespace atsan::trace;

static constexpr uint64_t Several = ~uint64_t(0);

void SharedMemory::collect(const Event &E) {
  ++Events;
  if (E.Kind == EventKind::Birth || E.Kind == EventKind::Death)
    Owners.erase(E.Address, E.Size);
  if (!isAccess(E.Kind))
    return;
  const uint64_t Own = uint64_t(E.Thread) + 1;
  bool IsNews = false;
  Owners.update(E.Address, E.Size, [&](uint64_t &Owner, uint64_t) {
    if (Owner == Several)
      return;
    IsNews |= Owner && Owner != Own;
    Owner = Owner && Owner != Own ? Several : Own;
  });
  if (IsNews)
    Owners.visit(E.Address, E.Size,
                 [&](uint64_t Owner, uint64_t First, uint64_t Last) {
                   if (Owner == Several)
                     Shared.add(First, Last - First + 1);
                 });
}

bool SharedMemory::isMetBy(const Event &Access) const {
  return Shared.meets(Access.Address, Access.Size);
}

std::vector<bool>::reference SharedFilter::hasTransaction(uint64_t Thread) {
  if (Thread >= HaveTransaction.size())
    HaveTransaction.resize(Thread + 1);
  return HaveTransaction[Thread];
}

bool SharedFilter::keeps(const Event &E) {
  switch (E.Kind) {
  case EventKind::RegionBegin:
  case EventKind::Start:
    hasTransaction(E.Thread) = true;
    return true;
  case EventKind::Join:
    hasTransaction(E.Thread) = true;
    if (E.Address != E.Thread)
      hasTransaction(E.Address) = false; // The child's number may come back.
    return true;
  case EventKind::End:
    hasTransaction(E.Thread) = false;
    return true;
  case EventKind::Read:
  case EventKind::Write:
  case EventKind::ReadModifyWrite:
    if (!E.Size || (hasTransaction(E.Thread) && !Memory.isMetBy(E)))
      return false;
    hasTransaction(E.Thread) = true;
    Known.add(E.Address, E.Size);
    return true;
  case EventKind::Birth:
  case EventKind::Death:
    if (!Known.meets(E.Address, E.Size))
      return false;
    Known.erase(E.Address, E.Size);
    return true;
  case EventKind::Acquire:
  case EventKind::Release:
  case EventKind::AcquireShared:
  case EventKind::ReleaseShared:
    Known.add(E.Address, 1);
    return true;
  default:
    return true;
  }
}

namespace {

class OnlyShared final : public Source {
public:
  OnlyShared(std::unique_ptr<Source> Trace, const SharedMemory &Memory)
      : Trace(std::move(Trace)), Wanted(Memory), Left(Memory.events()) {}

  EventSpan next() override {
    Kept.clear();
    while (Kept.empty() && Left) {
      EventSpan Read = Trace->next();
      if (Read.empty())
        break;
      Read.Count = std::min<uint64_t>(Read.Count, Left);
      Left -= Read.Count;
      std::copy_if(Read.begin(), Read.end(), std::back_inserter(Kept),
                   [this](const Event &E) { return Wanted.keeps(E); });
    }
    return {Kept.data(), Kept.size()};
  }
  const std::string &damage() const override { return Trace->damage(); }
  const Names &names() const override { return Trace->names(); }
  uint64_t bytesRead() const override { return Trace->bytesRead(); }
  uint64_t bytesTotal() const override { return Trace->bytesTotal(); }

private:
  std::unique_ptr<Source> Trace;
  SharedFilter Wanted;
  uint64_t Left;
  std::vector<Event> Kept;
};

} // namespace

std::unique_ptr<Source> atsan::check::onlyShared(std::unique_ptr<Source> Trace,
                                                 const SharedMemory &Memory) {
  return std::make_unique<OnlyShared>(std::move(Trace), Memory);
}
