//===-- atsan_cxx_streams.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input from streams that is in the C++ library: what libstdc++ has as explicit
// specializations for char and wchar_t, and the facet that reads numbers. They
// take characters out of the stream's buffer, which is the program's. Where the
// buffer is filled anew, virtual functions of the stream do it, which are
// instrumented.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_cxx_library.h"
#include "runtime/memory/atsan_library_memory.h"

using namespace __atsan;

namespace {

// The beginning of both libraries' std::basic_streambuf, as far as it is alike.
// libc++ has a locale in front.
struct GetArea {
  char *begin;
  char *next;
  char *end;
};
enum class Library { kStdcxx, kLibcxx };
GetArea *GetAreaOf(void *streambuf, Library library) {
  return reinterpret_cast<GetArea *>(static_cast<char *>(streambuf) +
                                     (library == Library::kLibcxx ? 16 : 8));
}

// libstdc++'s std::basic_istream: a count behind the virtual table, and
// std::basic_ios, which that table says the place of.
struct Ios {
  void *vtable;
  sptr precision;
  sptr width;
  u32 flags;
  u32 exceptions;
  u32 state;
};
constexpr uptr kStreambufInIos = 232;

class Istream {
 public:
  explicit Istream(void *stream) : at_(static_cast<char *>(stream)) {}
  sptr *Count() const { return reinterpret_cast<sptr *>(at_ + 8); }
  Ios *State() const {
    const sptr *vtable = *reinterpret_cast<sptr **>(at_);
    return reinterpret_cast<Ios *>(at_ + vtable[-3]);
  }
  void *Streambuf() const {
    return *reinterpret_cast<void **>(reinterpret_cast<char *>(State()) +
                                      kStreambufInIos);
  }

 private:
  char *at_;
};

// Records what a call takes from a buffer, from before the call until behind
// it.
class Input {
 public:
  Input(const AccessRecorder &recorder, void *streambuf, Library library)
      : recorder_(recorder),
        area_(streambuf ? GetAreaOf(streambuf, library) : nullptr),
        before_(area_ ? *area_ : GetArea{}) {
    recorder.ReadObject(area_);
  }
  ~Input() {
    if (!area_)
      return;
    GetArea now = *area_;
    // If the buffer is not the same, it was filled anew.
    const bool same = now.begin == before_.begin && now.end == before_.end &&
                      now.next >= before_.next;
    const char *from = same ? before_.next : now.begin;
    // A character that ends the input is read, but stays in the buffer.
    const bool looked = now.next < now.end;
    recorder_.Read(from, now.next - from + looked);
    if (now.next != before_.next)
      recorder_.WriteObject(&area_->next);
  }

 private:
  const AccessRecorder &recorder_;
  GetArea *area_;
  GetArea before_;
};

// The stream's own state.
class StateOf {
 public:
  StateOf(const AccessRecorder &recorder, const Istream &stream, bool formatted)
      : recorder_(recorder), stream_(stream), formatted_(formatted) {
    recorder.ReadObject(&stream.State()->state);
    before_ = stream.State()->state;
    if (formatted)
      recorder.ReadObject(&stream.State()->width);
    else
      recorder.WriteObject(stream.Count());
  }
  ~StateOf() {
    Ios *state = stream_.State();
    if (state->state != before_)
      recorder_.WriteObject(&state->state);
    if (formatted_)
      recorder_.WriteObject(&state->width);
  }

 private:
  const AccessRecorder &recorder_;
  Istream stream_;
  bool formatted_;
  u32 before_;
};

// libstdc++'s std::string, and of other characters, with the new ABI.
struct String {
  char *data;
  uptr size;
  uptr capacity;  // The capacity, or characters of a short string.
};

class Output {
 public:
  Output(const AccessRecorder &recorder, String *string, uptr char_size)
      : recorder_(recorder),
        string_(string),
        char_size_(char_size),
        data_(string->data) {
    recorder.ReadObject(&string->data);
  }
  ~Output() {
    if (string_->data != data_) {
      recorder_.WriteObject(&string_->data);
      recorder_.WriteObject(&string_->capacity);
    }
    recorder_.WriteObject(&string_->size);
    recorder_.Write(string_->data, (string_->size + 1) * char_size_);
  }

 private:
  const AccessRecorder &recorder_;
  String *string_;
  uptr char_size_;
  const char *data_;
};

// An iterator, in two registers.
struct Iterator {
  uptr streambuf;
  uptr character;
};

}  // namespace

#define ATSAN_CXX_INPUT(stream, formatted)             \
  StateOf state(recorder, Istream(stream), formatted); \
  Input input(recorder, Istream(stream).Streambuf(), Library::kStdcxx)

// std::getline, of a string.
ATSAN_CXX(void *, getline, void *(*real)(void *, String *, uptr),
          uptr char_size, void *stream, String *string, uptr delimiter) {
  ATSAN_CXX_ENTER(stream, string, delimiter);
  ATSAN_CXX_INPUT(stream, false);
  Output output(recorder, string, char_size);
  return real(stream, string, delimiter);
}

// >> of a string.
ATSAN_CXX(void *, get_word, void *(*real)(void *, String *), void *stream,
          String *string) {
  ATSAN_CXX_ENTER(stream, string);
  ATSAN_CXX_INPUT(stream, true);
  Output output(recorder, string, 1);
  return real(stream, string);
}

// std::istream::getline, of an array: so many characters were taken from the
// stream, the delimiter among them, which a zero stands for.
ATSAN_CXX(void *, getline_array, void *(*real)(void *, char *, sptr, uptr),
          uptr char_size, void *stream, char *to, sptr size, uptr delimiter) {
  ATSAN_CXX_ENTER(stream, to, size, delimiter);
  ATSAN_CXX_INPUT(stream, false);
  void *res = real(stream, to, size, delimiter);
  uptr length = 0;
  for (uptr zeros = 0; size > 0; length++) {
    zeros = 0;
    while (zeros < char_size && !to[length * char_size + zeros])
      zeros++;
    if (zeros == char_size)
      break;
  }
  if (size > 0)
    recorder.Write(to, (length + 1) * char_size);
  return res;
}

// >> of an array of char.
ATSAN_CXX(void, get_word_array, void (*real)(void *, char *, sptr),
          void *stream, char *to, sptr size) {
  ATSAN_CXX_ENTER(stream, to, size);
  ATSAN_CXX_INPUT(stream, true);
  real(stream, to, size);
  if (size > 0)
    recorder.WriteString(to);
}

// std::istream::ignore with or without a delimiter.
ATSAN_CXX(void *, ignore, void *(*real)(void *, sptr, uptr), void *stream,
          sptr size, uptr delimiter) {
  ATSAN_CXX_ENTER(stream, size, delimiter);
  ATSAN_CXX_INPUT(stream, false);
  return real(stream, size, delimiter);
}

// std::num_get::get. The number is written in any case, since C++11.
ATSAN_CXX(Iterator, get_number,
          Iterator (*real)(void *, void *, uptr, uptr, uptr, void *, void *,
                           void *),
          uptr size, void *facet, void *streambuf, uptr character, uptr end,
          uptr end_character, void *ios, void *error, void *number) {
  ATSAN_CXX_ENTER(facet, streambuf, character, end, end_character, ios, error,
                  number);
  Input input(recorder, streambuf, Library::kStdcxx);
  Iterator res =
      real(facet, streambuf, character, end, end_character, ios, error, number);
  recorder.Write(number, size);
  return res;
}

// The iterators are one register each.
ATSAN_CXX(void *, get_number_libcxx,
          void *(*real)(void *, void *, void *, void *, void *, void *),
          uptr size, void *facet, void *streambuf, void *end, void *ios,
          void *error, void *number) {
  ATSAN_CXX_ENTER(facet, streambuf, end, ios, error, number);
  Input input(recorder, streambuf, Library::kLibcxx);
  void *res = real(facet, streambuf, end, ios, error, number);
  recorder.Write(number, size);
  return res;
}

// The standard streams may get buffers of their own here.
ATSAN_CXX(bool, sync_with_stdio, bool (*real)(bool), bool sync) {
  bool res = real(sync);
  LibraryMemoryOfStreams();
  return res;
}
