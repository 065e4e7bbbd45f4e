//===- BinaryDecoder.h ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records of one block, one after the other (docs/trace-format.md). Trusts
// nothing: damage ends it with a reason.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_BINARYDECODER_H
#define ATSAN_TRACE_BINARYDECODER_H

#include "lib/event/BinaryFormat.h"
#include "lib/event/Event.h"
#include "lib/trace/BinaryNames.h"

namespace atsan::trace {

/// Decodes the blocks of one thread in their order. Not thread-safe.
class BinaryDecoder {
public:
  enum class Stop : uint8_t {
    Full,     ///< Out has as many events as Limit says.
    Run,      ///< The next records belong to run().
    BlockEnd, ///< The block has no more events.
    Damage,   ///< See problem() and offset().
  };

  /// Begins with a block. The records must stay in memory meanwhile.
  void start(uint32_t Thread, uint64_t Run, const uint8_t *Records,
             size_t Size);
  /// Appends events until Out has Limit of them, or something else stops it.
  Stop decode(std::vector<Event> &Out, size_t Limit, BinaryNames &Known);

  uint64_t run() const { return Run; }
  const char *problem() const { return Problem; }
  /// The place in the records that was reached.
  size_t offset() const { return static_cast<size_t>(At - Begin); }

private:
  bool readEvent(uint8_t Tag, Event &E);
  bool readMany(Event &E);
  bool readRun(uint8_t Tag);
  bool predicted(Event &E);
  bool finish(uint64_t Key, uint64_t Address, uint64_t Size, Event &E);
  bool fail(const char *Why);

  uint32_t Thread = 0;
  uint64_t Run = 0;
  const uint8_t *Begin = nullptr;
  const uint8_t *At = nullptr;
  const uint8_t *End = nullptr;
  uint64_t Repeats = 0; ///< Predicted events to come.
  uint64_t Many = 0;    ///< Events to come that differ from Next by Step each.
  uint64_t Step = 0;
  Event Next;
  const char *Problem = "";
  binary::Predictor Known;
};

} // namespace atsan::trace

#endif // ATSAN_TRACE_BINARYDECODER_H
