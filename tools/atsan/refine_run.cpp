//===- refine_run.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/refine_run.h"
#include "lib/report/LogReader.h"
#include "tools/atsan/Command.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <sys/file.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace atsan::tool {

// --- Reports. ----------------------------------------------------------------

ReportDirectory::ReportDirectory(const std::string &List)
    : Path(List + ".reports") {
  std::error_code Error;
  fs::create_directory(Path, Error);
  Lock = open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (Lock < 0)
    throw InputError(Path + ": reports cannot be kept there (" +
                     std::strerror(errno) +
                     "); name another list by --exclude");
  if (flock(Lock, LOCK_EX | LOCK_NB) != 0) {
    close(Lock);
    throw InputError(List + ": another atsan refine works on this list; wait "
                            "for it, or name another one by --exclude");
  }
}

ReportDirectory::~ReportDirectory() {
  std::error_code Error;
  fs::remove(Path, Error); // Only removes an empty folder.
  close(Lock);
}

report::Logs ReportDirectory::read() const {
  report::Logs Logs;
  report::readLogs(Path, Logs);
  for (const std::string &Problem : Logs.Problems)
    std::cerr << "atsan refine: warning: " << Problem << '\n';
  return Logs;
}

void ReportDirectory::clear() {
  std::vector<fs::path> Files;
  for (const fs::directory_entry &Entry : fs::directory_iterator(Path))
    Files.push_back(Entry.path());
  for (const fs::path &File : Files)
    fs::remove(File);
}

// --- Running. ----------------------------------------------------------------

static constexpr char kRemedy[] = "name another list by --exclude";

static std::string optionsFor(const ReportDirectory &Reports,
                              const std::string &List) {
  const char *Given = getenv("ATSAN_OPTIONS");
  std::string Options = Given ? Given : "";
  if (Options.find("exclude_regions=") != std::string::npos)
    throw InputError("ATSAN_OPTIONS has exclude_regions=; name this list by "
                     "--exclude instead");
  // Later options win. One run is to find as much as it can.
  return Options +
         ":halt_on_error=0:max_reports=0:report_format=json"
         ":log_path=" +
         quotedOption(Reports.path() + "/report", kRemedy) +
         ":exclude_regions=" + quotedOption(List, kRemedy);
}

static volatile std::sig_atomic_t Interrupted;
static volatile pid_t Child;

static void onSignal(int Signal) {
  Interrupted = Signal;
  if (Child > 0)
    kill(Child, Signal);
}

namespace {
/// While this lives, signals that end a program go to the child, and we go on
/// to save what there is.
class PassSignalsOn {
public:
  PassSignalsOn() {
    struct sigaction Action = {};
    Action.sa_handler = onSignal;
    for (size_t I = 0; I < Count; ++I)
      sigaction(Signals[I], &Action, &Old[I]);
  }
  ~PassSignalsOn() {
    for (size_t I = 0; I < Count; ++I)
      sigaction(Signals[I], &Old[I], nullptr);
  }

private:
  static constexpr int Signals[] = {SIGINT, SIGTERM, SIGHUP};
  static constexpr size_t Count = std::size(Signals);
  struct sigaction Old[Count];
};
} // namespace

RunResult runCommand(const std::vector<std::string> &Command,
                     const ReportDirectory &Reports, const std::string &List) {
  const std::string Options = optionsFor(Reports, List);
  Interrupted = 0;
  const PassSignalsOn Passing;
  Child = startCommand(Command, Options);
  RunResult Result = waitFor(Child);
  Child = 0;
  Result.Interrupted = Interrupted;
  return Result;
}

} // namespace atsan::tool
