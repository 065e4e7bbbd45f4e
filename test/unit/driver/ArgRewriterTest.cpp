//===- ArgRewriterTest.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole command lines: user arguments keep their order and spelling, and what
// is added stands where it must.
//
//===----------------------------------------------------------------------===//

#include "tools/driver/ArgRewriter.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace atsan::driver;

namespace {

using Line = std::vector<const char *>;
using Result = std::vector<std::string>;

InstallPaths fakePaths() {
  return {"P.so", "F.so", "R.a", "R.a.syms", "R.so", "LIB", "INC"};
}

Result rewriteOn(const Line &Argv) {
  Invocation Inv = parseInvocation(Argv);
  SanitizerLists Lists = readSanitizerLists(Inv.Args);
  return withAtomicity(Argv, Inv, Lists, readRegionOptions(Inv.Args),
                       fakePaths(), "CLANGRT");
}

size_t position(const Result &Args, const std::string &Wanted) {
  return std::find(Args.begin(), Args.end(), Wanted) - Args.begin();
}

bool contains(const Result &Args, const std::string &Wanted) {
  return position(Args, Wanted) != Args.size();
}

TEST(ArgRewriter, CompileOnlyIsExactlyThis) {
  EXPECT_EQ(rewriteOn({"-fsanitize=atomicity", "-c", "a.c", "-o", "a.o"}),
            (Result{"-c", "a.c", "-o", "a.o", "--start-no-unused-arguments",
                    "-D__SANITIZE_ATOMICITY__=1", "-idirafter", "INC",
                    "-fplugin=F.so", "-fno-omit-frame-pointer",
                    "-mno-omit-leaf-frame-pointer", "-fpass-plugin=P.so",
                    "--end-no-unused-arguments"}));
}

TEST(ArgRewriter, LinkOnlyHasNoCompileOptions) {
  Result Args = rewriteOn({"a.o", "-fsanitize=atomicity", "-lfoo"});
  EXPECT_FALSE(contains(Args, "-fpass-plugin=P.so"));
  EXPECT_FALSE(contains(Args, "-idirafter"));
  EXPECT_LT(position(Args, "R.a"), position(Args, "a.o"));
  EXPECT_LT(position(Args, "-lfoo"), position(Args, "-lpthread"));
}

TEST(ArgRewriter, ValueThatLooksLikeTheOptionIsLeftAlone) {
  Result Args =
      rewriteOn({"-fsanitize=atomicity", "-c", "a.c", "-o",
                 "-fsanitize=atomicity", "-Xclang", "-fsanitize=atomicity"});
  EXPECT_EQ(std::count(Args.begin(), Args.end(), "-fsanitize=atomicity"), 2);
}

TEST(ArgRewriter, BackBlockStaysBeforeDashDash) {
  Result Args = rewriteOn({"-fsanitize=atomicity", "-c", "--", "-a.c"});
  EXPECT_LT(position(Args, "-fpass-plugin=P.so"), position(Args, "--"));
  EXPECT_EQ(Args.back(), "-a.c");
}

TEST(ArgRewriter, EachOutputGetsTheRuntimeItNeeds) {
  auto With = [](Line Extra) {
    Extra.insert(Extra.end(), {"-fsanitize=atomicity", "a.o"});
    return rewriteOn(Extra);
  };
  EXPECT_TRUE(contains(With({}), "R.a"));
  EXPECT_TRUE(contains(With({"-nostdlib"}), "R.a"));
  EXPECT_FALSE(contains(With({"-nostdlib"}), "-lpthread"));
  EXPECT_FALSE(contains(With({"-shared"}), "R.a"));
  EXPECT_FALSE(contains(With({"-r"}), "R.a"));
  EXPECT_FALSE(contains(With({"-c"}), "R.a"));
  EXPECT_FALSE(contains(With({"-fno-sanitize-link-runtime"}), "R.a"));
  EXPECT_TRUE(contains(With({"-shared", "-shared-libsan"}), "R.so"));
  EXPECT_FALSE(contains(With({"-shared-libsan"}), "R.a"));
  EXPECT_FALSE(contains(With({"-shared-libsan"}), "CLANGRT"));
  EXPECT_TRUE(contains(With({"-shared-libsan", "-fsanitize=null"}), "CLANGRT"));
}

TEST(ArgRewriter, CoverageUsesOurCallbacks) {
  const std::string Suppress = "-fno-sanitize-link-runtime";
  EXPECT_TRUE(contains(
      rewriteOn({"-fsanitize=atomicity,fuzzer-no-link", "a.o"}), Suppress));
  EXPECT_TRUE(contains(rewriteOn({"-fsanitize=atomicity",
                                  "-fsanitize-coverage=trace-pc-guard", "a.o"}),
                       Suppress));
  EXPECT_FALSE(contains(
      rewriteOn({"-fsanitize=atomicity,null", "-fsanitize-minimal-runtime",
                 "-fsanitize-coverage=trace-pc-guard", "a.o"}),
      Suppress));
}

TEST(ArgRewriter, OffRemovesOnlyTheName) {
  Line Argv{"-fsanitize=null,atomicity,bounds", "-fno-sanitize=atomicity",
            "a.c"};
  Invocation Inv = parseInvocation(Argv);
  const auto Off = [&](const Invocation &Of) {
    return withoutAtomicity(Argv, Of, readSanitizerLists(Of.Args),
                            readRegionOptions(Of.Args), fakePaths());
  };
  EXPECT_EQ(Off(Inv), (Result{"-fsanitize=null,bounds", "a.c",
                              "--start-no-unused-arguments", "-idirafter",
                              "INC", "--end-no-unused-arguments"}));
  Argv = {"-fsanitize=atomicity", "a.o"};
  EXPECT_EQ(Off(parseInvocation(Argv)), (Result{"a.o"}));
  Argv = {"-nostdinc", "-c", "--", "a.c"};
  EXPECT_EQ(Off(parseInvocation(Argv)),
            (Result{"-nostdinc", "-c", "--", "a.c"}));
}

} // namespace
