//===-- atsan_schedule_file.cpp -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
#include "runtime/schedule/atsan_schedule_file.h"

#include "sanitizer_common/sanitizer_hash.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

constexpr const char *kHeader = "atsan-schedule";
constexpr uptr kMostOrders = 64;

u64 PathOfChild(u64 parent, u32 index) {
  MurMur2Hash64Builder hash(parent);
  hash.add(index);
  return hash.get();
}

void AppendPath(InternalScopedString *out, const ScheduledThread *thread) {
  if (!thread->parent) {
    out->Append("0");
    return;
  }
  AppendPath(out, thread->parent);
  out->AppendF(".%u", thread->child_index);
}

static u64 KeyOf(const char *function, uptr length, u32 number) {
  MurMur2Hash64Builder hash(number);
  for (uptr i = 0; i < length; i++)
    hash.add(static_cast<u8>(function[i]));
  return hash.get();
}

u64 PlaceKey(const Place *place) {
  return KeyOf(place->function, internal_strlen(place->function),
               place->number);
}

// --- Writing. ----------------------------------------------------------------

void AppendPlaceName(InternalScopedString *out, const Place *place) {
  out->Append(place->function);
  if (place->number)
    out->AppendF("#%u", place->number);
}

void AppendSource(InternalScopedString *out, const char *before,
                  const Place *place) {
  if (place->line)
    out->AppendF("%s%s:%u:%u", before, StripModuleName(place->file),
                 place->line, place->column);
}

void AppendSwitch(InternalScopedString *out, const ScheduledThread *at,
                  const ScheduledThread *to) {
  const Place *place = at->stop.place;
  auto *visit = const_cast<ScheduledThread *>(at)->visits.find(place);
  out->Append("switch ");
  AppendPath(out, at);
  out->Append(" ");
  AppendPlaceName(out, place);
  out->AppendF(" %u ", visit ? visit->second : 1);
  AppendPath(out, to);
  AppendSource(out, "  # ", place);
  out->Append("\n");
}

// --- Reading. ----------------------------------------------------------------

namespace {

struct Word {
  const char *begin;
  uptr size;

  bool Is(const char *text) const {
    return internal_strlen(text) == size &&
           internal_memcmp(begin, text, size) == 0;
  }
};

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The next word of the line, empty at its end. A comment ends the line.
Word NextWord(const char **at) {
  const char *p = *at;
  while (IsSpace(*p))
    p++;
  const char *begin = p;
  if (*p != '#')
    while (*p && *p != '\n' && !IsSpace(*p))
      p++;
  *at = p;
  return {begin, static_cast<uptr>(p - begin)};
}

bool ReadNumber(const char *begin, const char *end, u32 *number) {
  u64 value = 0;
  if (begin == end)
    return false;
  for (; begin != end; begin++) {
    if (*begin < '0' || *begin > '9')
      return false;
    value = value * 10 + (*begin - '0');
    if (value > ~0u)
      return false;
  }
  *number = static_cast<u32>(value);
  return true;
}

bool ReadPath(const Word &word, u64 *path, u64 *parent = nullptr) {
  const char *p = word.begin, *end = p + word.size;
  if (p == end || *p != '0')
    return false;
  p++;
  *path = kPathOfMain;
  while (p != end) {
    if (*p != '.')
      return false;
    const char *begin = ++p;
    while (p != end && *p != '.')
      p++;
    u32 index;
    if (!ReadNumber(begin, p, &index) || !index)
      return false;
    if (parent)
      *parent = *path;
    *path = PathOfChild(*path, index);
  }
  return true;
}

bool ReadPlace(const Word &word, u64 *key) {
  if (!word.size)
    return false;
  const char *end = word.begin + word.size, *mark = end;
  while (mark != word.begin && mark[-1] != '#')
    mark--;
  u32 number = 0;
  if (mark == word.begin)
    mark = end + 1;
  else if (!ReadNumber(mark, end, &number))
    return false;
  *key = KeyOf(word.begin, mark - 1 - word.begin, number);
  return true;
}

const char *ReadPoint(const char **at, PointName *point) {
  if (!ReadPath(NextWord(at), &point->thread, &point->parent))
    return "expected a thread, such as 0.1, behind 'switch', 'order' or "
           "'before'";
  if (!ReadPlace(NextWord(at), &point->place))
    return "expected a place, such as function#3, behind the thread";
  const Word visit = NextWord(at);
  if (!ReadNumber(visit.begin, visit.begin + visit.size, &point->visit) ||
      !point->visit)
    return "expected how many times the thread has come there, 1 or more";
  return nullptr;
}

const char *ReadSwitch(const char **at, ScheduleText *schedule, u32 line) {
  if (schedule->orders.size())
    return "a schedule has either 'switch' or 'order' lines, not both";
  Switch s = {};
  s.line = line;
  if (const char *wrong = ReadPoint(at, &s.at))
    return wrong;
  if (!ReadPath(NextWord(at), &s.to))
    return "expected the thread that goes on, such as 0.2, at the end";
  schedule->switches.push_back(s);
  return nullptr;
}

const char *ReadOrder(const char **at, ScheduleText *schedule, u32 line) {
  if (schedule->switches.size())
    return "a schedule has either 'switch' or 'order' lines, not both";
  if (schedule->exploration)
    return "'order' is for whole programs, 'explore' for a part of one";
  if (schedule->orders.size() == kMostOrders)
    return "there are more than 64 'order' lines";
  Order o = {};
  o.line = line;
  if (const char *wrong = ReadPoint(at, &o.first))
    return wrong;
  if (!NextWord(at).Is("before"))
    return "expected 'before' behind the first point";
  if (const char *wrong = ReadPoint(at, &o.second))
    return wrong;
  if (o.first.thread == o.second.thread)
    return "both points are of one thread, whose order is its own";
  schedule->orders.push_back(o);
  return nullptr;
}

const char *ReadExploration(const char **at, ScheduleText *schedule) {
  if (schedule->orders.size())
    return "'order' is for whole programs, 'explore' for a part of one";
  const Word number = NextWord(at);
  if (!ReadNumber(number.begin, number.begin + number.size,
                  &schedule->exploration) ||
      !schedule->exploration)
    return "expected the number of a call of atsan::explore, 1 or more";
  return nullptr;
}

// The rest of the line; blanks in it count.
const char *ReadTest(const char **at, ScheduleText *schedule) {
  if (!schedule->exploration)
    return "'test' is for a schedule with 'explore' before it";
  if (schedule->test.length())
    return "there are two 'test' lines";
  const Word first = NextWord(at);
  if (!first.size)
    return "expected the test that the schedule is of";
  const char *end = *at;
  while (*end && *end != '\n' && *end != '\r' && *end != '#')
    end++;
  *at = end;
  while (IsSpace(end[-1]))
    end--;
  schedule->test.AppendF("%.*s", static_cast<int>(end - first.begin),
                         first.begin);
  return nullptr;
}

// Goes to the next line; returns whether nothing else is in this one.
bool EndLine(const char **at) {
  const Word rest = NextWord(at);
  if (rest.size)
    return false;
  while (**at && **at != '\n')
    ++*at;
  if (**at)
    ++*at;
  return true;
}

}  // namespace

const char *ParseSchedule(const char *text, ScheduleText *schedule, u32 *line) {
  const char *at = text;
  bool has_header = false, has_end = false;
  for (*line = 1; *at; ++*line) {
    const Word word = NextWord(&at);
    const char *wrong = nullptr;
    if (!word.size) {
      // An empty line, or a comment.
    } else if (!has_header) {
      const Word version = NextWord(&at);
      if (!word.Is(kHeader))
        return "this is no schedule: the first line is not 'atsan-schedule 1'";
      if (!version.Is("1"))
        return "a schedule of another version; make it anew";
      has_header = true;
    } else if (has_end) {
      wrong = "there is a line behind 'end'";
    } else if (word.Is("end")) {
      has_end = true;
    } else if (word.Is("switch")) {
      wrong = ReadSwitch(&at, schedule, *line);
    } else if (word.Is("order")) {
      wrong = ReadOrder(&at, schedule, *line);
    } else if (word.Is("explore")) {
      wrong = ReadExploration(&at, schedule);
    } else if (word.Is("test")) {
      wrong = ReadTest(&at, schedule);
    } else {
      wrong = "expected 'switch', 'order', 'explore', 'test' or 'end'";
    }
    if (wrong)
      return wrong;
    if (!EndLine(&at))
      return "there is something behind the end of the line";
  }
  if (!has_header)
    return "it is empty: the first line must be 'atsan-schedule 1'";
  if (!has_end)
    return "the last line is not 'end': the file was cut; make it anew, or add "
           "that line if nothing is missing";
  return nullptr;
}

}  // namespace __atsan
