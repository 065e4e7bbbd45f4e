//===- PorcupineReader.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Readers.h"

using namespace atsan::registers;

namespace {

/// Splits at blanks and tabs. Takes what stands in brackets or quotes as one.
std::vector<std::string_view> split(std::string_view Line) {
  std::vector<std::string_view> Out;
  for (size_t I = 0;;) {
    I = Line.find_first_not_of(" \t", I);
    if (I == Line.npos)
      return Out;
    size_t End = 0;
    if (Line[I] == '[')
      End = Line.find(']', I);
    else if (Line[I] == '"')
      End = Line.find('"', I + 1);
    else
      End = Line.find_first_of(" \t", I);
    if (End == Line.npos && (Line[I] == '[' || Line[I] == '"'))
      throw FormatError("a bracket or quote is not closed; the line is cut");
    if (Line[I] == '[' || Line[I] == '"')
      ++End;
    Out.push_back(Line.substr(I, End - I));
    if (End == Line.npos)
      return Out;
    I = End;
  }
}

class PorcupineReader {
public:
  PorcupineReader(Lines &From, History &To, Builder &B, bool RefuseFailed)
      : From(From), Known(To.Known), B(B), RefuseFailed(RefuseFailed) {}

  void read() {
    From.forEach([&](std::string_view Line) {
      const std::vector<std::string_view> Words = split(Line);
      for (size_t I = 1; I < Words.size(); ++I)
        if (isType(Words[I]))
          return readEvent(Words, I);
    });
  }

private:
  static bool isType(std::string_view W) {
    return W == ":invoke" || W == ":ok" || W == ":fail" || W == ":info";
  }
  static bool isNumber(std::string_view W) {
    return !W.empty() && W.find_first_not_of("0123456789") == W.npos;
  }

  void readEvent(const std::vector<std::string_view> &Words, size_t Type) {
    const std::string_view Process = Words[Type - 1];
    if (!isNumber(Process)) // The nemesis, which is no client.
      return;
    if (Words.size() < Type + 3)
      throw FormatError("the line ends before the value; it is cut");
    const std::string_view Name = Words[Type + 1], V = Words[Type + 2];
    const std::optional<Called::Word> What =
        operationNamed(Name.substr(Name[0] == ':'));
    if (!What)
      throw FormatError("'" + std::string(Name) +
                        "' is no operation; there are :read, :write and :cas");
    if (Words[Type] == ":invoke")
      return B.call(Process, "", called(*What, V), From.number());
    const Called *C = B.open(Process);
    if (C && C->What != *What)
      throw FormatError("what returns is another operation than what " +
                        std::string(Process) +
                        " called last; is a line missing?");
    if (C && Words[Type] == ":ok")
      acknowledge(*C, V);
    B.ret(Process, returned(Words[Type], *What, V), From.number());
  }

  /// What succeeds repeats the values that it was called with, or has none.
  void acknowledge(const Called &C, std::string_view V) {
    const bool IsWrite = C.What == Called::Write || C.What == Called::Append;
    if (C.What == Called::Cas ? V.front() == '['
                              : IsWrite && !isAcknowledgement(V))
      requireSame(C, called(C.What, V), Known);
  }

  Called called(Called::Word What, std::string_view V) {
    Called C;
    C.What = What;
    if (What == Called::Cas) {
      const auto Two = V.front() == '[' ? split(V.substr(1, V.size() - 2))
                                        : std::vector<std::string_view>();
      if (Two.size() != 2)
        throw FormatError("'" + std::string(V) +
                          "' is not [EXPECTED NEW], which a :cas needs");
      C.Expected = Known.ofWord(Two[0]);
      C.Argument = Known.ofWord(Two[1]);
    } else if (What != Called::Read) {
      C.Argument = Known.ofWord(V);
    }
    return C;
  }
  Returned returned(std::string_view Type, Called::Word What,
                    std::string_view V) {
    Returned R;
    if (Type == ":info")
      R.How = Returned::Unknown;
    else if (Type == ":fail")
      R.How = What == Called::Cas && RefuseFailed && V != ":timed-out"
                  ? Returned::Refused
                  : Returned::Failed;
    else if (What == Called::Read)
      R.Result = Known.ofWord(V);
    return R;
  }

  Lines &From;
  Values &Known;
  Builder &B;
  bool RefuseFailed;
};

} // namespace

void atsan::registers::readPorcupine(Lines &From, History &To, Builder &B,
                                     bool RefuseFailed) {
  PorcupineReader(From, To, B, RefuseFailed).read();
}
