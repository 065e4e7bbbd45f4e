//===- LiveTrace.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/LiveTrace.h"
#include <fstream>
#include <sstream>
#include <sys/stat.h>

using namespace atsan::trace;

/// Is it the process that began at StartTime, and no zombie?
static bool isRunning(const std::string &Process, uint64_t StartTime) {
  std::ifstream File(Process + "/stat");
  std::string Text;
  std::getline(File, Text);
  // "PID (NAME) STATE ...", of which the name may have anything in it.
  const size_t NameEnd = Text.rfind(')');
  if (NameEnd == Text.npos)
    return false;
  std::istringstream Fields(Text.substr(NameEnd + 1));
  std::string State, Skipped;
  Fields >> State;
  constexpr int StateField = 3, StartField = 22;
  for (int I = StateField + 1; I < StartField; ++I)
    Fields >> Skipped;
  uint64_t Began = 0;
  return Fields >> Began && Began == StartTime && State != "Z" && State != "X";
}

/// Does the process have the trace's file mapped? After an exec it lives on,
/// but does not write there any more. True where it is not to be known.
static bool hasMapped(const std::string &Process, uint64_t Inode) {
  std::ifstream Maps(Process + "/maps");
  std::string Line;
  bool Any = false;
  while (std::getline(Maps, Line)) {
    Any = true;
    std::istringstream Fields(Line);
    std::string Range, Rights, Offset, Device;
    uint64_t Mapped = 0;
    if (Fields >> Range >> Rights >> Offset >> Device >> Mapped &&
        Mapped == Inode)
      return true;
  }
  return !Any;
}

bool atsan::trace::isStillWritten(const std::string &Path, uint64_t Pid,
                                  uint64_t StartTime) {
  struct stat File;
  if (!Pid || stat(Path.c_str(), &File) != 0)
    return false;
  const std::string Process = "/proc/" + std::to_string(Pid);
  return isRunning(Process, StartTime) && hasMapped(Process, File.st_ino);
}
