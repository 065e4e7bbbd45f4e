//===- BlockOrder.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/BlockOrder.h"
#include <algorithm>

using namespace atsan::check;

namespace {
/// The most entries that are kept, of all threads together.
constexpr size_t MaxLength = size_t(1) << 25;
/// How far back a repetition is looked for at once.
constexpr size_t MaxLookBack = 1 << 12;
} // namespace

void UnitSequence::append(uint32_t Entry) {
  const size_t At = Entries.size();
  Entries.push_back(Entry);
  auto [Last, IsNew] = LastAt.emplace(Entry, At);
  if (Period && matches(At)) {
    ++Matches;
  } else {
    Period = IsNew ? 0 : At - Last->second;
    Matches = 0;
    for (size_t I = At;
         Period && matches(I) && Matches < 2 * Period && Matches < MaxLookBack;
         --I)
      ++Matches;
  }
  Last->second = At;
  if (!Period || Matches < 2 * Period)
    return;
  // The last three rounds are equal: one of them goes.
  Entries.resize(At + 1 - Period);
  for (size_t I = Entries.size() - Period; I < Entries.size(); ++I)
    LastAt[Entries[I]] = I;
  Matches = Period;
}

void BlockOrder::append(uint32_t Thread, uint32_t Entry) {
  if (TooLong)
    return;
  if (Thread >= Sequences.size())
    Sequences.resize(size_t(Thread) + 1);
  UnitSequence &S = Sequences[Thread];
  Length -= S.entries().size();
  S.append(Entry);
  Length += S.entries().size();
  if (Length <= MaxLength)
    return;
  TooLong = true;
  Sequences.clear();
}

void BlockOrder::rename(const std::function<uint32_t(uint32_t)> &New) {
  Length = 0;
  for (UnitSequence &S : Sequences) {
    UnitSequence Renamed;
    uint32_t Locks = 0; // The union of the last entries with IsLocks.
    auto Append = [&](uint32_t Entry) {
      if (Locks)
        Renamed.append(Locks);
      Locks = 0;
      if (Entry != Dropped)
        Renamed.append(Entry);
    };
    for (uint32_t Old : S.entries()) {
      const uint32_t Entry = New(Old);
      if (Entry == Dropped)
        continue;
      if (!(Entry & UnitSequence::IsLocks))
        Append(Entry);
      else
        Locks = UnitSequence::IsLocks | unionOf(Locks & ~UnitSequence::IsLocks,
                                                Entry & ~UnitSequence::IsLocks);
    }
    Append(Dropped);
    Length += Renamed.entries().size();
    S = std::move(Renamed);
  }
}

void BlockOrder::finish(std::vector<HeldSets::Id> AcquiredBy) {
  Acquired = std::move(AcquiredBy);
  Places.assign(Acquired.size(), {});
  Stamps.assign(Acquired.size(), 0);
  for (const UnitSequence &S : Sequences)
    for (uint32_t I = 0; I < S.entries().size(); ++I)
      if (!(S.entries()[I] & UnitSequence::IsLocks))
        Places[S.entries()[I]].push_back(I);
}

HeldSets::Id BlockOrder::unionOf(HeldSets::Id A, HeldSets::Id B) {
  if (A == B || B == HeldSets::Empty)
    return A;
  if (A == HeldSets::Empty)
    return B;
  auto [Where, IsNew] =
      Unions.emplace(uint64_t(std::min(A, B)) << 32 | std::max(A, B), A);
  if (IsNew) {
    HeldSets::Set Both = Sets[A];
    Both.insert(Both.end(), Sets[B].begin(), Sets[B].end());
    Where->second = Sets.of(std::move(Both));
  }
  return Where->second;
}

std::vector<BlockOrder::Earlier>
BlockOrder::find(uint32_t Thread, uint32_t Later, HeldSets::Id Forbidden) {
  std::vector<Earlier> Found;
  if (Thread >= Sequences.size())
    return Found;
  const std::vector<uint32_t> &Entries = Sequences[Thread].entries();
  for (uint32_t Place : Places[Later]) {
    ++Stamp;
    HeldSets::Id Between = HeldSets::Empty;
    // Units before an earlier occurrence of Later have more locks in between.
    for (uint32_t I = Place; I-- > 0;) {
      const uint32_t Entry = Entries[I];
      const bool IsUnit = !(Entry & UnitSequence::IsLocks);
      if (IsUnit && Stamps[Entry] != Stamp) {
        Stamps[Entry] = Stamp;
        Found.push_back({Entry, Between});
      }
      if (Entry == Later)
        break;
      Between = unionOf(Between, IsUnit ? Acquired[Entry]
                                        : Entry & ~UnitSequence::IsLocks);
      if (Sets.exclude(Between, Forbidden))
        break;
    }
  }
  // Keep only the smallest sets of each unit.
  std::sort(Found.begin(), Found.end(), [](const Earlier &A, const Earlier &B) {
    return A.Unit != B.Unit ? A.Unit < B.Unit : A.Between < B.Between;
  });
  std::vector<Earlier> Smallest;
  for (auto I = Found.begin(); I != Found.end();) {
    const auto Next = std::upper_bound(I, Found.end(), *I);
    const auto End =
        std::unique(I, Next, [](const Earlier &A, const Earlier &B) {
          return A.Between == B.Between;
        });
    for (auto One = I; One != End; ++One)
      if (std::none_of(I, End, [&](const Earlier &Other) {
            return Other.Between != One->Between &&
                   Sets.subset(Other.Between, One->Between);
          }))
        Smallest.push_back(*One);
    I = Next;
  }
  return Smallest;
}

BlockOrder::List BlockOrder::earlier(uint32_t Thread, uint32_t Later,
                                     HeldSets::Id Forbidden) {
  const uint64_t Key = uint64_t(Later) << 32 | Forbidden;
  return Known.get(Key, [&] { return find(Thread, Later, Forbidden); });
}
