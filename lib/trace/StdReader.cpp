//===- StdReader.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A field ends at the next '|'. The ends of all fields of a line are found at
// once, so that the next line need not wait for what stands in this one. Since
// a sentinel stands behind the last byte, no step asks for the end. What a name
// may consist of is looked at when it appears for the first time; so a line
// that lacks a field, whose "name" would run into the next line, is found then.
//
//===----------------------------------------------------------------------===//

#include "lib/trace/StdReader.h"
#include "lib/trace/EventText.h"
#include <climits>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

using namespace atsan::trace;

namespace {

constexpr size_t BufferSize = size_t(1) << 17;
constexpr size_t MaxLine = 65536; // Messages say this number, too.
constexpr size_t MaxBatch = 256;
/// How many bytes stand behind the text: as many as the longest look ahead.
constexpr size_t Sentinel = 32;

const char *findBar(const char *Text) {
  constexpr uint64_t Ones = 0x0101010101010101u, Tops = Ones << 7;
  for (;; Text += 8) {
    uint64_t Word;
    std::memcpy(&Word, Text, sizeof(Word));
    Word ^= Ones * '|';
    // The lowest bit that is set is exact: that of the first zero byte.
    if (const uint64_t Found = (Word - Ones) & ~Word & Tops)
      return Text + __builtin_ctzll(Found) / 8;
  }
}

/// Says which of the next 32 bytes are C, a bit for each; 0 where this is not
/// fast.
uint32_t positions([[maybe_unused]] const char *Text, [[maybe_unused]] char C) {
#ifdef __SSE2__
  const auto *At = reinterpret_cast<const __m128i *>(Text);
  const __m128i Wanted = _mm_set1_epi8(C);
  const __m128i Low = _mm_cmpeq_epi8(_mm_loadu_si128(At), Wanted);
  const __m128i High = _mm_cmpeq_epi8(_mm_loadu_si128(At + 1), Wanted);
  return uint32_t(_mm_movemask_epi8(Low)) | uint32_t(_mm_movemask_epi8(High))
                                                << 16;
#else
  return 0;
#endif
}

struct Fields {
  const char *FirstBar;
  const char *SecondBar;
  const char *End; ///< The newline; null: it is further away.
};

Fields findFields(const char *Line) {
  const uint32_t Bars = positions(Line, '|'), Ends = positions(Line, '\n');
  const uint32_t AfterFirst = Bars & (Bars - 1);
  const char *End = Ends ? Line + __builtin_ctz(Ends) : nullptr;
  if (__builtin_expect(AfterFirst != 0, 1))
    return {Line + __builtin_ctz(Bars), Line + __builtin_ctz(AfterFirst), End};
  const char *FirstBar = findBar(Line);
  return {FirstBar, findBar(FirstBar + 1), End};
}

/// Does Text begin with these characters? Has not a branch for each.
template <size_t Size>
bool startsWith(const char *Text, const char (&With)[Size]) {
  static_assert(Size - 1 <= Sentinel, "reads beyond the sentinel");
  return !std::memcmp(Text, With, Size - 1);
}

bool isDigit(char C) { return C >= '0' && C <= '9'; }

/// The number of a word in an array of words, or None.
uint32_t wordNumber(uint64_t Address, uint64_t First, const NameTable &Table) {
  const uint64_t Number = (Address - First) / StdNames::VariableSize;
  return Address >= First && Number < Table.size() ? uint32_t(Number)
                                                   : NameTable::None;
}

} // namespace

std::string StdNames::thread(uint32_t Thread) const {
  return Thread < Threads.size() ? Threads[Thread]
                                 : "T" + std::to_string(Thread);
}

std::string StdNames::variable(uint64_t Address) const {
  const uint32_t Number = wordNumber(Address, variableAddress(0), Variables);
  return Number == NameTable::None ? hexText(Address) : Variables[Number];
}

std::string StdNames::lock(uint64_t Address) const {
  const uint32_t Number = wordNumber(Address, lockAddress(0), Locks);
  return Number == NameTable::None ? hexText(Address) : Locks[Number];
}

std::string StdNames::region(uint64_t Name) const {
  return Name - 1 < Regions.size() ? Regions[Name - 1] : std::string();
}

std::string StdNames::location(uint32_t Location) const {
  return std::to_string(static_cast<int32_t>(Location));
}

StdReader::StdReader(std::unique_ptr<Input> From, const StdOptions &O)
    : From(std::move(From)), Options(O),
      Buffer(new char[BufferSize + 1 + Sentinel]) {
  At = LinesEnd = End = Buffer.get();
  Events.resize(MaxBatch);
}

/// Reads on until there is a whole line. False: there is none.
bool StdReader::fill() {
  const size_t Rest = End - At;
  std::memmove(Buffer.get(), At, Rest);
  At = Buffer.get();
  char *Free = Buffer.get() + Rest;
  const char *Newline = nullptr;
  // A line that fits is longer than MaxLine only once more than that is read.
  while (!Newline && size_t(Free - At) <= MaxLine) {
    const size_t Count = From->read(Free, Buffer.get() + BufferSize - Free);
    if (!Count && Free != At)
      *Free = '\n'; // The last line need not have one.
    const size_t Added = Count || Free == At ? Count : 1;
    if (!Added)
      break;
    Newline = static_cast<const char *>(memrchr(Free, '\n', Added));
    Free += Added;
  }
  End = Free;
  std::memset(Free, '|', Sentinel);
  LinesEnd = Newline ? Newline + 1 : At;
  if (!From->error().empty()) {
    Damage = From->error();
    return false;
  }
  if (Newline)
    return true;
  if (End != At) {
    Line = At;
    ++LineNumber;
    refuse(At, "the line has more than 65536 bytes; is this STD text?");
  }
  return false;
}

EventSpan StdReader::next() {
  size_t Count = 0;
  while (Damage.empty() && Count < MaxBatch) {
    if (At == LinesEnd && (Count || !fill()))
      break;
    const char *P = At;
    // Parse in place: a copy would wait for the single stores of its members.
    while ((P = parseLine(P, Events[Count]))) {
      At = P;
      if (++Count == MaxBatch || P == LinesEnd)
        break;
    }
  }
  return {Events.data(), Count};
}

/// Takes the name up to ")|". The '(' stands before At.
[[gnu::always_inline]] inline const char *
StdReader::parseOperand(const char *At, const char *Bar, NameTable &Table,
                        uint32_t &Number) {
  const bool IsClosed = Bar[-1] == ')';
  const size_t Size = Bar - At - IsClosed;
  Number = Table.find(At, Size);
  if (__builtin_expect(Number == NameTable::None || !IsClosed, 0)) {
    if (!acceptName(NameOf::Operand, At, Size))
      return nullptr;
    if (!IsClosed)
      return refuse(Bar, "')' is missing before '|'");
    Number = Table.add(At, Size);
  }
  return Bar + 1;
}

/// Takes the operation and its '|', which stands at Bar.
inline const char *StdReader::parseOperation(const char *At, const char *Bar,
                                             Event &E) {
  uint32_t Number = 0;
  const bool IsWrite = startsWith(At, "w(");
  if (startsWith(At, "r(") | IsWrite) {
    E.Kind = IsWrite ? EventKind::Write : EventKind::Read;
    At = parseOperand(At + 2, Bar, Known.Variables, Number);
    E.Address = StdNames::variableAddress(Number);
    E.Size = StdNames::VariableSize;
    return At;
  }
  const bool IsRelease = startsWith(At, "rel(");
  if (startsWith(At, "acq(") | IsRelease) {
    E.Kind = IsRelease ? EventKind::Release : EventKind::Acquire;
    At = parseOperand(At + 4, Bar, Known.Locks, Number);
    E.Address = StdNames::lockAddress(Number);
    return At;
  }
  const bool IsJoin = startsWith(At, "join(");
  if (startsWith(At, "fork(") | IsJoin) {
    E.Kind = IsJoin ? EventKind::Join : EventKind::Start;
    At = parseOperand(At + 5, Bar, Known.Threads, Number);
    E.Address = Number;
    return At;
  }
  const bool IsEnd = startsWith(At, "end");
  if (startsWith(At, "begin") | IsEnd) {
    E.Kind = IsEnd ? EventKind::RegionEnd : EventKind::RegionBegin;
    const char *After = At + (IsEnd ? 3 : 5);
    if (*After == '|')
      return After + 1;
    if (startsWith(After, "()|"))
      return After + 3;
    if (*After == '(') {
      At = parseOperand(After + 1, Bar, Known.Regions, Number);
      E.Address = uint64_t(Number) + 1;
      return At;
    }
  }
  return refuse(At, "no operation stands here; there are r(x) w(x) acq(l) "
                    "rel(l) fork(T) join(T) begin end, without blanks");
}

/// Takes the location and the end of the line, which stands at End if that is
/// known. Up to 8 digits are added up at once: how many there are is hard to
/// predict.
inline const char *StdReader::parseLocation(const char *At, const char *End,
                                            uint32_t &Location) {
  constexpr uint64_t Ones = 0x0101010101010101u;
  const size_t Count = End - At;
  if (__builtin_expect(!End || Count - 1 >= 8, 0))
    return parseOddLocation(At, Location);
  uint64_t Word;
  std::memcpy(&Word, At, sizeof(Word));
  Word = (Word ^ Ones * '0') << (64 - 8 * Count); // Put zeros in front.
  if (__builtin_expect(((Word | (Word + Ones * 6)) & Ones * 0xf0) != 0, 0))
    return parseOddLocation(At, Location);
  Word = (Word * (1 + (10 << 8)) >> 8) & 0x00ff00ff00ff00ffu;
  Word = (Word * (1 + (100 << 16)) >> 16) & 0x0000ffff0000ffffu;
  Location = uint32_t(Word * (1 + (uint64_t(10000) << 32)) >> 32);
  return End + 1;
}

const char *StdReader::parseLine(const char *At, Event &E) {
  Line = At;
  ++LineNumber;
  E = Event();
  const Fields F = findFields(At);
  const size_t Size = F.FirstBar - At;
  E.Thread = Known.Threads.find(At, Size);
  if (__builtin_expect(E.Thread == NameTable::None, 0)) {
    if (!acceptName(NameOf::Thread, At, Size))
      return nullptr;
    E.Thread = Known.Threads.add(At, Size);
  }
  At = parseOperation(F.FirstBar + 1, F.SecondBar, E);
  if (At)
    At = parseLocation(At, F.End, E.Location);
  if (At && !Options.Lenient) {
    const Complaint C = Order.take(E);
    if (__builtin_expect(C != Complaint::None, 0))
      return refuse(F.FirstBar + 1, C, E);
  }
  return At;
}

/// Takes any location. RAPID's are Java's int; all 32 bits of it are the number
/// of ours.
const char *StdReader::parseOddLocation(const char *At, uint32_t &Location) {
  const char *P = At;
  const bool IsNegative = *P == '-';
  if (IsNegative || *P == '+')
    ++P;
  const char *Digits = P;
  uint64_t Value = 0;
  while (isDigit(*P) && Value <= INT_MAX)
    Value = 10 * Value + uint64_t(*P++ - '0');
  if (P == Digits)
    return refuse(P, "the location must be a number, as in T1|r(x)|17");
  if (Value > uint64_t(INT_MAX) + IsNegative)
    return refuse(At, "the location must lie in -2147483648 to 2147483647, "
                      "since RAPID has no others");
  if (*P == '\r')
    ++P;
  if (*P != '\n')
    return refuse(P, "the line must end after the location's digits, as in "
                     "T1|r(x)|17");
  Location = static_cast<uint32_t>(IsNegative ? 0 - Value : Value);
  return P + 1;
}

/// Accepts a new name, if it may be one.
const char *StdReader::acceptName(NameOf Of, const char *Text, size_t Size) {
  const bool IsThread = Of == NameOf::Thread;
  for (const char *P = Text; P != Text + Size; ++P) {
    const auto C = static_cast<unsigned char>(*P);
    const bool IsEnd = C == '\n' || (C == '\r' && P[1] == '\n');
    if (IsEnd && P == Line)
      return refuse(P, "the line is empty; delete it");
    if (IsEnd)
      return refuse(P, IsThread ? "the line ends, and operation and location "
                                  "are missing; write T1|r(x)|17"
                                : "the line ends, and ')' or the location is "
                                  "missing; write T1|r(x)|17");
    if (C == ' ' && !IsThread)
      return refuse(P, "a blank in a name; rename it");
    if (C < ' ' || C == 0x7f)
      return refuse(P, "a control character in a name; is this STD text?");
  }
  if (!Size)
    return refuse(Text, IsThread ? "the thread's name is missing before '|'"
                                 : "a name is missing in '()'");
  if (Size > MaxLine)
    return refuse(Text,
                  "the name has more than 65536 bytes; is this STD text?");
  return Text;
}

std::nullptr_t StdReader::refuse(const char *Where, const char *Why) {
  Damage = From->name() + ":" + std::to_string(LineNumber) + ":" +
           std::to_string(Where - Line + 1) + ": " + Why;
  return nullptr;
}

std::nullptr_t StdReader::refuse(const char *Where, Complaint C,
                                 const Event &E) {
  const std::string Why = describe(C, E, Known) +
                          "; no run is like that. Mend the trace, or accept it "
                          "with --lenient";
  return refuse(Where, Why.c_str());
}
