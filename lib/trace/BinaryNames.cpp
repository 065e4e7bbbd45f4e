//===- BinaryNames.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/BinaryNames.h"
#include "lib/trace/BuildId.h"
#include "lib/trace/EventText.h"
#include "lib/trace/ReadableStack.h"
#include <algorithm>
#include <cstdio>

namespace atsan::trace {

using namespace binary;

// --- Reading. ----------------------------------------------------------------

static bool takeBytes(const uint8_t *&In, const uint8_t *End, size_t Most,
                      std::string &Bytes) {
  uint64_t Size;
  if (!takeNumber(In, End, &Size) || Size > Most ||
      Size > static_cast<size_t>(End - In))
    return false;
  Bytes.assign(reinterpret_cast<const char *>(In), Size);
  In += Size;
  return true;
}

/// Takes a text for people: what would move their terminal's cursor, or look
/// like a line of ours, becomes a question mark.
static bool takeText(const uint8_t *&In, const uint8_t *End,
                     std::string &Text) {
  if (!takeBytes(In, End, MaxTextSize, Text))
    return false;
  for (char &C : Text)
    if (static_cast<unsigned char>(C) < ' ' || C == 0x7f)
      C = '?';
  return true;
}

const uint8_t *BinaryNames::read(uint8_t Tag, const uint8_t *In,
                                 const uint8_t *End) {
  switch (Tag) {
  case NameTag:
    return readName(In, End);
  case ModuleTag:
    return readModule(In, End);
  case LocationTag:
    return readLocation(In, End);
  default:
    return nullptr;
  }
}

const uint8_t *BinaryNames::readName(const uint8_t *In, const uint8_t *End) {
  uint64_t Number;
  std::string Text;
  if (In == End || *In >= NumNameKinds)
    return nullptr;
  const uint8_t Of = *In++;
  if (!takeNumber(In, End, &Number) || !takeText(In, End, Text))
    return nullptr;
  Texts[Of][Number] = std::move(Text);
  return In;
}

const uint8_t *BinaryNames::readModule(const uint8_t *In, const uint8_t *End) {
  Module M;
  uint64_t Size, BiasFromBegin;
  if (!takeNumber(In, End, &M.Begin) || !takeNumber(In, End, &Size) ||
      !takeNumber(In, End, &BiasFromBegin) || !takeText(In, End, M.Path) ||
      !takeBytes(In, End, MaxBuildIdSize, M.BuildId))
    return nullptr;
  M.End = M.Begin + Size;
  M.Bias = M.Begin - unzigzag(BiasFromBegin);
  Modules.push_back(std::move(M));
  return In;
}

// Looks at the newest module first: where a library was, another one may be
// later.
uint32_t BinaryNames::moduleAt(uint64_t Address) const {
  for (size_t I = Modules.size(); I-- > 0;)
    if (Address >= Modules[I].Begin && Address < Modules[I].End)
      return static_cast<uint32_t>(I);
  return NoModule;
}

const uint8_t *BinaryNames::readLocation(const uint8_t *In,
                                         const uint8_t *End) {
  uint64_t Number;
  if (!takeNumber(In, End, &Number) || Number > UINT32_MAX || In == End)
    return nullptr;
  std::vector<Code> Stack(*In++);
  uint64_t Address = 0;
  for (Code &C : Stack) {
    uint64_t Difference;
    if (!takeNumber(In, End, &Difference))
      return nullptr;
    Address += unzigzag(Difference);
    C = {Address, moduleAt(Address)};
  }
  Locations[static_cast<uint32_t>(Number)] = std::move(Stack);
  return In;
}

// --- Asking. -----------------------------------------------------------------

const std::string *BinaryNames::find(NameOf Of, uint64_t Number) const {
  const auto &Map = Texts[static_cast<unsigned>(Of)];
  const auto It = Map.find(Number);
  return It == Map.end() ? nullptr : &It->second;
}

const std::vector<BinaryNames::Code> *
BinaryNames::code(uint32_t Location) const {
  const auto It = Locations.find(Location);
  return It == Locations.end() ? nullptr : &It->second;
}

std::string BinaryNames::thread(uint32_t Thread) const {
  const std::string *Text = find(NameOf::Thread, Thread);
  return Text ? *Text : "T" + std::to_string(Thread);
}

/// A name that was recorded, or that of a global variable, which survives a
/// run; else the address.
std::string BinaryNames::nameOf(NameOf Of, uint64_t Address) const {
  if (const std::string *Text = find(Of, Address))
    return *Text;
  const auto [I, IsNew] = Globals.try_emplace(Address);
  if (!IsNew)
    return I->second;
  const uint32_t In = moduleAt(Address);
  if (In != NoModule && isAsTraced(Modules[In]))
    I->second = Symbols.variable(Modules[In].Path, Address - Modules[In].Bias);
  if (I->second.empty())
    I->second = hexText(Address);
  return I->second;
}

std::string BinaryNames::variable(uint64_t Address) const {
  return nameOf(NameOf::Variable, Address);
}

std::string BinaryNames::lock(uint64_t Address) const {
  return nameOf(NameOf::Lock, Address);
}

std::string BinaryNames::region(uint64_t Name) const {
  const std::string *Text = find(NameOf::Region, Name);
  return Text ? *Text : std::string();
}

/// Is the module's file what was traced? If not, says so once.
bool BinaryNames::isAsTraced(const Module &M) const {
  const auto [I, IsNew] = AsTraced.try_emplace({M.Path, M.BuildId}, true);
  if (!IsNew)
    return I->second;
  const std::optional<std::string> Id = buildIdOf(M.Path);
  // Without an id nobody can tell.
  I->second = Id && (M.BuildId.empty() || *Id == M.BuildId);
  if (!I->second && M.Path[0] == '/')
    std::fprintf(stderr,
                 "atsan: warning: %s %s: its places are shown as addresses. "
                 "Record the trace again, or put the file back\n",
                 M.Path.c_str(),
                 Id ? "is another build than the one that was traced"
                    : "was traced, and cannot be read now");
  return I->second;
}

std::vector<Frame> BinaryNames::stack(uint32_t Location) const {
  std::vector<Frame> Result;
  const std::vector<Code> *Recorded = code(Location);
  if (!Recorded)
    return Result;
  for (const Code &C : *Recorded) {
    if (C.Module == NoModule) {
      Frame Unknown;
      Unknown.Offset = C.Address;
      Result.push_back(Unknown);
      continue;
    }
    const Module &M = Modules[C.Module];
    // The instruction before the return address.
    const uint64_t Offset = C.Address - M.Bias - 1;
    if (isAsTraced(M)) {
      for (Frame &F : Symbols.frames(M.Path, Offset))
        Result.push_back(std::move(F));
    } else {
      Frame NotKnown;
      NotKnown.Module = M.Path;
      NotKnown.Offset = Offset;
      Result.push_back(NotKnown);
    }
  }
  makeReadable(Result);
  return Result;
}

/// A function of libc that the program called.
static bool isInterceptor(const Frame &F) {
  return F.File.compare(0, 13, "/compiler-rt/") == 0;
}

std::string BinaryNames::location(uint32_t Location) const {
  if (!Location) // The location is not known.
    return std::string();
  if (const std::string *Text = find(NameOf::Location, Location))
    return *Text;
  std::string &Short = ShortLocations[Location];
  if (!Short.empty())
    return Short;
  const std::vector<Frame> Stack = stack(Location);
  // A call of a library is shown at its caller.
  auto Top = std::find_if(Stack.begin(), Stack.end(), isOfProgram);
  if (Top == Stack.end())
    Top = std::find_if_not(Stack.begin(), Stack.end(), isInterceptor);
  Short = Top == Stack.end() ? std::to_string(Location) : shortPlace(*Top);
  return Short;
}

} // namespace atsan::trace
