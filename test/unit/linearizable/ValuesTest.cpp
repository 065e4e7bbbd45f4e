//===- ValuesTest.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values of tests as text, and whether two results are the same.
//
//===----------------------------------------------------------------------===//

#include "include/sanitizer/atsan_linearizable_values.hpp"
#include <gtest/gtest.h>
#include <optional>
#include <ostream>
#include <vector>

using namespace atsan::detail;

namespace {

enum class Mood : unsigned char { Calm, Busy };
struct Opaque {
  int Value;
  bool operator==(const Opaque &O) const { return Value == O.Value; }
};
struct Streamed {
  int Value;
};
std::ostream &operator<<(std::ostream &To, const Streamed &S) {
  return To << '<' << S.Value << '>';
}

TEST(Values, AsText) {
  EXPECT_EQ(show(std::string()), "\"\"");
  EXPECT_EQ(show("a \"b\"\n\\"), "\"a \\\"b\\\"\\x0a\\\\\"");
  EXPECT_EQ(show(std::string("\0", 1)), "\"\\x00\"");
  EXPECT_EQ(show('x'), "\"x\"");
  EXPECT_EQ(show(static_cast<unsigned char>(65)), "65");
  EXPECT_EQ(show(~0ull), "18446744073709551615");
  EXPECT_EQ(show(2.5f), "2.5");
  EXPECT_EQ(show(true), "true");
  EXPECT_EQ(show(Mood::Busy), "1");
  EXPECT_EQ(show(std::make_unique<int>(3)), "3");
  EXPECT_EQ(show(std::shared_ptr<int>()), "null");
  EXPECT_EQ(show(std::optional<std::string>()), "nothing");
  EXPECT_EQ(show(std::optional<std::string>("nothing")), "\"nothing\"");
  EXPECT_EQ(show(Streamed{4}), "<4>");
  EXPECT_EQ(show(Opaque{4}), "(a value without operator <<)");
  EXPECT_EQ(
      show(std::make_tuple(std::vector<int>{1, 2}, std::make_pair(1, 'c'))),
      "([1, 2], (1, \"c\"))");
}

// Owners are compared by what they own, also within pairs and optionals.
TEST(Values, TheSame) {
  EXPECT_TRUE(
      is_same_value(std::make_unique<int>(1), std::make_shared<int>(1)));
  EXPECT_FALSE(
      is_same_value(std::make_unique<int>(1), std::make_unique<int>(2)));
  EXPECT_FALSE(is_same_value(std::make_unique<int>(1), std::unique_ptr<int>()));
  EXPECT_TRUE(is_same_value(std::unique_ptr<int>(), std::unique_ptr<int>()));
  EXPECT_TRUE(is_same_value(std::make_pair(true, std::make_unique<int>(1)),
                            std::make_pair(true, std::make_unique<int>(1))));
  EXPECT_FALSE(is_same_value(std::make_pair(true, std::make_unique<int>(1)),
                             std::make_pair(true, std::make_unique<int>(0))));
  EXPECT_TRUE(is_same_value(std::optional(std::make_shared<int>(1)),
                            std::optional(std::make_shared<int>(1))));
  EXPECT_FALSE(is_same_value(std::optional<int>(), std::optional<int>(0)));
  EXPECT_TRUE(is_same_value(size_t(1), 1));
  const char First[] = "text", Second[] = "text";
  EXPECT_TRUE(is_same_value(static_cast<const char *>(First),
                            static_cast<const char *>(Second)));
  EXPECT_TRUE(is_same_value(Opaque{1}, Opaque{1}));
  EXPECT_FALSE(is_same_value(Opaque{1}, Opaque{2}));
}

} // namespace
