//===- JsonTest.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever names a program has, a report is valid JSON in valid UTF-8.
//
//===----------------------------------------------------------------------===//

#include "runtime/report/atsan_json.h"
#include "gtest/gtest.h"

using namespace __atsan;

namespace {

std::string asJson(const char *Value) {
  JsonWriter Out;
  Out.String(Value);
  return Out.text().data();
}

TEST(Json, Structure) {
  JsonWriter Out;
  Out.BeginObject();
  Out.NumberField("a", ~0ull);
  Out.Key("b");
  Out.BeginArray();
  Out.BeginObject();
  Out.EndObject();
  Out.Bool(false);
  Out.Null();
  Out.EndArray();
  Out.AddressField("c", 0x12ab);
  Out.EndObject();
  EXPECT_STREQ(Out.text().data(),
               "{\"a\":18446744073709551615,\"b\":[{},false,null],"
               "\"c\":\"0x12ab\"}");
}

TEST(Json, Escapes) {
  EXPECT_EQ(asJson(nullptr), "null");
  EXPECT_EQ(asJson(""), "\"\"");
  EXPECT_EQ(asJson("plain"), "\"plain\"");
  EXPECT_EQ(asJson("\"a\\b\""), "\"\\\"a\\\\b\\\"\"");
  EXPECT_EQ(asJson("\x01 \n\x1f\x7f"), "\"\\u0001 \\u000a\\u001f\x7f\"");
}

TEST(Json, KeepsUtf8) {
  const char *Texts[] = {"\u00e9", "\u20ac x", "\U0001f600",
                         "\xed\x9f\xbf\ue000", "\U0010ffff"};
  for (const char *Text : Texts)
    EXPECT_EQ(asJson(Text), "\"" + std::string(Text) + "\"");
}

TEST(Json, ReplacesWhatIsNoUtf8) {
  const std::string Bad = "\\ufffd";
  EXPECT_EQ(asJson("a\xff"
                   "b"),
            "\"a" + Bad + "b\"");
  EXPECT_EQ(asJson("\xe2\x82"), "\"" + Bad + Bad + "\""); // Cut off.
  EXPECT_EQ(asJson("\xc0\xaf"), "\"" + Bad + Bad + "\""); // Overlong.
  EXPECT_EQ(asJson("\xe0\x80\xaf"), "\"" + Bad + Bad + Bad + "\"");
  EXPECT_EQ(asJson("\xed\xa0\x80"),
            "\"" + Bad + Bad + Bad + "\""); // Surrogate.
  EXPECT_EQ(asJson("\xf4\x90\x80\x80"),
            "\"" + Bad + Bad + Bad + Bad + "\""); // Beyond U+10FFFF.
  EXPECT_EQ(asJson("\xe2\x82\""), "\"" + Bad + Bad + "\\\"\"");
}

} // namespace
