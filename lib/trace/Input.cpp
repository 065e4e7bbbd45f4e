//===- Input.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/Input.h"
#include "lib/base/FileError.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace atsan::trace;

static std::string unreadable(const std::string &Name) {
  return atsan::cannotRead(Name, errno) + "; name another file";
}

std::unique_ptr<Input> Input::open(const std::string &Path,
                                   std::string &Error) {
  const bool IsStandard = Path == "-";
  const int File =
      IsStandard ? STDIN_FILENO : ::open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  std::unique_ptr<Input> Result(
      new Input(File, IsStandard ? "<standard input>" : Path));
  struct stat Status;
  if (File < 0 || fstat(File, &Status) != 0) {
    Error = unreadable(Result->Name);
    return nullptr;
  }
  if (S_ISREG(Status.st_mode))
    Result->Total = static_cast<uint64_t>(Status.st_size);
  Result->start();
  Result->skipMark();
  if (!Result->Error.empty()) {
    Error = Result->Error;
    return nullptr;
  }
  return Result;
}

std::unique_ptr<Input> Input::ofText(std::string Text, std::string Name) {
  std::unique_ptr<Input> Result(new Input(-1, std::move(Name)));
  Result->Total = Text.size();
  Result->Ahead = std::move(Text);
  Result->skipMark();
  return Result;
}

Input::~Input() {
  if (File > STDIN_FILENO)
    close(File);
}

size_t Input::readFile(char *To, size_t Size) {
  ssize_t Count;
  do
    Count = ::read(File, To, Size);
  while (Count < 0 && errno == EINTR);
  if (Count >= 0)
    return static_cast<size_t>(Count);
  Error = unreadable(Name);
  return 0;
}

std::string_view Input::start() {
  constexpr size_t Wanted = 4096;
  while (File >= 0 && Ahead.size() < Wanted) {
    char Buffer[Wanted];
    const size_t Count = readFile(Buffer, Wanted - Ahead.size());
    if (!Count)
      break;
    Ahead.append(Buffer, Count);
  }
  return std::string_view(Ahead).substr(Taken, Wanted);
}

/// Windows editors begin a text with a byte order mark.
void Input::skipMark() {
  constexpr std::string_view Mark = "\xef\xbb\xbf";
  if (Ahead.compare(0, Mark.size(), Mark) == 0)
    Read = Taken = Mark.size();
}

size_t Input::read(char *To, size_t Size) {
  size_t Count = std::min(Size, Ahead.size() - Taken);
  if (Count) {
    std::memcpy(To, Ahead.data() + Taken, Count);
    Taken += Count;
  } else if (File >= 0) {
    Count = readFile(To, Size);
  }
  Read += Count;
  return Count;
}
