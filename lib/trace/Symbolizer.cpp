//===- Symbolizer.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/Symbolizer.h"
#include <cstdlib>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef ATSAN_DEFAULT_SYMBOLIZER
#error "Define ATSAN_DEFAULT_SYMBOLIZER: the path of llvm-symbolizer"
#endif

namespace atsan::trace {

static constexpr char Environment[] = "ATSAN_SYMBOLIZER_PATH";

/// The program to start. A name without a slash is looked for in PATH.
static std::string program() {
  if (const char *Path = std::getenv(Environment))
    return Path;
  return access(ATSAN_DEFAULT_SYMBOLIZER, X_OK) == 0 ? ATSAN_DEFAULT_SYMBOLIZER
                                                     : "llvm-symbolizer";
}

bool Symbolizer::start() {
  if (Started)
    return Socket >= 0;
  Started = true;
  int Ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends))
    return false;
  const std::string Path = program();
  std::string Words[] = {Path, "--output-style=LLVM"};
  char *Arguments[] = {Words[0].data(), Words[1].data(), nullptr};
  posix_spawn_file_actions_t Files;
  posix_spawn_file_actions_init(&Files);
  posix_spawn_file_actions_adddup2(&Files, Ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&Files, Ends[1], STDOUT_FILENO);
  const bool Runs = posix_spawnp(&Child, Path.c_str(), &Files, nullptr,
                                 Arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&Files);
  close(Ends[1]);
  if (Runs) {
    Socket = Ends[0];
    return true;
  }
  close(Ends[0]);
  std::fprintf(stderr,
               "atsan: warning: %s cannot be run: locations are shown as "
               "addresses in files. Install llvm-symbolizer, or set %s to its "
               "path\n",
               Path.c_str(), Environment);
  return false;
}

void Symbolizer::stop() {
  if (Socket < 0)
    return;
  close(Socket);
  Socket = -1;
  waitpid(Child, nullptr, 0);
}

Symbolizer::~Symbolizer() { stop(); }

bool Symbolizer::ask(const std::string &Question) {
  size_t Sent = 0;
  while (Sent < Question.size()) {
    const ssize_t N = send(Socket, Question.data() + Sent,
                           Question.size() - Sent, MSG_NOSIGNAL);
    if (N <= 0)
      return false;
    Sent += static_cast<size_t>(N);
  }
  return true;
}

bool Symbolizer::readLine(std::string &Line) {
  size_t End;
  while ((End = Answer.find('\n')) == std::string::npos) {
    char Buffer[4096];
    const ssize_t N = recv(Socket, Buffer, sizeof(Buffer), 0);
    if (N <= 0)
      return false;
    Answer.append(Buffer, static_cast<size_t>(N));
  }
  Line = Answer.substr(0, End);
  Answer.erase(0, End + 1);
  return true;
}

/// Reads "file:line:column", where the file may have colons.
static void parsePlace(const std::string &Text, Frame &F) {
  const size_t Column = Text.rfind(':');
  const size_t Line = Column ? Text.rfind(':', Column - 1) : Column;
  if (Column == std::string::npos || Line == std::string::npos)
    return;
  if (Text.compare(0, Line, "??") == 0)
    return;
  F.File = Text.substr(0, Line);
  F.Line = static_cast<unsigned>(std::strtoul(&Text[Line + 1], nullptr, 10));
  F.Column =
      static_cast<unsigned>(std::strtoul(&Text[Column + 1], nullptr, 10));
}

/// Asks about a place in a file; false: no answer will come.
bool Symbolizer::askAbout(const char *What, const std::string &Module,
                          uint64_t Offset) {
  if (Module.find_first_of("\"\n") != std::string::npos || !start())
    return false;
  char Hex[20];
  std::snprintf(Hex, sizeof(Hex), "0x%llx",
                static_cast<unsigned long long>(Offset));
  return ask(std::string(What) + " \"" + Module + "\" " + Hex + "\n");
}

std::string Symbolizer::variable(const std::string &Module, uint64_t Offset) {
  if (!askAbout("DATA", Module, Offset))
    return "";
  // The answer is a name, its first byte and size, and more, up to an empty
  // line.
  std::string Name, Extent, More;
  bool Good = readLine(Name) && readLine(Extent);
  while (Good && (Good = readLine(More)) && !More.empty())
    ;
  if (!Good) {
    stop();
    return "";
  }
  char *End = nullptr;
  const uint64_t First = std::strtoull(Extent.c_str(), &End, 10);
  const uint64_t Size = std::strtoull(End, nullptr, 10);
  if (Name == "??" || Offset < First || Offset - First >= Size)
    return "";
  char Behind[24] = "";
  if (Offset != First)
    std::snprintf(Behind, sizeof(Behind), "+0x%llx",
                  static_cast<unsigned long long>(Offset - First));
  return Name + Behind;
}

std::vector<Frame> Symbolizer::frames(const std::string &Module,
                                      uint64_t Offset) {
  std::vector<Frame> Result;
  Frame F;
  F.Module = Module;
  F.Offset = Offset;
  if (askAbout("CODE", Module, Offset)) {
    bool Good = true;
    std::string Function, Place;
    // The answer is pairs of lines, then an empty one.
    while (Good && (Good = readLine(Function)) && !Function.empty() &&
           (Good = readLine(Place))) {
      Frame One = F;
      if (Function != "??")
        One.Function = Function;
      parsePlace(Place, One);
      Result.push_back(One);
    }
    if (!Good)
      stop();
  }
  if (Result.empty())
    Result.push_back(F);
  return Result;
}

} // namespace atsan::trace
