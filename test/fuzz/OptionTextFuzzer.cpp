//===- OptionTextFuzzer.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever ATSAN_OPTIONS is, it is cut into options that sanitizer_common's
// parser takes for one each, or there is a problem to tell; and what is read
// as a value is shown as one that is read as the same.
//
//===----------------------------------------------------------------------===//

#include "runtime/options/atsan_flag_values.h"
#include "runtime/options/atsan_option_text.h"

#include <stdlib.h>
#include <string.h>
#include <string>

using namespace __atsan;

static void require(bool holds) {
  if (!holds)
    abort();
}

static bool isSpace(char c) { return strchr(" ,:\n\t\r", c); }

// As FlagParser::parse_flag goes through it.
static std::string valueOf(const char *option) {
  const char *p = option;
  while (*p && *p != '=' && !isSpace(*p))
    p++;
  require(p != option && *p == '=');
  char quote = *++p;
  if (quote != '"' && quote != '\'') {
    for (const char *c = p; *c; c++)
      require(!isSpace(*c));
    return p;
  }
  const char *end = strchr(++p, quote);
  require(end && !end[1]);
  return std::string(p, end);
}

template <class T> static void readAndShow(const char *text) {
  T value = {};
  if (!ParseValue(text, &value))
    return;
  InternalScopedString shown;
  AppendValue(&shown, value);
  T again = {};
  require(ParseValue(shown.data(), &again));
  InternalScopedString shownAgain;
  AppendValue(&shownAgain, again);
  require(!strcmp(shown.data(), shownAgain.data()));
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  std::string options(reinterpret_cast<const char *>(data), size);
  OptionText text(options.c_str());
  size_t count = 0;
  while (text.Next()) {
    require(++count <= size);
    require(!text.problem);
    std::string value = valueOf(text.option.data());
    readAndShow<bool>(value.c_str());
    readAndShow<int>(value.c_str());
    readAndShow<u32>(value.c_str());
    readAndShow<uptr>(value.c_str());
    readAndShow<RegionSplits>(value.c_str());
    readAndShow<ReportFormat>(value.c_str());
    readAndShow<HandleSignalMode>(value.c_str());
  }
  require(!text.problem == !text.option.length());
  return 0;
}
