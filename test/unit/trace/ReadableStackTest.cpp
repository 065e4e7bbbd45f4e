//===- ReadableStackTest.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/ReadableStack.h"
#include <gtest/gtest.h>

using namespace atsan::trace;

namespace {

Frame frame(const char *Function, const char *File = "",
            const char *Module = "/usr/bin/program") {
  Frame F;
  F.Function = Function;
  F.File = File;
  F.Module = Module;
  return F;
}

std::vector<std::string> readable(std::vector<Frame> Stack) {
  makeReadable(Stack);
  std::vector<std::string> Functions;
  for (const Frame &F : Stack)
    Functions.push_back(F.Function);
  return Functions;
}

using Functions = std::vector<std::string>;

TEST(ReadableStack, IsOfTheProgram) {
  EXPECT_EQ(readable({frame("atsan::atomic_region::atomic_region(char const*)",
                            "/usr/include/sanitizer/atsan.hpp"),
                      frame("f", "f.cpp"), frame("main", "f.cpp"),
                      frame("__libc_start_call_main", "", "/lib/libc.so.6"),
                      frame("_start")}),
            (Functions{"f", "main"}));
}

TEST(ReadableStack, KeepsTheFunctionOfLibcThatWasCalled) {
  EXPECT_EQ(readable({frame("__atsan::Report", "/compiler-rt/lib/x.cpp"),
                      frame("___interceptor_memcpy", "/compiler-rt/lib/y.cpp"),
                      frame("f", "f.cpp")}),
            (Functions{"___interceptor_memcpy", "f"}));
}

// The runtime without debug information, in the program or beside it.
TEST(ReadableStack, KnowsTheRuntimeByItsNames) {
  EXPECT_EQ(readable({frame("__atsan::Report"), frame("__sanitizer::Mutex"),
                      frame("__interceptor_memcpy"),
                      frame("___interceptor_memmove"), frame("f", "f.cpp")}),
            (Functions{"___interceptor_memmove", "f"}));
  EXPECT_EQ(readable({frame("", "", "/usr/lib/libclang_rt.atomicity.so"),
                      frame("__interception::f"), frame("f", "f.cpp")}),
            (Functions{"f"}));
}

TEST(ReadableStack, KeepsTheFunctionOfTheLibraryThatWasCalled) {
  const char *Header = "/usr/include/c++/12/bits/vector.h";
  EXPECT_EQ(readable({frame("copy", Header), frame("insert", Header),
                      frame("push_back", Header), frame("f", "f.cpp"),
                      frame("sort", Header), frame("main", "f.cpp")}),
            (Functions{"push_back", "f", "sort", "main"}));
  EXPECT_EQ(
      readable({frame("f", "f.cpp"), frame("std::thread::_Invoker<f>", Header),
                frame("", "", "/lib/libstdc++.so.6"),
                frame("start_thread", "", "/lib/libc.so.6")}),
      Functions{"f"});
}

TEST(ReadableStack, KeepsWhatIsAllThereIs) {
  EXPECT_EQ(readable({frame("start_thread")}), Functions{"start_thread"});
  EXPECT_EQ(readable({}), Functions{});
}

TEST(ReadableStack, ShortensLongNames) {
  const std::string Long(120, 'x');
  EXPECT_EQ(readable({frame(("f<" + Long + ">(int)").c_str(), "f.cpp")}),
            Functions{"f<...>(int)"});
  EXPECT_EQ(readable({frame("f<int>(int)", "f.cpp")}),
            Functions{"f<int>(int)"});
}

} // namespace
