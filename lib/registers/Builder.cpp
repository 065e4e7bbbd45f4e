//===- Builder.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Builder.h"
#include <algorithm>

using namespace atsan::registers;

std::optional<Called::Word>
atsan::registers::operationNamed(std::string_view Name) {
  static const std::unordered_map<std::string_view, Called::Word> Known = {
      {"read", Called::Read},     {"get", Called::Read},
      {"write", Called::Write},   {"put", Called::Write},
      {"cas", Called::Cas},       {"swap", Called::Swap},
      {"exchange", Called::Swap}, {"add", Called::Add},
      {"fetch-add", Called::Add}, {"append", Called::Append}};
  const auto Found = Known.find(Name);
  return Found == Known.end() ? std::nullopt : std::optional(Found->second);
}

Called::Word atsan::registers::parseOperation(std::string_view Name) {
  const std::optional<Called::Word> What = operationNamed(Name);
  if (!What)
    throw FormatError("'" + std::string(Name) +
                      "' is no operation; there are read, write, cas, swap, "
                      "add and append");
  return *What;
}

static const char *nameOf(Called::Word What) {
  static constexpr const char *Names[] = {"read", "write", "cas",
                                          "swap", "add",   "append"};
  return Names[What];
}

uint32_t Builder::process(std::string_view Name) {
  const uint32_t P = To.Processes.number(Name);
  if (P >= 1u << 24)
    throw FormatError("there are more than 2^24 processes; is the process in "
                      "its place in the line?");
  return P;
}

uint32_t Builder::findNumber(std::string_view Key) {
  const uint32_t Number = Keys.number(Key);
  if (Number == To.Registers.size()) {
    To.Registers.emplace_back();
    To.Registers.back().Key = Key;
    InitialLines.push_back(0);
    // A vector that grows needs twice its memory. What is reserved and not
    // used costs none; no operation is written in fewer than 16 bytes.
    if (Key.empty())
      To.Registers.back().Operations.reserve(Bytes / 16);
  }
  return Number;
}

void Builder::requireSameInitial(Value Before, const std::string &Where,
                                 Value Now) const {
  if (To.Known.asNumber(Before) != To.Known.asNumber(Now))
    throw FormatError("the initial value is " + To.Known.text(Now) +
                      " here and " + To.Known.text(Before) + " " + Where +
                      "; leave one of them out");
}

void Builder::setInitial(Value V, uint64_t Line) {
  if (IsGiven)
    requireSameInitial(Initial, "by --initial", V);
  else if (InitialLine)
    requireSameInitial(Initial, "in line " + std::to_string(InitialLine), V);
  Initial = V;
  InitialLine = Line;
}

void Builder::setInitial(std::string_view Key, Value V, uint64_t Line) {
  const uint32_t Number = findNumber(Key);
  if (const uint64_t Before = InitialLines[Number])
    requireSameInitial(To.Registers[Number].Initial,
                       "in line " + std::to_string(Before), V);
  To.Registers[Number].Initial = V;
  InitialLines[Number] = Line;
}

uint32_t Builder::lineNumber(uint64_t Line) {
  if (Line >= ~uint32_t(0))
    throw FormatError("there are more than 2^32 lines; split the history");
  return static_cast<uint32_t>(Line);
}

/// The operation in terms of what it finds and leaves; none: it says nothing.
static std::optional<Operation> translate(const Called &C, const Returned &R,
                                          History &To) {
  Operation O;
  O.Argument = C.Argument;
  O.Expected = C.Expected;
  const bool IsKnown = R.How == Returned::Ok;
  if (R.How == Returned::Refused) {
    if (C.What != Called::Cas)
      throw FormatError(std::string("a ") + nameOf(C.What) +
                        " cannot be refused; of one that did not happen say "
                        "that it failed");
    if (R.Result) {
      To.Refused.push_back({C.Expected, C.Argument});
      O.What = Kind::Read;
      O.Argument = *R.Result;
      O.Expected = static_cast<Value>(To.Refused.size());
    } else {
      O.What = Kind::RefusedCas;
      std::swap(O.Argument, O.Expected);
    }
    return O;
  }
  if (IsKnown && !R.Result &&
      (C.What == Called::Read || C.What == Called::Swap))
    throw FormatError(std::string("a ") + nameOf(C.What) +
                      " has returned without a result; say what it returned, "
                      "or that the outcome is unknown");
  switch (C.What) {
  case Called::Read:
    if (!IsKnown) {
      ++To.ReadsWithoutResult;
      return std::nullopt;
    }
    O.What = Kind::Read;
    O.Argument = *R.Result;
    break;
  case Called::Write:
    O.What = Kind::Write;
    break;
  case Called::Cas:
    O.What = Kind::Cas;
    break;
  case Called::Swap:
    O.What = IsKnown ? Kind::Swap : Kind::Write;
    O.Expected = R.Result.value_or(0);
    break;
  case Called::Add:
    if (!To.Known.number(C.Argument) || !To.Known.number(R.Result.value_or(0)))
      throw FormatError("an add has something else than whole numbers of 64 "
                        "bits; only these can be added");
    O.What = IsKnown && R.Result ? Kind::FetchAdd : Kind::Add;
    if (O.What == Kind::FetchAdd) {
      O.Expected = *R.Result;
      O.Argument = To.Known.add(C.Argument, *R.Result);
    }
    break;
  case Called::Append:
    O.What = Kind::Append;
    break;
  }
  return O;
}

void Builder::complete(Register &In, uint32_t Process, const Called &C,
                       const Returned &R, Stamp Call, Stamp Return,
                       uint32_t Line) {
  if (R.How == Returned::Failed) {
    ++To.Failed;
    return;
  }
  std::optional<Operation> O = translate(C, R, To);
  if (!O)
    return;
  O->Call = Call;
  O->Return = R.How == Returned::Unknown ? Never : Return;
  O->Line = Line;
  O->Process = Process;
  In.Operations.push_back(*O);
}

void Builder::add(std::string_view Process, std::string_view Key,
                  const Called &C, const Returned &R, Stamp Call, Stamp Return,
                  uint64_t Line) {
  if (Return < Call)
    throw FormatError("the operation returns at " + std::to_string(Return) +
                      ", before it is called at " + std::to_string(Call) +
                      "; the call's stamp comes first");
  const uint32_t P = process(Process);
  const uint32_t Number = lineNumber(Line);
  if (!Process.empty()) {
    if (P >= Last.size())
      Last.resize(P + 1);
    LastOf &Before = Last[P];
    if (Call < Before.Return)
      throw FormatError(
          std::string(Process) + " calls this operation at " +
          std::to_string(Call) + ", before its operation of line " +
          std::to_string(Before.Line) + " has returned, at " +
          std::to_string(Before.Return) +
          "; put the operations of a process in their order, and give "
          "those that overlap different processes");
    // After an operation that did not return, the process may go on.
    Before = {Return == Never ? Call : Return, Number};
  }
  Returned How = R;
  if (Return == Never && How.How != Returned::Failed)
    How = {Returned::Unknown, std::nullopt};
  complete(find(Key), P, C, How, Call, Return, Number);
}

void Builder::call(std::string_view Process, std::string_view Key,
                   const Called &C, uint64_t Line) {
  const uint32_t P = process(Process);
  if (P >= Open.size())
    Open.resize(P + 1);
  if (Open[P].Line)
    throw FormatError(
        std::string(Process) + " calls an operation, while that of line " +
        std::to_string(Open[P].Line) + " has not returned; is a line missing?");
  Open[P] = {C, Now++, findNumber(Key), lineNumber(Line)};
}

void Builder::ret(std::string_view Process, const Returned &R, uint64_t) {
  const uint32_t P = process(Process);
  if (P >= Open.size() || !Open[P].Line)
    throw FormatError("an operation of " + std::string(Process) +
                      " returns that was not called, or has returned already; "
                      "is a line missing, or there twice?");
  OpenCall &Of = Open[P];
  complete(To.Registers[Of.Register], P, Of.What, R, Of.Call, Now++, Of.Line);
  Of.Line = 0;
}

const Called *Builder::open(std::string_view Process) {
  const uint32_t P = process(Process);
  return P < Open.size() && Open[P].Line ? &Open[P].What : nullptr;
}

/// From here on, the same code means the same value. A register that is
/// appended to holds texts, in which each character counts, and others hold
/// numbers.
static void makeComparable(Register &R, History &In) {
  const bool HasTexts =
      std::any_of(R.Operations.begin(), R.Operations.end(),
                  [](const Operation &O) { return O.What == Kind::Append; });
  const auto Change = [&](Value &V) {
    V = HasTexts ? In.Known.asText(V) : In.Known.asNumber(V);
  };
  Change(R.Initial);
  for (Operation &O : R.Operations) {
    Change(O.Argument);
    if (O.What != Kind::Read) {
      Change(O.Expected);
    } else if (O.Expected != 0) {
      Value &Expected = In.Refused[O.Expected - 1].Expected;
      Change(Expected);
      if (Expected == O.Argument)
        O.What = Kind::ContradictoryCas;
    }
  }
}

void Builder::finish() {
  for (uint32_t P = 0; P != Open.size(); ++P)
    if (OpenCall &Of = Open[P]; Of.Line)
      complete(To.Registers[Of.Register], P, Of.What,
               {Returned::Unknown, std::nullopt}, Of.Call, Never, Of.Line);
  for (size_t I = 0; I != To.Registers.size(); ++I) {
    Register &R = To.Registers[I];
    if (!InitialLines[I])
      R.Initial = Initial;
    makeComparable(R, To);
    sortByCall(R.Operations);
  }
}
