//===- Event.h ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The event stream of a run: what a trace holds and every offline checker
// consumes. One `Event` is one step of one thread; the order of the stream is
// the observed order. Plain data, no ownership, safe to copy between threads.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_EVENT_EVENT_H
#define ATSAN_EVENT_EVENT_H

#include "lib/event/EventKind.h"
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace atsan::trace {

struct Event {
  uint64_t Address = 0;
  uint64_t Size = 0;
  uint32_t Thread = 0;   ///< 0 is the first thread of the run.
  uint32_t Location = 0; ///< A number in Names; 0: not known.
  EventKind Kind = EventKind::Read;
  bool IsAtomic = false; ///< Whether an access is atomic.
  bool IsStack = false;  ///< Whether a birth is of a stack variable.
  /// Whether a read is a compare-exchange that failed.
  bool IsFailedExchange = false;
};

/// Consecutive events, valid until their source is asked for more.
struct EventSpan {
  const Event *Data = nullptr;
  size_t Count = 0;

  const Event *begin() const { return Data; }
  const Event *end() const { return Data + Count; }
  bool empty() const { return Count == 0; }
};

struct Frame {
  std::string Function; ///< Empty: not known.
  /// Empty if it is not known.
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;
  std::string Module;
  uint64_t Offset = 0;
};

/// What the numbers in events stand for. May grow as the trace is read; a
/// number in an event that was handed out is known by then.
class Names {
public:
  virtual ~Names() = default;
  virtual std::string thread(uint32_t Thread) const = 0; ///< "T1", or its name.
  virtual std::string variable(uint64_t Address) const = 0; ///< "x", "0x7f..".
  virtual std::string lock(uint64_t Address) const = 0;
  virtual std::string region(uint64_t Name) const = 0; ///< Empty: none.
  /// Innermost frame first; empty if not known. May be slow: symbolizes.
  virtual std::vector<Frame> stack(uint32_t Location) const = 0;
  /// The location in short, for a line of text: "file.c:7", "17".
  virtual std::string location(uint32_t Location) const = 0;
};

/// A trace, read from front to back once. Not thread-safe.
class Source {
public:
  virtual ~Source() = default;
  /// The next events, many at once. Empty at the end, and at damage.
  virtual EventSpan next() = 0;
  /// After next() was empty: why the trace could not be read to its end, with
  /// file, place and remedy; empty if it was. What was handed out stands.
  virtual const std::string &damage() const = 0;
  virtual const Names &names() const = 0;
  /// Bytes read so far and in all (0: not known), for a progress bar.
  virtual uint64_t bytesRead() const = 0;
  virtual uint64_t bytesTotal() const = 0;
};

} // namespace atsan::trace

#endif // ATSAN_EVENT_EVENT_H
