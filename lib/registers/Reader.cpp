//===- Reader.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Reader.h"
#include "lib/registers/Readers.h"
#include <charconv>

using namespace atsan::registers;

const std::vector<std::string> &atsan::registers::formats() {
  static const std::vector<std::string> All = {"auto", "text", "edn",
                                               "porcupine", "csv"};
  return All;
}

Stamp atsan::registers::parseStamp(std::string_view Text, const char *What) {
  Stamp S = 0;
  const char *End = Text.end();
  const auto [At, Error] = std::from_chars(Text.begin(), End, S);
  if (Error != std::errc() || At != End || S < 0 || S == Never)
    throw FormatError(std::string("the ") + What + " '" + std::string(Text) +
                      "' is no stamp; stamps are whole numbers from 0 to "
                      "2^63 - 2");
  return S;
}

void atsan::registers::requireAcknowledgement(const Called &C, Value Result,
                                              Values &Known) {
  if (Known.asNumber(Result) != Known.asNumber(C.Argument))
    throw FormatError(
        std::string(C.What == Called::Write ? "a write" : "an append") +
        " has no result, and here it has returned " + Known.text(Result) +
        "; leave that out, or, if it is what the operation found, write swap");
}

bool atsan::registers::isAcknowledgement(std::string_view Text) {
  return Text.empty() || Text == "ok" || Text == ":ok" || Text == "true" ||
         Text == "nil";
}

void atsan::registers::requireSame(const Called &C, const Called &Again,
                                   Values &Known) {
  if (C.What != Called::Cas)
    return requireAcknowledgement(C, Again.Argument, Known);
  if (C.Expected != Again.Expected || C.Argument != Again.Argument)
    throw FormatError(
        "a cas from " + Known.text(C.Expected) + " to " +
        Known.text(C.Argument) + " was called, and here one from " +
        Known.text(Again.Expected) + " to " + Known.text(Again.Argument) +
        " has returned; is an operation missing?");
}

/// The format that the first line of something looks like.
static std::string recognize(std::string_view Line, const ReaderOptions &O) {
  if (!O.Columns.empty())
    return "csv";
  const size_t First = Line.find_first_not_of(" \t");
  if (First != Line.npos &&
      (std::string_view("{[(;#").find(Line[First]) != Line.npos) &&
      Line.substr(0, 2) != "# " && Line != "#")
    return "edn";
  if (Line.find(":invoke") != Line.npos || Line.substr(0, 4) == "INFO")
    return "porcupine";
  return isCsvHeader(Line) ? "csv" : "text";
}

/// A first line that is not empty decides the format.
static std::string formatOf(Lines &From, const ReaderOptions &O) {
  if (O.Format != "auto")
    return O.Format;
  std::string_view Line;
  if (!From.next(Line))
    return "text";
  From.unread();
  return recognize(Line, O);
}

/// What is said for another format does nothing.
static void refuseMeaningless(const ReaderOptions &O,
                              const std::string &Format) {
  const auto Refuse = [&](const char *Option, const char *Formats) {
    throw FormatError(std::string(Option) + " means nothing to " + Format +
                      "; leave it out, or choose --format=" + Formats);
  };
  if (O.Keyed && Format != "edn")
    Refuse("--keyed", "edn");
  if (O.Failed != FailedCas::ByFormat && Format != "edn" &&
      Format != "porcupine")
    Refuse("--failed-cas", "edn or --format=porcupine");
  if (!O.Columns.empty() && Format != "csv")
    Refuse("--columns", "csv");
}

static Value initialValue(const ReaderOptions &O, const std::string &Format,
                          History &To) {
  if (O.Initial)
    return To.Known.ofWord(*O.Initial);
  return Format == "edn" || Format == "porcupine" ? To.Known.ofName("nil") : 0;
}

History atsan::registers::readHistory(const ByteSource &From,
                                      const std::string &Name,
                                      const ReaderOptions &O) {
  History To;
  Lines L(From);
  uint64_t LineOfForm = 0;
  try {
    const std::string Format = formatOf(L, O);
    refuseMeaningless(O, Format);
    Builder B(To, initialValue(O, Format, To), O.Initial.has_value(), O.Bytes);
    if (Format == "edn")
      readEdn(L, To, B, O, LineOfForm);
    else if (Format == "porcupine")
      readPorcupine(L, To, B, O.Failed != FailedCas::Ignored);
    else if (Format == "csv")
      readCsv(L, To, B, O.Columns);
    else
      readText(L, To, B);
    B.finish();
  } catch (const FormatError &Error) {
    const uint64_t Line = LineOfForm ? LineOfForm : L.number();
    throw FormatError(Name + (Line ? ':' + std::to_string(Line) : "") + ": " +
                      (L.isText() ? Error.what()
                                  : "a control character; is this a history?"));
  }
  return To;
}
