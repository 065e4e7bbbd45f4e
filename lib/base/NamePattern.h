//===- NamePattern.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lists of names that -fatomicity-regions=list:FILE, -fatomicity-exclude=
// and ATSAN_OPTIONS=exclude_regions= take: what a line of one means and what it
// matches. The compiler pass and the runtime share it, so it uses no library of
// either, allocates nothing and prints nothing.
//
// One pattern a line, or, with `<-` between blanks, several: of a function, of
// the one that called it, and so on. `#` begins a comment line; blanks around a
// pattern do not count. `*` stands for any characters, `?` for one, `\` takes
// the next one as it is. Brackets are what they are in names of C++.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_BASE_NAMEPATTERN_H
#define ATSAN_BASE_NAMEPATTERN_H

namespace atsan_names {

// Some characters; not terminated.
struct Text {
  const char *begin;
  const char *end;

  unsigned long Size() const { return end - begin; }
};

inline Text TextOf(const char *string) {
  const char *end = string;
  while (*end)
    end++;
  return {string, end};
}

inline bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Does the pattern match the whole name? Linear space, no recursion: after a
// mismatch only the last `*` has to give, since it is free to take more.
inline bool Matches(Text pattern, Text name) {
  const char *p = pattern.begin, *n = name.begin;
  const char *after_star = nullptr, *resume = nullptr;
  for (;;) {
    if (p != pattern.end && *p == '*') {
      after_star = ++p;
      resume = n;
      continue;
    }
    if (n == name.end && p == pattern.end)
      return true;
    if (n != name.end && p != pattern.end) {
      const char *literal = *p == '\\' ? p + 1 : p;
      bool any = *p == '?';
      if (literal != pattern.end && (any || *literal == *n)) {
        p = literal + 1;
        n++;
        continue;
      }
    }
    if (!after_star || resume == name.end)
      return false;
    p = after_star;
    n = ++resume;
  }
}

// Takes "ns::f" of "ns::f(int) const", since few want to write the parameters;
// the whole name if there are none.
inline Text WithoutParameters(Text name) {
  const char *p = name.end;
  while (p != name.begin && p[-1] != ')')
    p--;
  int depth = 0;
  while (p != name.begin) {
    p--;
    if (*p == ')')
      depth++;
    if (*p == '(' && --depth == 0)
      return p == name.begin ? name : Text{name.begin, p};
  }
  return name;
}

// Takes "ns::f<int>" of "void ns::f<int>": demanglers write what functions
// return where they are made from templates.
inline Text WithoutReturnType(Text name) {
  constexpr char kOperator[] = "operator";
  int depth = 0;
  Text result = name;
  for (const char *p = name.begin; p != name.end; p++) {
    if (*p == '(' || *p == '<' || *p == '{')
      depth++;
    else if (*p == ')' || *p == '>' || *p == '}')
      depth--;
    else if (depth == 0 && *p == ' ')
      result.begin = p + 1;
    // What follows is its name: "operator bool", "operator new", "operator<".
    unsigned i = 0;
    while (kOperator[i] && p + i != name.end && p[i] == kOperator[i])
      i++;
    if (depth == 0 && !kOperator[i])
      break;
  }
  return result;
}

// Does the pattern match the name as it is, or without its parameters, its
// return type, or both?
inline bool MatchesName(Text pattern, Text name) {
  Text plain = WithoutParameters(name);
  const char *begin = WithoutReturnType(plain).begin;
  return Matches(pattern, name) || Matches(pattern, plain) ||
         (begin != name.begin && (Matches(pattern, {begin, name.end}) ||
                                  Matches(pattern, {begin, plain.end})));
}

// Takes the first pattern of a line, which stays without it: empty after the
// last one.
inline Text TakeCallee(Text *line) {
  Text callee = *line;
  for (const char *p = line->begin; p + 4 <= line->end; p++) {
    if (!IsBlank(p[0]) || p[1] != '<' || p[2] != '-' || !IsBlank(p[3]))
      continue;
    callee.end = p;
    line->begin = p + 4;
    while (callee.Size() && IsBlank(callee.end[-1]))
      callee.end--;
    while (line->Size() && IsBlank(*line->begin))
      line->begin++;
    return callee;
  }
  line->begin = line->end;
  return callee;
}

// What is wrong with the pattern of one name, or nullptr.
inline const char *ProblemOfName(Text pattern) {
  const char *const begin = pattern.begin, *const end = pattern.end;
  const auto is_arrow = [](const char *p) {
    return p[0] == '<' && p[1] == '-';
  };
  const unsigned long size = pattern.Size();
  if (!size ||
      (size >= 2 && is_arrow(begin) && (size == 2 || IsBlank(begin[2]))) ||
      (size > 2 && is_arrow(end - 2) && IsBlank(end[-3])))
    return "lacks a function on one side of '<-'";
  for (const char *p = pattern.begin; p != pattern.end; p++) {
    if (static_cast<unsigned char>(*p) < ' ' && *p != '\t')
      return "is not text";
    if (*p != '\\')
      continue;
    p++;
    if (p == pattern.end)
      return "ends in a lone '\\'; write the character that it is to escape";
  }
  // The kinds of other lists that we read. In a name, "::" follows a word.
  const char *const kKinds[] = {"fun",    "src",      "mainfile", "type",
                                "region", "function", "file",     "library"};
  for (const char *kind : kKinds) {
    const char *p = pattern.begin;
    while (*kind && p != pattern.end && *p == *kind)
      p++, kind++;
    bool is_kind = !*kind && p != pattern.end && *p == ':';
    if (is_kind && (p + 1 == pattern.end || p[1] != ':'))
      return "begins with a kind, which this list does not have; write the "
             "name of the function alone";
  }
  return nullptr;
}

// Is it a line of a source file, "file:line"?
inline bool IsPlace(Text pattern) {
  const char *p = pattern.end;
  while (p != pattern.begin && p[-1] >= '0' && p[-1] <= '9')
    p--;
  return p != pattern.end && p - 1 > pattern.begin && p[-1] == ':' &&
         p[-2] != ':';
}

// What is wrong with a line, or nullptr.
inline const char *Problem(Text line) {
  Text first = TakeCallee(&line);
  const bool has_callers = line.Size();
  for (Text name = first;; name = TakeCallee(&line)) {
    if (const char *problem = ProblemOfName(name))
      return problem;
    if (has_callers && IsPlace(name))
      return "has a line of the source among functions; name the function "
             "instead";
    if (!line.Size())
      break;
  }
  return nullptr;
}

// Goes through the lines of a list.
class Lines {
public:
  // Windows editors begin a text with a byte order mark.
  explicit Lines(Text list) : rest_(list) {
    if (list.Size() >= 3 && list.begin[0] == '\xef' &&
        list.begin[1] == '\xbb' && list.begin[2] == '\xbf')
      rest_.begin += 3;
  }

  // Goes to the next pattern; false at the end. Skips comments and empty lines.
  bool Next() {
    while (rest_.begin != rest_.end) {
      number++;
      pattern = rest_;
      while (rest_.begin != rest_.end && *rest_.begin != '\n')
        rest_.begin++;
      pattern.end = rest_.begin;
      if (rest_.begin != rest_.end)
        rest_.begin++;
      while (pattern.Size() && IsBlank(*pattern.begin))
        pattern.begin++;
      while (pattern.Size() && IsBlank(pattern.end[-1]) && !EndsInEscape())
        pattern.end--;
      if (pattern.Size() && *pattern.begin != '#')
        return true;
    }
    return false;
  }

  Text pattern;
  unsigned number = 0; // The number of the line.

private:
  // Is the last character, a blank, an escaped one?
  bool EndsInEscape() const {
    const char *p = pattern.end - 1;
    bool escaped = false;
    while (p != pattern.begin && p[-1] == '\\') {
      escaped = !escaped;
      p--;
    }
    return escaped && pattern.end[-1] != '\r';
  }

  Text rest_;
};

} // namespace atsan_names

#endif // ATSAN_BASE_NAMEPATTERN_H
