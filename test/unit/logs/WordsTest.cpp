//===- WordsTest.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of places and frames.
//
//===----------------------------------------------------------------------===//

#include "lib/finding/Places.h"
#include "gtest/gtest.h"

using namespace atsan::finding;

namespace {

Frame frame(const char *Function, const char *File, unsigned Line = 0) {
  Frame F;
  F.Function = Function;
  F.File = File;
  F.Line = Line;
  return F;
}

TEST(Words, FilesBelowTheRoot) {
  const Places P("/code/src/");
  EXPECT_EQ(P.file("/code/src/a/b.cpp"), "a/b.cpp");
  EXPECT_EQ(P.file("/code/src/a/../b.cpp"), "b.cpp");
  EXPECT_EQ(P.file("/code/src2/b.cpp"), "/code/src2/b.cpp");
  EXPECT_EQ(P.file("/code/src/../b.cpp"), "/code/b.cpp");
  EXPECT_EQ(P.file("b.cpp"), "b.cpp");
  EXPECT_EQ(Places("/").file("/b.cpp"), "b.cpp");
}

TEST(Words, PlacesWithoutDebugInformation) {
  Frame F;
  F.Module = "/usr/lib/libfoo.so";
  F.Offset = "0x12";
  EXPECT_EQ(Places("/").place(F), "(libfoo.so+0x12)");
  F.Function = "foo";
  EXPECT_EQ(Places("/").place(F), "(libfoo.so+0x12) in foo");
}

TEST(Words, TheUsersFrameIsNotInTheLibrary) {
  const Stack Frames = {frame("push_back", "/usr/include/c++/12/vector", 9),
                        frame("mine", "/src/a.cpp", 3)};
  const Stack OnlyLibrary = {Frames[0]};
  EXPECT_EQ(userFrame(Frames)->Function, "mine");
  EXPECT_EQ(userFrame(OnlyLibrary)->Function, "push_back");
  EXPECT_EQ(userFrame({}), nullptr);
}

} // namespace
