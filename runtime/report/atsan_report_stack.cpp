//===-- atsan_report_stack.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symbolizes call stacks and cuts off what says nothing to the user: frames of
// this runtime on top, frames that start a thread or the process below.
//
//===----------------------------------------------------------------------===//
#include "atsan_report.h"
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
  while (IsOfRuntime(stack->info))
    stack = DropFront(stack);
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
  return first ? Strip(first) : nullptr;
}

}  // namespace __atsan
