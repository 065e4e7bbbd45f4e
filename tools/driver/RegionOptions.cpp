//===- RegionOptions.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options add up from left to right, as clang's ignorelists do; the value
// "annotations", like -fno-sanitize-ignorelist, takes back what came before.
//
//===----------------------------------------------------------------------===//

#include "tools/driver/RegionOptions.h"
#include "tools/driver/Compat.h"
#include "llvm/ADT/StringRef.h"

using namespace atsan::driver::options;
using namespace llvm;

namespace atsan::driver {

namespace {

constexpr StringLiteral Family = "-fatomicity-";
constexpr StringLiteral RegionsOption = "-fatomicity-regions=";
constexpr StringLiteral ExcludeOption = "-fatomicity-exclude=";
constexpr StringLiteral TSanOption = "-fatomicity-tsan-annotations";
constexpr StringLiteral ScheduleOption = "-fatomicity-schedule";
constexpr StringLiteral ListPrefix = "list:";
/// sanitizer/atsan_inputs.h names each.
constexpr unsigned MaxLists = 8;

class Reader {
public:
  void read(const opt::Arg &A, StringRef Spelling) {
    const opt::Option &Opt = A.getOption();
    if (Opt.matches(OPT_fsanitize_ignorelist_EQ)) {
      Ignored.push_back(A.getValue());
    } else if (Opt.matches(OPT_fno_sanitize_ignorelist)) {
      Ignored.clear();
    } else if (Opt.getKind() == opt::Option::UnknownClass &&
               Spelling.starts_with(Family)) {
      Result.Ours.insert(A.getIndex());
      readOurs(Spelling);
    }
  }

  RegionOptions result() {
    for (StringRef Mode : Modes) {
      Result.PassOptions.push_back(("-atsan-regions=" + Mode).str());
      if (Mode.consume_front(ListPrefix))
        Result.Files.push_back(Mode.str());
    }
    addFiles("-atsan-exclude=", Excluded);
    addFiles("-atsan-ignorelist=", Ignored);
    if (Result.Files.size() > MaxLists)
      fail("-fatomicity-...", "names more than " + Twine(MaxLists) +
                                  " lists, ignorelists included; join some");
    return std::move(Result);
  }

private:
  void fail(StringRef Spelling, const Twine &Why) {
    if (Result.Problem.empty())
      Result.Problem = ("'" + Spelling + "' " + Why).str();
  }

  void readOurs(StringRef Spelling) {
    StringRef Value = Spelling;
    if (Value.consume_front(RegionsOption)) {
      readMode(Spelling, Value);
    } else if (Value.consume_front(ExcludeOption)) {
      if (Value.empty())
        fail(Spelling, "names no file; write '-fatomicity-exclude=FILE'");
      Excluded.push_back(Value);
    } else if (Value == TSanOption) {
      Result.TSanAnnotations = true;
    } else if (Value == ScheduleOption) {
      Result.PassOptions.push_back("-atsan-schedule");
    } else {
      fail(Spelling, "is not known; there are '-fatomicity-regions=', "
                     "'-fatomicity-exclude=', '-fatomicity-schedule' and "
                     "'-fatomicity-tsan-annotations'");
    }
  }

  void readMode(StringRef Spelling, StringRef Mode) {
    const bool IsList = Mode.starts_with(ListPrefix);
    if (Mode == "annotations")
      Modes.clear();
    else if (IsList && Mode.size() == ListPrefix.size())
      fail(Spelling, "names no file; write '-fatomicity-regions=list:FILE'");
    else if (IsList || Mode == "exported" || Mode == "critical-sections")
      Modes.push_back(Mode);
    else
      fail(Spelling, "has an unknown value; allowed are 'annotations', "
                     "'exported', 'critical-sections' and 'list:FILE'");
  }

  void addFiles(StringRef Option, ArrayRef<StringRef> Files) {
    for (StringRef File : Files) {
      Result.PassOptions.push_back((Option + File).str());
      Result.Files.push_back(File.str());
    }
  }

  RegionOptions Result;
  std::vector<StringRef> Modes, Excluded, Ignored;
};

} // namespace

RegionOptions readRegionOptions(const opt::ArgList &Args) {
  Reader R;
  for (const opt::Arg *A : Args)
    R.read(*A, Args.getArgString(A->getIndex()));
  return R.result();
}

} // namespace atsan::driver
