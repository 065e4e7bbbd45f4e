//===- Blocks.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan check --algorithm=blocks`: the block-based algorithm of TSE'06,
// section 6, for conflict-serializability (docs/blocks.md has what each level
// promises, and where the theorems are wrong as printed).
//
//   1v    one transaction and an access of another thread to the same byte
//   2v    two transactions, any variables
//   full  any number of transactions and threads
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_BLOCKS_H
#define ATSAN_CHECK_BLOCKS_H

#include "lib/check/BlockCycles.h"
#include "lib/check/OneVariableBlocks.h"
#include "lib/check/Replay.h"
#include "lib/check/ViewEquivalence.h"
#include "lib/reduction/atsan_escape.h"
#include <optional>
#include <set>

namespace atsan::check {

class Blocks : public Analysis {
public:
  explicit Blocks(const Options &O);

  bool consume(trace::EventSpan Events) override;
  void finish() override;
  const std::vector<Finding> &findings() const override { return Found; }
  std::string notion() const override;
  std::string gaveUp() const override;
  std::vector<std::pair<std::string, uint64_t>> statistics() const override;

private:
  using Site = std::tuple<uint64_t, uint32_t, uint32_t>;
  static Site siteOf(const NumberedEvent &Begin, const NumberedEvent &Last) {
    return {Begin.What.Address, Begin.What.Location, Last.What.Location};
  }
  Site siteOf(const Visit &Own) const {
    return siteOf(begin(Own.Entered, Own.Exit), event(Own.Entered, Own.Entry));
  }
  uint32_t firstPlace(const Visit &Own) const {
    return event(Own.Entered, Own.Exit).What.Location;
  }

  bool wanted(const Site &S) const {
    return (O.All || Found.empty()) && !Sites.count(S);
  }
  void searchCycles(bool PairsOnly);
  /// Reports a pattern. False: no schedule has it.
  bool report(const OneVariableBlocks::Pattern &P);
  bool wanted(const Visit &First) const;
  bool report(std::vector<Visit> Cycle);
  void load();
  using Stretches = std::vector<Stretch>;
  bool confirm(const std::vector<Witness::Visit> &Cycle, bool OneByOne,
               Stretches &Schedule);
  bool confirm(const std::vector<Visit> &Cycle, bool OneByOne,
               Stretches &Schedule);
  bool confirmFrom(const std::vector<Visit> &Cycle, size_t From, bool OneByOne,
                   Stretches &Schedule);
  void noteSchedule(Finding &F) const;
  void relateByEdges(Finding &F, const NumberedEvent &From,
                     const NumberedEvent &To) const;
  void relate(Finding &F, const std::vector<Visit> &Cycle) const;
  void add(Finding F, const Site &S);

  NumberedEvent event(uint32_t Instance, uint32_t Item) const;
  NumberedEvent begin(uint32_t Instance, uint32_t Item) const;
  HeldSets::Set addresses(HeldSets::Id Numbers) const;
  using AccessOrder = std::vector<BlockSchedule::Access>;
  bool schedule(std::vector<Visit> &Cycle, Stretches &Schedule);
  AccessOrder orderOf(const std::vector<Visit> &Cycle,
                      const Stretches &Schedule) const;
  /// The accesses that \p Order has between the two of a visit.
  std::vector<NumberedEvent> between(const std::vector<Visit> &Cycle,
                                     const AccessOrder &Order,
                                     size_t Visit) const;
  std::string sentence(const NumberedEvent &First, const NumberedEvent &Last,
                       const std::vector<NumberedEvent> &Between) const;
  std::string thread(uint32_t Number) const;
  std::string locks(const HeldSets::Set &S) const;
  void noteAccess(Finding &F, const NumberedEvent &E,
                  const HeldSets::Set &Held) const;
  void noteHeld(Finding &F, const NumberedEvent &From, const NumberedEvent &To,
                const HeldSets::Set &Held) const;
  static void noteView(Finding &F, const std::vector<ViewAccess> &Pattern);
  std::string what(const NumberedEvent &E) const;

  const Options O;
  Limits Limit;
  __atsan::EscapeMap Escapes;
  uint64_t Dropped = 0; ///< Accesses to what had not escaped.
  std::optional<OneVariableBlocks> OneVariable; ///< Decides level 1v.
  // For levels 2v and full. They look up what they keep in tables, also to
  // report it.
  mutable std::optional<BlockUnits> Units;
  mutable std::optional<BlockCycles> Cycles;
  /// All events, unless O.Again can read them again.
  std::vector<trace::Event> Events;
  uint64_t Count = 0;
  std::optional<Witness> Schedules;
  std::optional<Replay> Checker;
  /// A unit that a thread ran, or locks that it took.
  struct Ran {
    uint32_t Instance;
    HeldSets::Id Acquired;
    size_t Numbers; ///< Where its numbers begin in Blocks::Numbers.
  };
  /// What each thread ran, one after another.
  std::vector<std::vector<Ran>> Runs;
  /// The numbers of all units' events, and of their regions' begins.
  std::vector<uint64_t> Numbers;
  /// The occurrences that the present cycle is made of, by instance.
  std::map<uint32_t, size_t> Picked;
  std::vector<NumberedEvent> Edges; ///< Starts and joins.
  uint64_t Undecided = 0, Refuted = 0, Wrong = 0;
  bool HasPairs = false; ///< All cycles of two transactions were looked at.
  std::vector<Finding> Found;
  std::set<Site> Sites;
  /// Sites, with the place of the first access, for which a cycle was found,
  /// even if another region was to blame.
  std::set<std::pair<Site, uint32_t>> Explained;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_BLOCKS_H
