//===- ReadableStack.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/ReadableStack.h"
#include "lib/base/FrameKind.h"
#include "lib/trace/EventText.h"
#include <algorithm>

using namespace atsan::trace;

static atsan_frames::Frame frameKindOf(const Frame &F) {
  const auto OrNull = [](const std::string &S) {
    return S.empty() ? nullptr : S.c_str();
  };
  return {OrNull(F.Function), OrNull(F.File), OrNull(F.Module)};
}

static bool isOfRuntime(const Frame &F) {
  return atsan_frames::IsOfRuntime(frameKindOf(F));
}

static bool isOfLibrary(const Frame &F) {
  return atsan_frames::IsOfLibrary(frameKindOf(F));
}

bool atsan::trace::isOfProgram(const Frame &F) {
  return !isOfLibrary(F) && !isOfRuntime(F);
}

static void shorten(std::string &Name) {
  if (Name.size() <= atsan_frames::kLongName)
    return;
  std::string Shorter;
  if (atsan_frames::WithoutTemplateArguments(Name.c_str(),
                                             [&](char C) { Shorter += C; }))
    Name = Shorter;
}

void atsan::trace::makeReadable(std::vector<Frame> &Stack) {
  const auto LastKept =
      std::find_if(Stack.rbegin(), Stack.rend(), [](const Frame &F) {
        return !isOfRuntime(F) &&
               !atsan_frames::StartsThreadOrProcess(frameKindOf(F));
      });
  if (LastKept == Stack.rend())
    return;
  Stack.erase(LastKept.base(), Stack.end());
  // A function of libc that the program called stays.
  const auto IsInner = [&](size_t I) {
    return isOfRuntime(Stack[I]) &&
           !(atsan_frames::IsInterceptor(frameKindOf(Stack[I])) &&
             !isOfRuntime(Stack[I + 1]));
  };
  size_t Inner = 0;
  while (IsInner(Inner))
    ++Inner;
  Stack.erase(Stack.begin(), Stack.begin() + static_cast<ptrdiff_t>(Inner));
  // Keep the outermost of several frames of the library in a row.
  size_t Kept = 0;
  for (size_t I = 0; I < Stack.size(); ++I) {
    const bool IsCalledByLibrary = I + 1 < Stack.size() &&
                                   isOfLibrary(Stack[I]) &&
                                   isOfLibrary(Stack[I + 1]);
    if (IsCalledByLibrary)
      continue;
    if (Kept != I)
      Stack[Kept] = std::move(Stack[I]);
    shorten(Stack[Kept++].Function);
  }
  Stack.resize(Kept);
}

static std::string baseName(const std::string &Path) {
  return Path.substr(Path.rfind('/') + 1);
}

std::string atsan::trace::shortPlace(const Frame &F) {
  if (!F.File.empty())
    return baseName(F.File) + ":" + std::to_string(F.Line);
  return F.Module.empty() ? hexText(F.Offset)
                          : baseName(F.Module) + "+" + hexText(F.Offset);
}
