//===-- stringbuffer.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All pairs of methods of a synchronized string buffer; see all_pairs.h for the
// driver and its regions.
//
// Known bug: append(StringBuffer) asks the other buffer for its length first
// and for so many characters then; it may have become shorter in between.
//
//===----------------------------------------------------------------------===//

#include "all_pairs.h"

#include <algorithm>
#include <memory>
#include <string>

namespace {

class StringBuffer : public Monitor {
public:
  StringBuffer() : Capacity(16), Text(new char[16]) {}

  // What a client may rely on: letters and digits.
  bool isValid() {
    Synchronized Lock(*this);
    for (size_t I = 0; I < Count; ++I)
      if (!isalnum(static_cast<unsigned char>(Text[I])))
        return false;
    return true;
  }

  // abc...
  void refill(size_t Size) {
    Synchronized Lock(*this);
    setLength(0);
    for (size_t I = 0; I < Size; ++I)
      append(char('a' + I % 26));
  }

  size_t length() {
    Synchronized Lock(*this);
    return Count;
  }
  size_t capacity() {
    Synchronized Lock(*this);
    return Capacity;
  }
  void ensureCapacity(size_t Least) {
    Synchronized Lock(*this);
    if (Least <= Capacity)
      return;
    Capacity = std::max(Least, 2 * Capacity + 2);
    std::unique_ptr<char[]> New(new char[Capacity]);
    std::copy(&Text[0], &Text[Count], &New[0]);
    Text = std::move(New);
  }
  void setLength(size_t Length) {
    Synchronized Lock(*this);
    ensureCapacity(Length);
    for (; Count < Length; ++Count)
      Text[Count] = '0';
    Count = Length;
  }
  char charAt(size_t Index) {
    Synchronized Lock(*this);
    check(Index + 1);
    return Text[Index];
  }
  void setCharAt(size_t Index, char C) {
    Synchronized Lock(*this);
    check(Index + 1);
    Text[Index] = C;
  }
  // The characters from First to before Last.
  void getChars(size_t First, size_t Last, char *To) {
    Synchronized Lock(*this);
    check(Last);
    std::copy(&Text[First], &Text[Last], To);
  }
  void append(char C) {
    Synchronized Lock(*this);
    ensureCapacity(Count + 1);
    Text[Count++] = C;
  }
  void append(const std::string &S) {
    Synchronized Lock(*this);
    insert(Count, S);
  }
  void append(uint64_t Number) { append(std::to_string(Number)); }
  void append(StringBuffer &Other) {
    SynchronizedWith Lock(*this, Other);
    size_t Length = Other.length();
    ensureCapacity(Count + Length);
    Other.getChars(0, Length, &Text[Count]);
    Count += Length;
  }
  void insert(size_t Index, const std::string &S) {
    Synchronized Lock(*this);
    check(Index);
    ensureCapacity(Count + S.size());
    std::copy_backward(&Text[Index], &Text[Count], &Text[Count + S.size()]);
    std::copy(S.begin(), S.end(), &Text[Index]);
    Count += S.size();
  }
  void erase(size_t First, size_t Last) {
    Synchronized Lock(*this);
    check(Last);
    std::copy(&Text[Last], &Text[Count], &Text[First]);
    Count -= Last - First;
  }
  void replace(size_t First, size_t Last, const std::string &S) {
    Synchronized Lock(*this);
    erase(First, Last);
    insert(First, S);
  }
  long indexOf(const std::string &S) {
    Synchronized Lock(*this);
    auto At = std::search(&Text[0], &Text[Count], S.begin(), S.end());
    return At == &Text[Count] ? -1 : At - &Text[0];
  }
  void reverse() {
    Synchronized Lock(*this);
    std::reverse(&Text[0], &Text[Count]);
  }
  std::string substring(size_t First, size_t Last) {
    Synchronized Lock(*this);
    check(Last);
    return std::string(&Text[First], &Text[Last]);
  }
  std::string toString() {
    Synchronized Lock(*this);
    return substring(0, Count);
  }

private:
  void check(size_t End) const {
    if (End > Count)
      throw IndexOutOfBounds();
  }

  size_t Count = 0, Capacity;
  std::unique_ptr<char[]> Text;
};

} // namespace

int main(int Argc, char **Argv) {
  return runAllPairs<StringBuffer>(
      Argc, Argv,
      {
          METHOD("length", false, Self.length()),
          METHOD("capacity", false, Self.capacity()),
          METHOD("ensureCapacity", false, (Self.ensureCapacity(200), 0)),
          METHOD("setLength", false, (Self.setLength(2), 0)),
          METHOD("charAt", false, uint64_t(Self.charAt(1))),
          METHOD("setCharAt", false, (Self.setCharAt(1, 'x'), 0)),
          METHOD("append(char)", false, (Self.append('x'), 0)),
          METHOD("append(String)", false, (Self.append("some"), 0)),
          METHOD("append(number)", false, (Self.append(uint64_t(42)), 0)),
          METHOD("insert", false, (Self.insert(1, "more"), 0)),
          METHOD("delete", false, (Self.erase(0, 2), 0)),
          METHOD("replace", false, (Self.replace(0, 2, "other"), 0)),
          METHOD("indexOf", false, uint64_t(Self.indexOf("bc"))),
          METHOD("reverse", false, (Self.reverse(), 0)),
          METHOD("substring", false, Self.substring(0, 3).size()),
          METHOD("toString", false, Self.toString().size()),
          METHOD("append(StringBuffer)", true, (Self.append(Other), 0)),
      });
}
