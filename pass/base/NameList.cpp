//===- NameList.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/base/NameList.h"

#include "lib/base/NamePattern.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace atsan {

static atsan_names::Text textOf(StringRef S) { return {S.begin(), S.end()}; }

void NameList::add(LLVMContext &C, StringRef Option, StringRef File) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(File);
  if (!Buffer) {
    C.emitError("cannot read '" + File + "', which " + Option +
                " names: " + Buffer.getError().message());
    return;
  }
  atsan_names::Lines Lines(textOf((*Buffer)->getBuffer()));
  while (Lines.Next()) {
    StringRef Pattern(Lines.pattern.begin, Lines.pattern.Size());
    if (const char *Problem = atsan_names::Problem(Lines.pattern))
      C.emitError(File + ":" + Twine(Lines.number) + ": '" + Pattern + "' " +
                  Problem);
    else
      Patterns.push_back(Pattern.str());
  }
}

bool NameList::contains(StringRef LinkageName) const {
  if (Patterns.empty())
    return false;
  const std::string Readable = demangle(LinkageName);
  for (StringRef Pattern : Patterns)
    if (atsan_names::MatchesName(textOf(Pattern), textOf(LinkageName)) ||
        atsan_names::MatchesName(textOf(Pattern), textOf(Readable)))
      return true;
  return false;
}

std::string NameList::text() const {
  std::string Text;
  for (const std::string &Pattern : Patterns)
    Text += Pattern + "\n";
  return Text;
}

} // namespace atsan
