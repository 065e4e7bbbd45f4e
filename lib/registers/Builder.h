//===- Builder.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a history of what readers find: joins calls and returns, and refuses
// what cannot have happened.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_BUILDER_H
#define ATSAN_REGISTERS_BUILDER_H

#include "lib/registers/Reader.h"

namespace atsan::registers {

/// What a history says of an operation when it is called.
struct Called {
  enum Word : uint8_t { Read, Write, Cas, Swap, Add, Append };
  Word What = Read;
  Value Argument = 0; ///< The new value; of add: the number that is added.
  Value Expected = 0; ///< What a cas expects.
};

/// What a history says of its end.
struct Returned {
  enum Word : uint8_t {
    Ok,
    Refused, ///< A compare-and-swap found another value.
    Failed,  ///< It did not happen.
    Unknown, ///< It may have happened, or will.
  };
  Word How = Ok;
  std::optional<Value> Result;
};

/// The operation of that name ("read", "get", ...); none: there is none.
std::optional<Called::Word> operationNamed(std::string_view Name);
/// Throws FormatError if there is none.
Called::Word parseOperation(std::string_view Name);

/// Not thread-safe. All functions throw FormatError without a place, which the
/// reader adds.
class Builder {
public:
  /// \p IsGiven: \p Initial comes from the command line, which the history may
  /// not contradict.
  Builder(History &To, Value Initial, bool IsGiven, uint64_t Bytes)
      : To(To), Initial(Initial), IsGiven(IsGiven), Bytes(Bytes) {}

  /// Registers without a value of their own begin with this one.
  void setInitial(Value V, uint64_t Line);
  void setInitial(std::string_view Key, Value V, uint64_t Line);

  /// Adds an operation with its stamps; Return is Never if it is still open.
  /// A process makes its operations in the order in which they are added. An
  /// empty process: it is not known.
  void add(std::string_view Process, std::string_view Key, const Called &C,
           const Returned &R, Stamp Call, Stamp Return, uint64_t Line);

  // Events in the order of time.
  void call(std::string_view Process, std::string_view Key, const Called &C,
            uint64_t Line);
  void ret(std::string_view Process, const Returned &R, uint64_t Line);
  /// What the process has called and not finished; null: nothing.
  const Called *open(std::string_view Process);

  /// What is open still has no known outcome. Sorts.
  void finish();

private:
  struct OpenCall {
    Called What;
    Stamp Call = 0;
    uint32_t Register = 0;
    uint32_t Line = 0; ///< 0: nothing is open.
  };
  struct LastOf {
    Stamp Return = -1;
    uint32_t Line = 0;
  };

  uint32_t process(std::string_view Name);
  uint32_t findNumber(std::string_view Key);
  Register &find(std::string_view Key) { return To.Registers[findNumber(Key)]; }
  void complete(Register &In, uint32_t Process, const Called &C,
                const Returned &R, Stamp Call, Stamp Return, uint32_t Line);
  static uint32_t lineNumber(uint64_t Line);
  void requireSameInitial(Value Before, const std::string &Where,
                          Value Now) const;

  History &To;
  Value Initial;
  bool IsGiven;
  uint64_t InitialLine = 0; ///< Where the history says it; 0: nowhere.
  /// By register: where the history says with what it begins; 0: nowhere.
  std::vector<uint64_t> InitialLines;
  uint64_t Bytes; ///< The size of the history; 0: not known.
  Names Keys;
  std::vector<OpenCall> Open; ///< By process.
  std::vector<LastOf> Last;   ///< By process.
  Stamp Now = 0;              ///< Counts events.
};

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_BUILDER_H
