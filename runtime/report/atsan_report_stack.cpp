//===-- atsan_report_stack.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symbolizes call stacks and cuts off what says nothing to the user: frames of
// this runtime on top (but for the function of libc in which it was called),
// frames that start a thread or the process below.
//
//===----------------------------------------------------------------------===//
#include "atsan_report.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

static bool Contains(const char *string, const char *part) {
  return string && internal_strstr(string, part);
}

static bool StartsWith(const char *string, const char *prefix) {
  return string &&
         internal_strncmp(string, prefix, internal_strlen(prefix)) == 0;
}

// The build maps the sources of the runtime to this path; the shared runtime
// may come without debug information.
static bool IsOfRuntime(const AddressInfo &frame) {
  return Contains(frame.file, "/compiler-rt/lib/") ||
         Contains(frame.module, "clang_rt.") ||
         StartsWith(frame.function, "__atsan::") ||
         StartsWith(frame.function, "__atsan_") ||
         Contains(frame.file, "/sanitizer/atsan.hpp");
}

// A function of libc that the program called.
static bool IsInterceptor(const AddressInfo &frame) {
  // By either of its names, as the symbolizer likes.
  return StartsWith(frame.function, "__interceptor_") ||
         StartsWith(frame.function, "___interceptor_");
}

static bool StartsThreadOrProcess(const AddressInfo &frame) {
  static const char *const kFunctions[] = {
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
    if (frame.function && !internal_strcmp(frame.function, function))
      return true;
  // What std::thread puts between the user's function and the thread's start.
  if (Contains(frame.function, "std::thread::_State_impl") ||
      Contains(frame.function, "std::thread::_Invoker") ||
      Contains(frame.function, "std::__invoke"))
    return true;
  // The names of local functions of libc are in its debug package only.
  const char *module = frame.module ? StripModuleName(frame.module) : nullptr;
  return StartsWith(module, "libc.so") ||
         (!frame.function && StartsWith(module, "libstdc++.so"));
}

static SymbolizedStack *DropFront(SymbolizedStack *stack) {
  SymbolizedStack *rest = stack->next;
  stack->next = nullptr;
  stack->ClearAll();
  return rest;
}

// Nothing is cut from a stack of which nothing would be left.
static SymbolizedStack *Strip(SymbolizedStack *stack) {
  SymbolizedStack *last_kept = nullptr;
  for (SymbolizedStack *frame = stack; frame; frame = frame->next)
    if (!IsOfRuntime(frame->info) && !StartsThreadOrProcess(frame->info))
      last_kept = frame;
  if (!last_kept)
    return stack;
  if (last_kept->next) {
    last_kept->next->ClearAll();
    last_kept->next = nullptr;
  }
  while (IsOfRuntime(stack->info) &&
         !(IsInterceptor(stack->info) && !IsOfRuntime(stack->next->info)))
    stack = DropFront(stack);
  return stack;
}

// --- Readable names. ---------------------------------------------------------

// Code of the C++ library's headers, or of the library itself.
static bool IsOfLibrary(const AddressInfo &frame) {
  return Contains(frame.file, "/include/c++/") ||
         Contains(frame.file, "/c++/v1/") ||
         StartsWith(frame.function, "__gthread_") ||  // How it takes locks.
         StartsWith(frame.function, "std::");
}

// What the library calls within itself tells nothing of the program: of such
// frames in a row, the outermost is the function that the program called.
static SymbolizedStack *CollapseLibrary(SymbolizedStack *stack) {
  while (stack->next && IsOfLibrary(stack->info) &&
         IsOfLibrary(stack->next->info))
    stack = DropFront(stack);
  for (SymbolizedStack *f = stack; f->next;) {
    SymbolizedStack *inner = f->next;
    if (inner->next && IsOfLibrary(inner->info) &&
        IsOfLibrary(inner->next->info))
      f->next = DropFront(inner);
    else
      f = inner;
  }
  return stack;
}

constexpr uptr kLongName = 100;

static bool IsNameCharacter(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

// The end of the operator that begins at `c`, or `c`: brackets in its name open
// and close nothing.
static const char *SkipOperator(const char *name, const char *c) {
  constexpr char kOperator[] = "operator";
  if (!StartsWith(c, kOperator) || (c != name && IsNameCharacter(c[-1])))
    return c;
  c += sizeof(kOperator) - 1;
  static const char *const kTokens[] = {
      "<<=", "<=>", "<=", ">>=", ">>", ">=", ">", "->*", "->",
  };
  for (const char *token : kTokens)
    if (StartsWith(c, token))
      return c + internal_strlen(token);
  // "<<(" and "<<<A>" are of operator<<, but "<<A>" of operator<.
  if (StartsWith(c, "<<") && !IsNameCharacter(c[2]))
    return c + 2;
  return *c == '<' ? c + 1 : c;
}

char *ShortenName(char *name) {
  if (!name || internal_strlen(name) <= kLongName)
    return name;
  InternalScopedString shorter;
  int depth = 0;
  for (const char *c = name; *c;) {
    for (const char *end = SkipOperator(name, c); c < end; c++)
      if (!depth)
        shorter.AppendF("%c", *c);
    if (!*c)
      break;
    if (*c == '>' && --depth == 0)
      shorter.Append("...");
    if (!depth)
      shorter.AppendF("%c", *c);
    if (*c == '<')
      depth++;
    c++;
  }
  if (depth)  // Not what we take for a name.
    return name;
  InternalFree(name);
  return internal_strdup(shorter.data());
}

// Unless verbosity=1 asks for everything.
static SymbolizedStack *MakeReadable(SymbolizedStack *stack) {
  if (common_flags()->verbosity)
    return stack;
  stack = CollapseLibrary(stack);
  for (SymbolizedStack *f = stack; f; f = f->next)
    f->info.function = ShortenName(f->info.function);
  return stack;
}

SymbolizedStack *SymbolizeStack(const StackTrace &trace) {
  SymbolizedStack *first = nullptr;
  SymbolizedStack **end = &first;
  for (u32 i = 0; i < trace.size; i++) {
    // Return addresses, and PCs of hooks, are one past the call.
    uptr pc = StackTrace::GetPreviousInstructionPc(trace.trace[i]);
    *end = Symbolizer::GetOrInit()->SymbolizePC(pc);
    while (*end)
      end = &(*end)->next;
  }
  return first ? MakeReadable(Strip(first)) : nullptr;
}

const AddressInfo *UserFrame(const SymbolizedStack *stack) {
  const SymbolizedStack *user = SkipInternalFrames(stack);
  while (user && IsOfLibrary(user->info))
    user = SkipInternalFrames(user->next);
  return user ? &user->info : stack ? &stack->info : nullptr;
}

}  // namespace __atsan
