//===-- atsan_format.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the conversions of a format to accesses.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_format.h"

namespace __atsan {

namespace {

constexpr int kMaxArguments = 64;

bool IsFloat(char type) { return internal_strchr("eEfFgGaA", type); }

bool IsWide(const Conversion &c) {
  return c.type == 'S' || c.type == 'C' || c.size == sizeof(long);
}

// The integers and pointers among the arguments of a call.
using Words = uptr[kMaxArguments];

// The arguments of a call. They are fetched in the order of their indices, for
// which their types must be known first.
class Arguments {
 public:
  enum Type : u8 { kWord, kDouble, kLongDouble };

  // Notes the argument of a conversion, or of a width; returns its index.
  int Add(int explicit_index, Type type) {
    int index = explicit_index >= 0 ? explicit_index : next_++;
    if (index >= kMaxArguments)
      return kMaxArguments;
    types_[index] = type;
    count_ = Max(count_, index + 1);
    return index;
  }
  static bool Has(int index) { return index < kMaxArguments; }
  void Fetch(va_list args, Words &words) const {
    for (int i = 0; i < count_; i++) {
      words[i] = 0;
      if (types_[i] == kDouble)
        va_arg(args, double);  // NOLINT(bugprone-branch-clone): other types
      else if (types_[i] == kLongDouble)
        va_arg(args, long double);
      else
        words[i] = va_arg(args, uptr);
    }
  }

 private:
  int next_ = 0;
  int count_ = 0;
  Type types_[kMaxArguments] = {};
};

bool IsArgument(const Conversion::Number &number) {
  return number.argument != Conversion::kNone;
}

// Gives the arguments of a conversion their indices.
int AddArguments(Conversion *c, Arguments *arguments) {
  if (IsArgument(c->width))
    c->width.argument = arguments->Add(c->width.argument, Arguments::kWord);
  if (IsArgument(c->precision))
    c->precision.argument =
        arguments->Add(c->precision.argument, Arguments::kWord);
  if (c->type == 'm')
    return kMaxArguments;
  Arguments::Type type = !IsFloat(c->type) ? Arguments::kWord
                         : c->size == sizeof(long double)
                             ? Arguments::kLongDouble
                             : Arguments::kDouble;
  return arguments->Add(c->argument, type);
}

uptr MaxChars(const Conversion &c, const Words &words) {
  int precision = c.precision.value;
  if (IsArgument(c.precision) && Arguments::Has(c.precision.argument))
    precision = static_cast<int>(words[c.precision.argument]);
  // A negative precision counts as none.
  return precision < 0 ? kUnbounded : precision;
}

void RecordPrinted(const AccessRecorder &recorder, const Conversion &c,
                   int index, const Words &words) {
  if (!Arguments::Has(index))
    return;
  uptr word = words[index];
  if (c.type == 'n') {
    recorder.Write(reinterpret_cast<void *>(word), c.size);
  } else if (c.type == 's' || c.type == 'S') {
    uptr max = MaxChars(c, words);
    if (IsWide(c))
      ReadString(recorder, reinterpret_cast<const wchar_t *>(word), max);
    else
      ReadString(recorder, reinterpret_cast<const char *>(word), max);
  }
}

uptr ScannedSize(const Conversion &c) {
  constexpr uptr kLongDouble = 10;  // What the processor stores of 16 bytes.
  if (c.allocated || c.type == 'p')
    return sizeof(void *);
  if (c.type == 'c' || c.type == 'C')
    return (c.width.value > 0 ? c.width.value : 1) *
           (IsWide(c) ? sizeof(wchar_t) : 1);
  if (IsFloat(c.type))
    return c.size == sizeof(int)           ? sizeof(float)
           : c.size == sizeof(long double) ? kLongDouble
                                           : c.size;
  return c.size == sizeof(long double) ? sizeof(long long) : c.size;
}

void RecordScanned(const AccessRecorder &recorder, const Conversion &c,
                   void *target) {
  bool is_string = c.type == 's' || c.type == 'S' || c.type == '[';
  if (!is_string || c.allocated)
    recorder.Write(target, ScannedSize(c));
  else if (IsWide(c))
    WriteString(recorder, static_cast<const wchar_t *>(target));
  else
    WriteString(recorder, static_cast<const char *>(target));
}

}  // namespace

// Goes through the format twice: widths and numbered arguments may come in any
// order before or after what they belong to.
template <class Char>
void RecordPrintf(const AccessRecorder &recorder, const Char *format,
                  va_list args) {
  ReadString(recorder, format);
  Arguments arguments;
  Conversion c;
  for (FormatParser<Char> parser(format, false); parser.Next(&c);)
    AddArguments(&c, &arguments);
  Words words;
  arguments.Fetch(args, words);
  Arguments again;
  for (FormatParser<Char> parser(format, false); parser.Next(&c);) {
    int index = AddArguments(&c, &again);
    RecordPrinted(recorder, c, index, words);
  }
}

// Assignments come in the order of the conversions; %n does not count as one.
template <class Char>
void RecordScanf(const AccessRecorder &recorder, const Char *format,
                 va_list args, int number) {
  ReadString(recorder, format);
  Arguments arguments;
  Conversion c;
  for (FormatParser<Char> parser(format, true); parser.Next(&c);)
    if (!c.suppressed)
      arguments.Add(c.argument, Arguments::kWord);
  Words words;
  arguments.Fetch(args, words);
  Arguments again;
  for (FormatParser<Char> parser(format, true); parser.Next(&c);) {
    if (c.suppressed)
      continue;
    int index = again.Add(c.argument, Arguments::kWord);
    if (c.type != 'n' && number-- <= 0)
      return;
    if (Arguments::Has(index))
      RecordScanned(recorder, c, reinterpret_cast<void *>(words[index]));
  }
}

template void RecordPrintf(const AccessRecorder &, const char *, va_list);
template void RecordPrintf(const AccessRecorder &, const wchar_t *, va_list);
template void RecordScanf(const AccessRecorder &, const char *, va_list, int);
template void RecordScanf(const AccessRecorder &, const wchar_t *, va_list,
                          int);

}  // namespace __atsan
