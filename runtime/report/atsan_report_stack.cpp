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
#include "lib/base/FrameKind.h"
#include "runtime/report/atsan_report.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

static atsan_frames::Frame FrameOf(const AddressInfo &info) {
  return {info.function, info.file, info.module};
}

static bool IsOfRuntime(const AddressInfo &info) {
  return atsan_frames::IsOfRuntime(FrameOf(info));
}

static bool IsOfLibrary(const AddressInfo &info) {
  return atsan_frames::IsOfLibrary(FrameOf(info));
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
    if (!IsOfRuntime(frame->info) &&
        !atsan_frames::StartsThreadOrProcess(FrameOf(frame->info)))
      last_kept = frame;
  if (!last_kept)
    return stack;
  if (last_kept->next) {
    last_kept->next->ClearAll();
    last_kept->next = nullptr;
  }
  while (IsOfRuntime(stack->info) &&
         !(atsan_frames::IsInterceptor(FrameOf(stack->info)) &&
           !IsOfRuntime(stack->next->info)))
    stack = DropFront(stack);
  return stack;
}

// --- Readable names. ---------------------------------------------------------

// Calls within the library tell nothing of the program: of such frames in a
// row, the outermost is the function that the program called.
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

char *ShortenName(char *name) {
  if (!name || internal_strlen(name) <= atsan_frames::kLongName)
    return name;
  InternalScopedString shorter;
  if (!atsan_frames::WithoutTemplateArguments(
          name, [&](char c) { shorter.AppendF("%c", c); }))
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

// A body of a function (pass/schedule/ScheduledBodies.cpp) has the function's
// name: findings are known again by it.
static void NameAsInSource(char *function) {
  if (!function)
    return;
  constexpr const char *kSuffixes[] = {" (.atsan_scheduled)",
                                       ".atsan_scheduled", " (.atsan_usual)",
                                       ".atsan_usual"};
  for (const char *suffix : kSuffixes)
    if (char *found = const_cast<char *>(internal_strstr(function, suffix)))
      *found = '\0';
  RemoveAbiTags(function);
}

void RemoveAbiTags(char *name) {
  constexpr char kTag[] = "[abi:";
  while (char *tag = const_cast<char *>(internal_strstr(name, kTag))) {
    const char *end = internal_strchr(tag, ']');
    if (!end)
      return;
    internal_memmove(tag, end + 1, internal_strlen(end + 1) + 1);
  }
}

// Whether the address is of what the kernel names in brackets, such as the
// stack: a walk that lost its way in code without frame pointers took data for
// a return address. llvm-symbolizer would look for a file of this name.
static bool IsStray(uptr pc) {
  const char *module;
  uptr offset;
  return Symbolizer::GetOrInit()->GetModuleNameAndOffsetForPC(pc, &module,
                                                              &offset) &&
         module[0] == '[' && internal_strcmp(module, "[vdso]");
}

SymbolizedStack *SymbolizeStack(const StackTrace &trace) {
  SymbolizedStack *first = nullptr;
  SymbolizedStack **end = &first;
  for (u32 i = 0; i < trace.size; i++) {
    // Return addresses, and PCs of hooks, are one past the call.
    uptr pc = StackTrace::GetPreviousInstructionPc(trace.trace[i]);
    if (i && IsStray(pc))
      break;
    *end = Symbolizer::GetOrInit()->SymbolizePC(pc);
    for (; *end; end = &(*end)->next)
      NameAsInSource((*end)->info.function);
  }
  return first ? MakeReadable(Strip(first)) : nullptr;
}

const SymbolizedStack *FromUserFrame(const SymbolizedStack *stack) {
  const SymbolizedStack *user = SkipInternalFrames(stack);
  while (user && IsOfLibrary(user->info))
    user = SkipInternalFrames(user->next);
  return user;
}

const AddressInfo *UserFrame(const SymbolizedStack *stack) {
  const SymbolizedStack *user = FromUserFrame(stack);
  return user ? &user->info : stack ? &stack->info : nullptr;
}

}  // namespace __atsan
