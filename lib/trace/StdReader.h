//===- StdReader.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads RAPID's STD text, `T1|r(x)|17` (docs/std-text.md has the grammar and
// what is refused). Each line is an event: the number of an event is that of
// its line.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_STDREADER_H
#define ATSAN_TRACE_STDREADER_H

#include "lib/event/Event.h"
#include "lib/event/NameTable.h"
#include "lib/trace/Input.h"
#include "lib/trace/RunOrder.h"

namespace atsan::trace {

struct StdOptions {
  /// Accept what cannot have happened (RunOrder.h), as RAPID does.
  bool Lenient = false;
};

/// The numbers of a text's names. Every variable has an aligned word of its
/// own; no lock has the number of a variable.
class StdNames final : public Names {
public:
  static constexpr uint64_t VariableSize = 8;

  std::string thread(uint32_t Thread) const override;
  std::string variable(uint64_t Address) const override;
  std::string lock(uint64_t Address) const override;
  std::string region(uint64_t Name) const override;
  std::vector<Frame> stack(uint32_t) const override { return {}; }
  std::string location(uint32_t Location) const override;

  static uint64_t variableAddress(uint32_t Number) {
    return VariableSize * (uint64_t(Number) + 1);
  }
  static uint64_t lockAddress(uint32_t Number) {
    return FirstLock + VariableSize * uint64_t(Number);
  }

  NameTable Threads, Variables, Locks, Regions;

private:
  /// Above all variables, since there are fewer than 2^32.
  static constexpr uint64_t FirstLock = uint64_t(1) << 48;
};

class StdReader final : public Source {
public:
  explicit StdReader(std::unique_ptr<Input> From, const StdOptions &O = {});

  EventSpan next() override;
  const std::string &damage() const override { return Damage; }
  const Names &names() const override { return Known; }
  uint64_t bytesRead() const override { return From->bytesRead(); }
  uint64_t bytesTotal() const override { return From->bytesTotal(); }

private:
  enum class NameOf : uint8_t { Thread, Operand };

  bool fill();
  // The parse functions return the end of what they take; null: it is refused.
  const char *parseLine(const char *At, Event &E);
  const char *parseOperation(const char *At, const char *Bar, Event &E);
  const char *parseOperand(const char *At, const char *Bar, NameTable &Table,
                           uint32_t &Number);
  const char *parseLocation(const char *At, const char *End,
                            uint32_t &Location);
  [[gnu::noinline]] const char *parseOddLocation(const char *At,
                                                 uint32_t &Location);
  [[gnu::cold, gnu::noinline]] const char *
  acceptName(NameOf Of, const char *Text, size_t Size);
  // The complaint's text is made elsewhere: it costs the parser no register.
  [[gnu::cold, gnu::noinline]] std::nullptr_t refuse(const char *Where,
                                                     const char *Why);
  [[gnu::cold, gnu::noinline]] std::nullptr_t
  refuse(const char *Where, Complaint C, const Event &E);

  std::unique_ptr<Input> From;
  StdOptions Options;
  StdNames Known;
  RunOrder Order;
  std::string Damage;

  std::unique_ptr<char[]> Buffer;
  const char *At = nullptr;       ///< The begin of what is not parsed yet.
  const char *LinesEnd = nullptr; ///< The end of the last whole line.
  const char *End = nullptr;      ///< The end of the bytes there are.
  const char *Line = nullptr;     ///< The begin of the line that is parsed.
  uint64_t LineNumber = 0;
  std::vector<Event> Events;
};

} // namespace atsan::trace

#endif // ATSAN_TRACE_STDREADER_H
