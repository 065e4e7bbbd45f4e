//===- InvocationTest.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a command line does: preprocess, generate code, link, and into what.
//
//===----------------------------------------------------------------------===//

#include "tools/driver/Invocation.h"
#include "gtest/gtest.h"

using namespace atsan::driver;

namespace {

struct Case {
  std::vector<const char *> Argv;
  bool Preprocesses;
  bool GeneratesCode;
  Output Links;
};

TEST(Invocation, Steps) {
  const Output None = Output::None, Exe = Output::Executable;
  const Case Cases[] = {
      {{"a.c"}, true, true, Exe},
      {{"a.o"}, false, false, Exe},
      {{"-lfoo"}, false, false, Exe},
      {{"a.unknown"}, false, false, Exe},
      {{"-x", "c", "a.unknown"}, true, true, Exe},
      {{"-xc", "a.h", "-xnone", "a.o"}, true, true, Exe},
      {{"-c", "a.c"}, true, true, None},
      {{"-S", "a.cc"}, true, true, None},
      {{"-c", "a.i"}, false, true, None},
      {{"-c", "a.ll"}, false, true, None},
      {{"-c", "a.bc"}, false, true, None},
      {{"-c", "a.s"}, false, false, None},
      {{"-c", "a.S"}, true, false, None},
      {{"-E", "a.c"}, true, false, None},
      {{"-M", "a.c"}, true, false, None},
      {{"-MM", "a.c"}, true, false, None},
      {{"-MD", "-c", "a.c"}, true, true, None},
      {{"-fsyntax-only", "a.c"}, true, false, None},
      {{"--analyze", "a.c"}, true, false, None},
      {{"a.h"}, true, false, None},
      {{"--driver-mode=cpp", "a.c"}, true, false, None},
      {{"-shared", "a.o"}, false, false, Output::Shared},
      {{"-Wl,-O1,-shared", "a.o"}, false, false, Output::Shared},
      {{"-r", "a.o"}, false, false, Output::Relocatable},
      {{"-Xlinker", "-r", "a.o"}, false, false, Output::Relocatable},
      {{"-o", "-r", "a.o"}, false, false, Exe},
      {{"-c", "--", "a.c"}, true, true, None},
  };
  for (const Case &C : Cases) {
    std::string Line;
    for (const char *Arg : C.Argv)
      Line += std::string(Arg) + " ";
    SCOPED_TRACE(Line);
    Invocation Inv = parseInvocation(C.Argv);
    EXPECT_TRUE(Inv.HasInputs);
    EXPECT_FALSE(Inv.Incomplete);
    EXPECT_EQ(Inv.Preprocesses, C.Preprocesses);
    EXPECT_EQ(Inv.GeneratesCode, C.GeneratesCode);
    EXPECT_EQ(Inv.Links, C.Links);
  }
}

TEST(Invocation, QueriesHaveNoInputs) {
  for (const char *Query : {"--version", "-v", "-print-search-dirs", "--help"})
    EXPECT_FALSE(parseInvocation({Query}).HasInputs) << Query;
}

TEST(Invocation, NoticesWhatItCannotHandle) {
  EXPECT_TRUE(parseInvocation({"a.c", "-o"}).Incomplete);
  EXPECT_EQ(parseInvocation({"--driver-mode=cl", "a.c"}).ForeignMode, "cl");
  EXPECT_EQ(parseInvocation({"a.c", "b.cu"}).OffloadInput, "b.cu");
}

} // namespace
