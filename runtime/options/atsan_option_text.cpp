//===-- atsan_option_text.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/options/atsan_option_text.h"

#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

static bool IsSeparator(char c) {
  return c == '\0' || c == ' ' || c == ',' || c == ':' || c == '\n' ||
         c == '\t' || c == '\r';
}

static const char *FindSeparator(const char *text) {
  while (!IsSeparator(*text))
    text++;
  return text;
}

// Whether the list goes on behind a comma, or the next option begins.
static bool ListGoesOn(const char *text) {
  const char *end = FindSeparator(text);
  for (; text < end; text++)
    if (*text == '=')
      return false;
  return true;
}

bool OptionText::Next() {
  option.clear();
  problem = nullptr;
  while (*rest_ && IsSeparator(*rest_))
    rest_++;
  if (!*rest_)
    return false;

  const char *begin = rest_;
  const char *value = begin;
  while (!IsSeparator(*value) && *value != '=')
    value++;
  int name_length = static_cast<int>(value - begin);
  if (*value != '=' || !name_length) {
    rest_ = FindSeparator(begin);
    option.AppendF("%.*s", static_cast<int>(rest_ - begin), begin);
    problem = name_length ? "has no value" : "has no name";
    return false;
  }
  value++;

  if (*value == '\'' || *value == '"') {
    const char *close = internal_strchr(value + 1, *value);
    rest_ = close ? close + 1 : value + internal_strlen(value);
    option.AppendF("%.*s", static_cast<int>(rest_ - begin), begin);
    if (!close)
      problem = "has no closing quote";
    else if (!IsSeparator(*rest_))
      problem = "goes on after the closing quote";
    return !problem;
  }

  rest_ = FindSeparator(value);
  bool is_list = false;
  constexpr const char *kLists[] = {"region_splits=", "checkers="};
  for (const char *list : kLists)
    is_list |= !internal_strncmp(begin, list, internal_strlen(list));
  while (is_list && *rest_ == ',' && ListGoesOn(rest_ + 1))
    rest_ = FindSeparator(rest_ + 1);
  // FlagParser takes a comma for the end of an option without quotes.
  const char *quote = is_list ? "'" : "";
  for (const char *c = value; is_list && c < rest_; c++)
    if (*c == '\'')
      problem = "has a quote in its list";
  option.AppendF("%.*s=%s%.*s%s", name_length, begin, quote,
                 static_cast<int>(rest_ - value), value, quote);
  return !problem;
}

}  // namespace __atsan
