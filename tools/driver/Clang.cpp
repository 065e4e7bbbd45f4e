//===- Clang.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uses exec, so that exit code, signals, standard streams and job control are
// clang's own and nothing is left to clean up.
//
//===----------------------------------------------------------------------===//

#include "tools/driver/Clang.h"
#include "tools/driver/Compat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace atsan::driver {

static constexpr StringLiteral C = "clang";
static constexpr StringLiteral CXX = "clang++";
/// The plugins are loaded by the clang of the LLVM that they are built for.
static constexpr StringLiteral kNeededClang = ATSAN_NEEDED_CLANG;

/// clang-19 <-> clang++-19 in the same directory, as its diagnostics start with
/// the name of the program. Empty if there is none.
static std::string siblingFor(StringRef Path, Language Lang) {
  StringRef Name = sys::path::filename(Path);
  size_t At = Name.rfind(C);
  if (At == StringRef::npos)
    return "";
  bool IsCXX = Name.substr(At).starts_with(CXX);
  if (IsCXX == (Lang == Language::CPlusPlus))
    return Path.str();

  StringRef Rest = Name.substr(At + (IsCXX ? CXX.size() : C.size()));
  SmallString<256> Sibling = sys::path::parent_path(Path);
  sys::path::append(Sibling, Name.take_front(At) + (IsCXX ? C : CXX) + Rest);
  return sys::fs::can_execute(Sibling) ? std::string(Sibling) : "";
}

bool findClang(StringRef Override, Language Lang, Clang &Result,
               std::string &Error) {
  const bool Overridden = !Override.empty();
  StringRef Wanted = Overridden ? Override : StringRef(ATSAN_DEFAULT_CLANG);
  std::string Found = Wanted.str();
  if (!Wanted.contains('/')) {
    ErrorOr<std::string> InPath = sys::findProgramByName(Wanted);
    Found = InPath ? *InPath : std::string();
  }
  if (Found.empty() || !sys::fs::can_execute(Found)) {
    Error = ("cannot execute clang '" + Wanted + "'" +
             (Overridden ? " (from the environment variable ATSAN_CLANG)"
                         : " (fixed when AtomicitySanitizer was built)") +
             "; install " + kNeededClang + ", or set ATSAN_CLANG to its path")
                .str();
    return false;
  }
  if (sys::fs::equivalent(Found, "/proc/self/exe")) {
    Error = ("clang '" + Wanted + "' is this driver itself and would start " +
             "itself for ever; set ATSAN_CLANG to the path of " + kNeededClang)
                .str();
    return false;
  }
  Result.Path = siblingFor(Found, Lang);
  if (Result.Path.empty()) {
    Result.Path = Found;
    Result.ModeArg =
        Lang == Language::CPlusPlus ? "--driver-mode=g++" : "--driver-mode=gcc";
  }
  return true;
}

std::string clangRuntimeDir(const Clang &Compiler, const opt::ArgList &Args) {
  SmallString<256> Dir;
  if (const opt::Arg *A = Args.getLastArg(options::OPT_resource_dir,
                                          options::OPT_resource_dir_EQ)) {
    Dir = A->getValue();
  } else {
    SmallString<256> Real;
    if (sys::fs::real_path(Compiler.Path, Real))
      Real = Compiler.Path;
    Dir = resourcesPath(Real);
  }
  sys::path::append(Dir, "lib", "linux");
  return std::string(Dir);
}

static void quoteForResponseFile(std::string &Out, StringRef Arg) {
  Out += '"';
  for (char Ch : Arg) {
    if (Ch == '"' || Ch == '\\')
      Out += '\\';
    Out += Ch;
  }
  Out += "\"\n";
}

/// Response files were expanded to be parsed, so the result may be too long for
/// exec. An anonymous file vanishes by itself with the last process using it.
static int makeResponseFile(ArrayRef<std::string> Arguments) {
  std::string Text;
  for (const std::string &Arg : Arguments)
    quoteForResponseFile(Text, Arg);
  int FD = memfd_create("atsan-clang-arguments", 0);
  for (size_t Done = 0; FD >= 0 && Done < Text.size();) {
    ssize_t Count = write(FD, Text.data() + Done, Text.size() - Done);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count < 0) {
      close(FD);
      return -1;
    }
    Done += Count;
  }
  return FD;
}

static std::string failed(const Clang &Compiler) {
  return "cannot execute clang '" + Compiler.Path + "': " + strerror(errno) +
         "; set ATSAN_CLANG to the path of " + kNeededClang.str();
}

std::string execClang(const Clang &Compiler, ArrayRef<std::string> Arguments) {
  std::string ResponseArg;
  SmallVector<StringRef, 64> Views(Arguments.begin(), Arguments.end());
  SmallVector<const char *, 64> Argv{Compiler.Path.c_str()};
  if (!Compiler.ModeArg.empty())
    Argv.push_back(Compiler.ModeArg.c_str());

  if (sys::commandLineFitsWithinSystemLimits(Compiler.Path, Views)) {
    for (const std::string &Arg : Arguments)
      Argv.push_back(Arg.c_str());
  } else {
    int FD = makeResponseFile(Arguments);
    if (FD < 0)
      return failed(Compiler);
    ResponseArg = "@/proc/self/fd/" + std::to_string(FD);
    Argv.push_back(ResponseArg.c_str());
  }
  Argv.push_back(nullptr);
  execv(Compiler.Path.c_str(), const_cast<char *const *>(Argv.data()));
  return failed(Compiler);
}

} // namespace atsan::driver
