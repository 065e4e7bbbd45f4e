//===- EdnReader.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Edn.h"
#include "lib/registers/Readers.h"
#include <charconv>

using namespace atsan::registers;

namespace {

class EdnReader {
public:
  EdnReader(Lines &From, History &To, Builder &B, const ReaderOptions &O)
      : Parser(From), Known(To.Known), B(B), O(O) {}

  void read(uint64_t &Line) {
    Edn Map;
    while (Parser.nextMap(Map, Line)) {
      readEvent(Map, Line);
      Line = 0;
    }
    Line = 0;
  }

private:
  static const Edn &require(const Edn &Map, const char *Key) {
    const Edn *Found = Map.find(Key);
    if (!Found)
      throw FormatError(std::string("the operation has no ") + Key +
                        "; is this a history of Jepsen or Knossos?");
    return *Found;
  }

  void readEvent(const Edn &Map, uint64_t Line) {
    checkOrder(Map);
    const std::string &Process = require(Map, ":process").Text;
    if (Process.empty() || Process[0] == ':') // The nemesis, no client.
      return;
    const std::string &Type = require(Map, ":type").Text;
    const std::string &Name = require(Map, ":f").Text;
    const std::optional<Called::Word> What = operationNamed(
        std::string_view(Name).substr(!Name.empty() && Name[0] == ':'));
    if (!What)
      throw FormatError("what '" + Name +
                        "' does is not known; registers have :read, :write, "
                        ":cas, :swap, :add and :append");
    Edn V;
    V.Text = "nil";
    if (const Edn *Given = Map.find(":value"))
      V = *Given;
    const std::string Key = key(Map, V);
    if (Type == ":invoke")
      return B.call(Process, Key, called(*What, V), Line);
    const Called *C = B.open(Process);
    if (C && C->What != *What)
      throw FormatError("what returns is another operation than what process " +
                        Process + " called last; is one missing?");
    if (C && Type == ":ok")
      acknowledge(*C, V);
    B.ret(Process, returned(Type, *What, V), Line);
  }

  /// What succeeds repeats the values that it was called with, or has none.
  void acknowledge(const Called &C, const Edn &V) {
    const bool IsPair = V.Is == Edn::Sequence && V.Items.size() == 2;
    const bool IsWrite = C.What == Called::Write || C.What == Called::Append;
    if (C.What == Called::Cas
            ? IsPair
            : IsWrite && V.Is != Edn::Sequence && !isAcknowledgement(V.Text))
      requireSame(C, called(C.What, V), Known);
  }

  /// Events are in the order of time, which their :index confirms.
  void checkOrder(const Edn &Map) {
    const Edn *Index = Map.find(":index");
    int64_t Number = 0;
    if (!Index || Index->Is != Edn::Atom)
      return;
    const char *End = Index->Text.data() + Index->Text.size();
    const auto Parsed = std::from_chars(Index->Text.data(), End, Number);
    if (Parsed.ec != std::errc() || Parsed.ptr != End)
      throw FormatError(":index " + Index->Text +
                        " is no whole number of 64 bits");
    if (Number <= LastIndex)
      throw FormatError("operations are out of order: :index " + Index->Text +
                        " comes behind " + std::to_string(LastIndex) +
                        "; sort them by :index");
    LastIndex = Number;
  }

  /// The key; what it stood before becomes the value.
  std::string key(const Edn &Map, Edn &V) const {
    if (const Edn *Key = Map.find(":key"))
      return Key->Text;
    if (!O.Keyed)
      return "";
    if (V.Is != Edn::Sequence || V.Items.size() != 2)
      throw FormatError("the value is no pair of a key and a value, as --keyed "
                        "says that it is");
    Edn Inner = V.Items[1];
    std::string Key = V.Items[0].Text;
    V = std::move(Inner);
    return Key;
  }

  Value value(const Edn &V) {
    if (V.Is == Edn::String)
      return Known.ofName(V.Text);
    if (V.Is != Edn::Atom)
      throw FormatError("the value is a collection, and no register's; if it "
                        "is a pair of a key and a value, give --keyed");
    return Known.ofWord(V.Text);
  }
  Called called(Called::Word What, const Edn &V) {
    Called C;
    C.What = What;
    if (What == Called::Cas) {
      if (V.Is != Edn::Sequence || V.Items.size() != 2)
        throw FormatError("the value of a :cas is not [EXPECTED NEW]; if it "
                          "has a key before, give --keyed");
      C.Expected = value(V.Items[0]);
      C.Argument = value(V.Items[1]);
    } else if (What != Called::Read) {
      C.Argument = value(V);
    }
    return C;
  }
  Returned returned(const std::string &Type, Called::Word What, const Edn &V) {
    Returned R;
    if (Type == ":info")
      R.How = Returned::Unknown;
    else if (Type == ":fail")
      R.How = What == Called::Cas && O.Failed == FailedCas::Refused
                  ? Returned::Refused
                  : Returned::Failed;
    else if (Type != ":ok")
      throw FormatError(":type " + Type +
                        " is not known; there are :invoke, :ok, :fail and "
                        ":info");
    else if (What == Called::Read || What == Called::Swap)
      R.Result = value(V);
    return R;
  }

  EdnParser Parser;
  Values &Known;
  Builder &B;
  const ReaderOptions &O;
  int64_t LastIndex = std::numeric_limits<int64_t>::min();
};

} // namespace

void atsan::registers::readEdn(Lines &From, History &To, Builder &B,
                               const ReaderOptions &O, uint64_t &LineReached) {
  EdnReader(From, To, B, O).read(LineReached);
}
