//===- CsvReader.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Readers.h"
#include <algorithm>
#include <array>

using namespace atsan::registers;

namespace {

constexpr std::array<std::string_view, 8> Roles = {
    "process", "call",     "return", "operation",
    "value",   "expected", "result", "key"};
enum Role : uint8_t {
  Process,
  Call,
  Return,
  Op,
  Argument,
  Expected,
  Result,
  Key,
  RoleCount
};

bool isBlank(char C) { return C == ' ' || C == '\t'; }

/// The fields of a line (RFC 4180; none goes on in the next line), without the
/// blanks around them. False if a quote is not closed.
bool split(std::string_view Line, std::vector<std::string> &Out) {
  Out.assign(1, "");
  bool IsQuoted = false;
  size_t Quoted = 0; // The field ends behind these at least.
  const auto EndField = [&] {
    while (Out.back().size() > Quoted && isBlank(Out.back().back()))
      Out.back().pop_back();
    Quoted = 0;
  };
  for (size_t I = 0; I != Line.size(); ++I) {
    const char C = Line[I];
    if (C == '"' && IsQuoted && I + 1 != Line.size() && Line[I + 1] == '"') {
      Out.back() += Line[++I];
    } else if (C == '"' && (IsQuoted || Out.back().empty())) {
      IsQuoted = !IsQuoted;
      Quoted = Out.back().size();
    } else if (C == ',' && !IsQuoted) {
      EndField();
      Out.emplace_back();
    } else if (IsQuoted || !Out.back().empty() || !isBlank(C)) {
      Out.back() += C;
    }
  }
  EndField();
  return !IsQuoted;
}

void splitOrThrow(std::string_view Line, std::vector<std::string> &Out) {
  if (!split(Line, Out))
    throw FormatError("a quote is not closed in the line");
}

class CsvReader {
public:
  CsvReader(Lines &From, History &To, Builder &B)
      : From(From), Known(To.Known), B(B) {
    Column.fill(None);
  }

  void read(const std::string &Columns) {
    std::string_view Line;
    if (!From.next(Line))
      return;
    splitOrThrow(Line, Fields);
    findColumns(Columns);
    From.forEach([&](std::string_view Next) {
      if (!Next.empty())
        readLine(Next);
    });
  }

private:
  static constexpr size_t None = ~size_t(0);

  /// Finds the columns that "role=name,..." names; a role that is not named has
  /// the column of its own name, if there is one.
  void findColumns(const std::string &Columns) {
    for (size_t R = 0; R != RoleCount; ++R)
      Column[R] = find(Roles[R]);
    std::array<bool, RoleCount> IsGiven = {};
    std::vector<std::string> Given;
    if (!Columns.empty())
      splitOrThrow(Columns, Given);
    for (const std::string &One : Given) {
      const size_t Equals = One.find('=');
      const auto R = std::find(Roles.begin(), Roles.end(),
                               std::string_view(One).substr(0, Equals));
      if (Equals == One.npos || R == Roles.end())
        throw FormatError("'" + One +
                          "' in --columns is not understood; give ROLE=NAME, "
                          "the roles being process, call, return, operation, "
                          "value, expected, result and key");
      if (IsGiven[R - Roles.begin()])
        throw FormatError("--columns names a column of the " + std::string(*R) +
                          " twice; leave one of them out");
      IsGiven[R - Roles.begin()] = true;
      Column[R - Roles.begin()] = find(One.substr(Equals + 1));
      if (Column[R - Roles.begin()] == None)
        throw FormatError("there is no column '" + One.substr(Equals + 1) +
                          "'; the first line has the names of the columns");
    }
    for (const size_t At : Column)
      if (At != None &&
          std::count(Fields.begin(), Fields.end(), Fields[At]) != 1)
        throw FormatError("two columns have the name '" + Fields[At] +
                          "'; rename one of them");
    for (const Role R : {Call, Return, Op})
      if (Column[R] == None)
        throw FormatError("no column has the " + std::string(Roles[R]) +
                          "; name it with --columns=" + std::string(Roles[R]) +
                          "=NAME");
  }
  size_t find(std::string_view Name) const {
    const auto Found = std::find(Fields.begin(), Fields.end(), Name);
    return Found == Fields.end() ? None : Found - Fields.begin();
  }

  std::string_view field(Role R) const {
    return Column[R] == None ? std::string_view() : Fields[Column[R]];
  }
  void readLine(std::string_view Line) {
    const size_t Wanted = Fields.size();
    splitOrThrow(Line, Fields);
    if (Fields.size() != Wanted)
      throw FormatError("the line has " + std::to_string(Fields.size()) +
                        " fields, and those before have " +
                        std::to_string(Wanted) + "; is it cut?");
    Called C;
    C.What = parseOperation(field(Op));
    if (C.What == Called::Cas)
      C.Expected = value(Expected);
    if (C.What != Called::Read)
      C.Argument = value(Argument);
    const std::string_view End = field(Return);
    const Stamp Begin = parseStamp(field(Call), "call");
    const bool IsOpen = End.empty() || End == "-";
    B.add(field(Process), field(Key), C, returned(C, IsOpen), Begin,
          IsOpen ? Never : parseStamp(End, "return"), From.number());
  }
  Value value(Role R) {
    if (Column[R] == None)
      throw FormatError("no column has the " + std::string(Roles[R]) +
                        " of this operation; name it with --columns=" +
                        std::string(Roles[R]) + "=NAME");
    return Known.ofWord(field(R));
  }
  Returned returned(const Called &C, bool IsOpen) {
    const Called::Word What = C.What;
    Returned R;
    // A read may have what it returned where a write has what it wrote.
    const std::string_view Text = Column[Result] != None || What != Called::Read
                                      ? field(Result)
                                      : field(Argument);
    if (Text == "failed")
      R.How = Returned::Failed;
    else if (Text == "unknown" || (IsOpen && Text.empty()))
      R.How = Returned::Unknown;
    else if (What == Called::Cas)
      R.How = casResult(Text);
    else if (What == Called::Write || What == Called::Append)
      acknowledge(C, Text);
    else if (What == Called::Read || What == Called::Swap || !Text.empty())
      R.Result = Known.ofWord(Text);
    return R;
  }
  void acknowledge(const Called &C, std::string_view Text) {
    if (!isAcknowledgement(Text))
      requireAcknowledgement(C, Known.ofWord(Text), Known);
  }
  static Returned::Word casResult(std::string_view Text) {
    if (Text == "true" || Text == "1")
      return Returned::Ok;
    if (Text == "false" || Text == "0")
      return Returned::Refused;
    throw FormatError("the result of a cas is '" + std::string(Text) +
                      "'; it is true, false, failed, or unknown");
  }

  Lines &From;
  Values &Known;
  Builder &B;
  std::vector<std::string> Fields;
  std::array<size_t, RoleCount> Column;
};

} // namespace

bool atsan::registers::isCsvHeader(std::string_view Line) {
  std::vector<std::string> Names;
  if (Line.find(',') == Line.npos || !split(Line, Names))
    return false;
  // A line of our own text has at least two words.
  if (std::none_of(Line.begin(), Line.end(), isBlank))
    return true;
  const Role Needed[] = {Call, Return, Op};
  return std::all_of(std::begin(Needed), std::end(Needed), [&](Role R) {
    return std::find(Names.begin(), Names.end(), Roles[R]) != Names.end();
  });
}

void atsan::registers::readCsv(Lines &From, History &To, Builder &B,
                               const std::string &Columns) {
  CsvReader(From, To, B).read(Columns);
}
