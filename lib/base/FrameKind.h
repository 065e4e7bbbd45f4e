//===- FrameKind.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which frames of a stack tell something of the program, and how a long name is
// shortened. The reports of a running program and of `atsan check` share it, so
// it uses no library of either, allocates nothing and prints nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_BASE_FRAMEKIND_H
#define ATSAN_BASE_FRAMEKIND_H

namespace atsan_frames {

// A frame of a stack. What is not known is null.
struct Frame {
  const char *function;
  const char *file;
  const char *module;
};

// A null string contains nothing and begins with nothing.
inline bool StartsWith(const char *string, const char *prefix) {
  if (!string)
    return false;
  while (*prefix)
    if (*string++ != *prefix++)
      return false;
  return true;
}

inline bool Equals(const char *string, const char *other) {
  while (*string && *string == *other)
    string++, other++;
  return *string == *other;
}

inline bool Contains(const char *string, const char *part) {
  for (; string && *string; string++)
    if (StartsWith(string, part))
      return true;
  return false;
}

inline const char *BaseName(const char *path) {
  const char *base = path;
  for (const char *c = path; c && *c; c++)
    if (*c == '/')
      base = c + 1;
  return base;
}

// Is the frame a function of libc that the program called?
inline bool IsInterceptor(const Frame &frame) {
  // The symbolizer gives either of its names.
  return StartsWith(frame.function, "__interceptor_") ||
         StartsWith(frame.function, "___interceptor_");
}

// Is the frame code of the runtime? The build maps its sources to this path;
// where there is no debug information, names that nobody else may use tell it.
inline bool IsOfRuntime(const Frame &frame) {
  return Contains(frame.file, "/compiler-rt/lib/") ||
         Contains(frame.module, "clang_rt.") ||
         StartsWith(frame.function, "__atsan::") ||
         StartsWith(frame.function, "__atsan_") ||
         Contains(frame.function, "atsan::detail::") ||
         Contains(frame.function, "int atsan::linearizable<") ||
         StartsWith(frame.function, "__sanitizer::") ||
         StartsWith(frame.function, "__interception::") ||
         IsInterceptor(frame) || Contains(frame.file, "/sanitizer/atsan.hpp") ||
         Contains(frame.file, "/sanitizer/atsan_history.hpp") ||
         Contains(frame.file, "/sanitizer/atsan_linearizable");
}

inline bool StartsThreadOrProcess(const Frame &frame) {
  constexpr const char *kFunctions[] = {
      "_start",
      "__libc_start_main",
      "__libc_start_call_main",
      "start_thread",
      "clone",
      "clone3",
      "__clone",
      "__clone3",
      "execute_native_thread_routine",
  };
  for (const char *function : kFunctions)
    if (frame.function && Equals(frame.function, function))
      return true;
  // What std::thread puts between the user's function and the thread's start.
  if (Contains(frame.function, "std::thread::_State_impl") ||
      Contains(frame.function, "std::thread::_Invoker") ||
      Contains(frame.function, "std::__invoke"))
    return true;
  // The names of local functions of libc are in its debug package only.
  const char *module = BaseName(frame.module);
  return StartsWith(module, "libc.so") ||
         (!frame.function && StartsWith(module, "libstdc++.so"));
}

// Is the frame code of the C++ library's headers, or of the library itself?
inline bool IsOfLibrary(const Frame &frame) {
  return Contains(frame.file, "/include/c++/") ||
         Contains(frame.file, "/c++/v1/") ||
         // How the library takes locks.
         StartsWith(frame.function, "__gthread_") ||
         StartsWith(frame.function, "std::");
}

constexpr unsigned long kLongName = 100;

inline bool IsNameCharacter(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

// The end of the operator that begins at `c`, or `c`: brackets in its name open
// and close nothing.
inline const char *SkipOperator(const char *name, const char *c) {
  constexpr char kOperator[] = "operator";
  if (!StartsWith(c, kOperator) || (c != name && IsNameCharacter(c[-1])))
    return c;
  c += sizeof(kOperator) - 1;
  constexpr const char *kTokens[] = {
      "<<=", "<=>", "<=", ">>=", ">>", ">=", ">", "->*", "->",
  };
  for (const char *token : kTokens) {
    unsigned long length = 0;
    while (token[length])
      length++;
    if (StartsWith(c, token))
      return c + length;
  }
  // "<<(" and "<<<A>" are of operator<<, but "<<A>" of operator<.
  if (StartsWith(c, "<<") && !IsNameCharacter(c[2]))
    return c + 2;
  return *c == '<' ? c + 1 : c;
}

// Gives `append` the characters of the name with "<...>" for the arguments of
// templates. False: its brackets do not match, so that it is not what we take
// for a name.
template <class Append>
bool WithoutTemplateArguments(const char *name, Append append) {
  int depth = 0;
  for (const char *c = name; *c;) {
    for (const char *end = SkipOperator(name, c); c < end; c++)
      if (!depth)
        append(*c);
    if (!*c)
      break;
    if (*c == '>' && --depth == 0)
      append('.'), append('.'), append('.');
    if (!depth)
      append(*c);
    if (*c == '<')
      depth++;
    c++;
  }
  return depth == 0;
}

} // namespace atsan_frames

#endif // ATSAN_BASE_FRAMEKIND_H
