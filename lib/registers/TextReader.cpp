//===- TextReader.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Our own text (docs/registers.md has its grammar). A line is an operation with
// its stamps, or an event.
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Readers.h"
#include <array>

using namespace atsan::registers;

namespace {

/// The words of a line. A word in quotes keeps its blanks, and is no number.
class Words {
public:
  void split(std::string_view Line) {
    Count = At = 0;
    const char *P = Line.data(), *const End = P + Line.size();
    for (;;) {
      while (P != End && (*P == ' ' || *P == '\t'))
        ++P;
      if (P == End || *P == '#')
        return;
      if (Count == All.size())
        throw FormatError("the line has more words than an operation can "
                          "have; a value with blanks stands in quotes");
      Word &W = All[Count++];
      W.IsQuoted = *P == '"';
      if (W.IsQuoted)
        P = quoted(P + 1, End, W);
      else
        P = plain(P, End, W);
    }
  }
  bool hasMore() const { return At != Count; }
  bool isNext(std::string_view Text) const {
    return hasMore() && !All[At].IsQuoted && All[At].Text == Text;
  }
  bool take(std::string_view Text) {
    const bool Is = isNext(Text);
    At += Is;
    return Is;
  }
  std::string_view next(const char *What) { return word(What).Text; }
  Value value(const char *What, Values &Known) {
    const Word &W = word(What);
    return W.IsQuoted ? Known.ofName(W.Text) : Known.ofWord(W.Text);
  }
  size_t count() const { return Count; }

private:
  struct Word {
    std::string_view Text;
    bool IsQuoted = false;
  };

  const Word &word(const char *What) {
    if (!hasMore())
      throw FormatError(std::string("the line ends where ") + What +
                        " should stand");
    return All[At++];
  }
  static const char *plain(const char *P, const char *End, Word &W) {
    const char *Begin = P;
    while (P != End && *P != ' ' && *P != '\t')
      ++P;
    W.Text = {Begin, static_cast<size_t>(P - Begin)};
    return P;
  }
  static const char *quoted(const char *P, const char *End, Word &W) {
    const char *Begin = P;
    while (P != End && *P != '"')
      ++P;
    if (P == End)
      throw FormatError("a quote is not closed");
    W.Text = {Begin, static_cast<size_t>(P - Begin)};
    return P + 1;
  }

  std::array<Word, 12> All;
  size_t Count = 0, At = 0;
};

class TextReader {
public:
  TextReader(Lines &From, History &To, Builder &B)
      : From(From), Known(To.Known), B(B) {}

  void read() {
    From.forEach([&](std::string_view Line) {
      W.split(Line);
      if (W.count())
        readLine();
    });
  }

private:
  void readLine() {
    if (W.isNext("initial") && W.count() < 5)
      return readInitial();
    const std::string_view Process = W.next("a process");
    if (W.take("call"))
      readCall(Process);
    else if (W.take("return"))
      readReturn(Process);
    else
      readOperation(Process);
    if (W.hasMore())
      throw FormatError("'" + std::string(W.next("")) +
                        "' is not understood here; the line is PROCESS CALL "
                        "RETURN OPERATION [-> RESULT] [on KEY]");
  }

  void readInitial() {
    W.next("initial");
    const Value V = W.value("a value", Known);
    if (W.take("on"))
      B.setInitial(W.next("a key"), V, From.number());
    else
      B.setInitial(V, From.number());
  }

  void setForm(char New) {
    if (Form && Form != New)
      throw FormatError("lines with stamps and lines with call or return do "
                        "not go together; write all of them in one form");
    Form = New;
  }

  void readOperation(std::string_view Process) {
    setForm('s');
    const Stamp Call = parseStamp(W.next("the call's stamp"), "call");
    const bool IsOpen = W.take("-");
    const Stamp Return =
        IsOpen ? Never
               : parseStamp(W.next("the return's stamp, or -,"), "return");
    const Called C = readCalled();
    const bool HasResult = W.take("->");
    const Returned R = HasResult ? readReturned(C) : Returned();
    B.add(Process, key(), C, R, Call, Return, From.number());
  }
  void readCall(std::string_view Process) {
    setForm('e');
    const Called C = readCalled();
    B.call(Process, key(), C, From.number());
  }
  void readReturn(std::string_view Process) {
    setForm('e');
    const Called *C = B.open(Process);
    const Returned R = C && W.hasMore() ? readReturned(*C) : Returned();
    B.ret(Process, R, From.number());
  }
  std::string_view key() {
    return W.take("on") ? W.next("a key") : std::string_view();
  }

  Called readCalled() {
    Called C;
    C.What = parseOperation(W.next("an operation"));
    if (C.What == Called::Cas)
      C.Expected = W.value("the expected value", Known);
    if (C.What != Called::Read)
      C.Argument = W.value("a value", Known);
    return C;
  }
  Returned readReturned(const Called &C) {
    Returned R;
    if (W.take("failed"))
      R.How = Returned::Failed;
    else if (W.take("unknown"))
      R.How = Returned::Unknown;
    else if (C.What == Called::Cas)
      readCasResult(R);
    else if ((C.What == Called::Write || C.What == Called::Append))
      readAcknowledgement(C);
    else
      R.Result = W.value("a result", Known);
    return R;
  }
  void readAcknowledgement(const Called &C) {
    if (!W.take("ok") && !W.take("true") && !W.take("nil"))
      requireAcknowledgement(C, W.value("a result", Known), Known);
  }
  void readCasResult(Returned &R) {
    if (W.take("true"))
      return;
    if (!W.take("false"))
      throw FormatError("the result of a cas is true, false, false and the "
                        "value that it found, failed, or unknown");
    R.How = Returned::Refused;
    if (W.hasMore() && !W.isNext("on"))
      R.Result = W.value("a value", Known);
  }

  Lines &From;
  Values &Known;
  Builder &B;
  Words W;
  char Form = 0; ///< 's': stamps, 'e': events.
};

} // namespace

void atsan::registers::readText(Lines &From, History &To, Builder &B) {
  TextReader(From, To, B).read();
}
