//===- child_process.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/child_process.h"
#include "tools/atsan/Command.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace atsan::tool {

std::string quotedOption(const std::string &Path, const char *Remedy) {
  for (const char Quote : {'\'', '"'})
    if (Path.find(Quote) == std::string::npos)
      return Quote + Path + Quote;
  throw InputError(Path +
                   ": a path with both kinds of quotes cannot stand in "
                   "ATSAN_OPTIONS; " +
                   Remedy);
}

namespace {

/// What a new process finds open, and which group it belongs to.
class SpawnSettings {
public:
  explicit SpawnSettings(const std::string &Output) {
    posix_spawn_file_actions_init(&Files);
    posix_spawnattr_init(&Attributes);
    if (Output.empty())
      return;
    constexpr int Flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&Files, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&Files, STDOUT_FILENO, Output.c_str(),
                                     Flags, 0600);
    posix_spawn_file_actions_adddup2(&Files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&Files);
    posix_spawnattr_destroy(&Attributes);
  }
  SpawnSettings(const SpawnSettings &) = delete;
  SpawnSettings &operator=(const SpawnSettings &) = delete;

  posix_spawn_file_actions_t Files;
  posix_spawnattr_t Attributes;
};

} // namespace

void fixAddresses() {
  constexpr unsigned long Ask = 0xffffffff;
  const int Now = personality(Ask);
  if (Now != -1)
    personality(static_cast<unsigned>(Now) | ADDR_NO_RANDOMIZE);
}

std::vector<char *> argumentsOf(const std::vector<std::string> &Command) {
  std::vector<char *> Argv;
  Argv.reserve(Command.size() + 1);
  for (const std::string &Arg : Command)
    Argv.push_back(const_cast<char *>(Arg.c_str()));
  Argv.push_back(nullptr);
  return Argv;
}

pid_t startCommand(const std::vector<std::string> &Command,
                   const std::string &Options, const std::string &Output) {
  const std::vector<char *> Argv = argumentsOf(Command);
  constexpr char Name[] = "ATSAN_OPTIONS=";
  std::string Ours = Name + Options;
  std::vector<char *> Environment = {Ours.data()};
  for (char **Variable = environ; *Variable; ++Variable)
    if (std::strncmp(*Variable, Name, sizeof(Name) - 1) != 0)
      Environment.push_back(*Variable);
  Environment.push_back(nullptr);

  const SpawnSettings Settings(Output);
  pid_t Pid;
  const int Error =
      posix_spawnp(&Pid, Argv[0], &Settings.Files, &Settings.Attributes,
                   Argv.data(), Environment.data());
  if (Error)
    throw InputError("cannot run '" + Command[0] + "' (" +
                     std::strerror(Error) +
                     "); write a program, with its arguments, after '--'");
  return Pid;
}

/// True if the process has not ended after so many seconds.
static bool isLate(pid_t Pid, double Seconds) {
  const int Handle = static_cast<int>(syscall(SYS_pidfd_open, Pid, 0));
  if (Handle < 0)
    return false; // Kernels before 5.3: without a limit.
  using std::chrono::steady_clock;
  const steady_clock::time_point Begin = steady_clock::now();
  constexpr double Longest = 1e6; // An int holds the milliseconds of 24 days.
  pollfd Wanted = {Handle, POLLIN, 0};
  double Left;
  int Ready;
  do {
    const std::chrono::duration<double> Took = steady_clock::now() - Begin;
    Left = std::clamp(Seconds - Took.count(), 0.0, Longest);
    Ready = poll(&Wanted, 1, static_cast<int>(std::ceil(Left * 1000)));
  } while ((Ready < 0 && errno == EINTR) || (Ready == 0 && Left == Longest));
  close(Handle);
  return Ready == 0;
}

RunResult waitFor(pid_t Pid, double Seconds) {
  RunResult Result;
  if (Seconds > 0 && isLate(Pid, Seconds)) {
    Result.TimedOut = true;
    // The runtime writes what it has, if it can.
    constexpr double TimeToWrite = 2;
    kill(-Pid, SIGABRT);
    if (isLate(Pid, TimeToWrite))
      kill(-Pid, SIGKILL);
  }
  int Status = 0;
  while (waitpid(Pid, &Status, 0) < 0)
    if (errno != EINTR)
      throw InputError(std::string("cannot wait for the command: ") +
                       std::strerror(errno));
  if (WIFSIGNALED(Status))
    Result.Signal = WTERMSIG(Status);
  else
    Result.ExitCode = WEXITSTATUS(Status);
  return Result;
}

} // namespace atsan::tool
