//===- RegionOptionsTest.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/driver/RegionOptions.h"
#include "tools/driver/Invocation.h"
#include "gtest/gtest.h"

using namespace atsan::driver;

namespace {

using Strings = std::vector<std::string>;

RegionOptions read(const std::vector<const char *> &Argv) {
  return readRegionOptions(parseInvocation(Argv).Args);
}

TEST(RegionOptions, AddUpInTheirOrder) {
  RegionOptions O =
      read({"-fatomicity-regions=list:a b", "-fatomicity-exclude=x,y",
            "-fatomicity-regions=exported", "-fsanitize-ignorelist=i", "a.c"});
  EXPECT_EQ(O.PassOptions,
            (Strings{"-atsan-regions=list:a b", "-atsan-regions=exported",
                     "-atsan-exclude=x,y", "-atsan-ignorelist=i"}));
  EXPECT_EQ(O.Files, (Strings{"a b", "x,y", "i"}));
  // The ignorelist is clang's as well.
  EXPECT_EQ(O.Ours, (std::set<unsigned>{0, 1, 2}));
  EXPECT_EQ(O.Problem, "");
}

TEST(RegionOptions, LaterOnesTakeBack) {
  EXPECT_EQ(
      read({"-fatomicity-regions=exported", "-fatomicity-regions=annotations",
            "-fatomicity-regions=critical-sections"})
          .PassOptions,
      (Strings{"-atsan-regions=critical-sections"}));
  EXPECT_EQ(read({"-fsanitize-ignorelist=a", "-fno-sanitize-ignorelist",
                  "-fsanitize-ignorelist=b"})
                .PassOptions,
            (Strings{"-atsan-ignorelist=b"}));
}

TEST(RegionOptions, TSanAnnotationsAreAskedFor) {
  EXPECT_FALSE(read({"-fatomicity-regions=exported"}).TSanAnnotations);
  RegionOptions O = read({"a.c", "-fatomicity-tsan-annotations"});
  EXPECT_TRUE(O.TSanAnnotations);
  EXPECT_EQ(O.Ours, (std::set<unsigned>{1}));
  EXPECT_TRUE(O.PassOptions.empty());
  EXPECT_EQ(O.Problem, "");
  EXPECT_NE(read({"-fatomicity-tsan-annotations=no"}).Problem, "");
}

TEST(RegionOptions, ValuesOfOtherOptionsAreNotOptions) {
  RegionOptions O = read({"-o", "-fatomicity-regions=exported", "a.c"});
  EXPECT_TRUE(O.Ours.empty());
  EXPECT_TRUE(O.PassOptions.empty());
}

TEST(RegionOptions, TheFirstProblemIsTold) {
  EXPECT_NE(read({"-fatomicity-x", "-fatomicity-regions=y"})
                .Problem.find("'-fatomicity-x' is not known"),
            std::string::npos);
  EXPECT_NE(read({"-fatomicity-regions="}).Problem, "");
  EXPECT_NE(read({"-fatomicity-regions=LIST:a"}).Problem, "");
}

} // namespace
