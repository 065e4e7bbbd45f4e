//===- RunTrace.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run of a model as a trace, so that what is said of a run that was recorded
// is said of it in the same words (lib/check).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_RUNTRACE_H
#define ATSAN_MODEL_RUNTRACE_H

#include "lib/event/Event.h"
#include "lib/model/Machine.h"

namespace atsan::model {

/// The events of a run: begins and ends of regions and of operations on
/// registers (which are regions, too), accesses to data, lock operations. A
/// step block outside of regions is a region of its own. Accesses to sync
/// variables are no events.
class RunTrace : public trace::Source, public trace::Names {
public:
  /// \p Run: from Machine. \p File: the model's name.
  RunTrace(const Program &P, const std::vector<std::string> &ThreadNames,
           const std::vector<Action> &Run, std::string File);

  /// Begins anew.
  void rewind() { WasRead = false; }
  uint64_t size() const { return Events.size(); }

  trace::EventSpan next() override;
  const std::string &damage() const override { return Damage; }
  const trace::Names &names() const override { return *this; }
  uint64_t bytesRead() const override { return 0; }
  uint64_t bytesTotal() const override { return 0; }

  std::string thread(uint32_t Thread) const override;
  std::string variable(uint64_t Address) const override;
  std::string lock(uint64_t Address) const override;
  std::string region(uint64_t Name) const override;
  std::vector<trace::Frame> stack(uint32_t Location) const override;
  std::string location(uint32_t Location) const override;

private:
  struct Place {
    Position At;
    unsigned Thread;
  };
  void add(const Action &A, trace::EventKind Kind, uint64_t Object);
  void convert(const Action &A);

  const Program &P;
  const std::vector<std::string> &ThreadNames;
  std::string File;
  std::string Damage;
  std::vector<trace::Event> Events;
  std::vector<Place> Places;   ///< By location, from 1.
  std::vector<unsigned> Depth; ///< Regions that are open, by thread.
  /// By thread, the number of its last access; 0: that is no compare-and-swap
  /// that has failed.
  std::vector<size_t> FailedExchange;
  bool WasRead = false;
};

/// The run as text for people: a line for each action, with its place and what
/// it found. The lines with which steps begin have their numbers. \p HasValues:
/// were values kept?
std::string scheduleText(const Program &P,
                         const std::vector<std::string> &ThreadNames,
                         const std::vector<Action> &Run, bool HasValues = true);

/// What is wrong with the model at the end of a run.
std::string faultText(const Program &P, Fault F, const Action &Last);

} // namespace atsan::model

#endif // ATSAN_MODEL_RUNTRACE_H
