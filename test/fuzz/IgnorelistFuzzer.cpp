//===- IgnorelistFuzzer.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's parser of ignorelists, as pass/selection/Ignorelist.cpp uses it: each
// text is a list that can be asked, or there is a message.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SpecialCaseList.h"
#include <stdlib.h>

using namespace llvm;

/// LLVM's library does not tell libFuzzer which of its code an input reaches:
/// so bytes stand for what lists are made of, as far as there are words for
/// them.
static std::string listOf(const unsigned char *Data, size_t Size) {
  static constexpr StringLiteral Words[] = {
      "\n", "fun:",       "src:",  "mainfile:", "[atomicity]\n",
      "[",  "]",          "*",     "{a,b}",     "#!special-case-list-v1\n",
      "=",  "{",          "}",     "\\",        "(",
      ")",  "|",          "^",     "-",         "_Z4bankv",
      ".",  "[thread]\n", "[a-z]", "#",         " "};
  std::string List;
  for (size_t I = 0; I < Size; ++I)
    if (Data[I] < std::size(Words))
      List += Words[Data[I]];
    else
      List += static_cast<char>(Data[I]);
  return List;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  const std::string Input = listOf(data, size);
  std::unique_ptr<MemoryBuffer> Text = MemoryBuffer::getMemBufferCopy(Input);
  std::string Error;
  std::unique_ptr<SpecialCaseList> List =
      SpecialCaseList::create(Text.get(), Error);
  if (!List == Error.empty())
    abort();
  for (StringRef Kind : {"fun", "src", "mainfile"})
    for (StringRef Name :
         {StringRef(""), StringRef("_Z4bankv"), StringRef(Input)})
      if (List)
        List->inSection("atomicity", Kind, Name);
  return 0;
}
