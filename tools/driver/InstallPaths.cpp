//===- InstallPaths.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place that knows the names of installed files. Does not look whether
// they exist: Conflicts.cpp does, for those that a command needs.
//
//===----------------------------------------------------------------------===//

#include "tools/driver/InstallPaths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace atsan::driver {

std::string getDriverBinary(const char *Argv0) {
  // The address only has to lie in this executable.
  static int Anchor;
  std::string Binary = sys::fs::getMainExecutable(Argv0, &Anchor);
  SmallString<256> Real;
  if (!sys::fs::real_path(Binary, Real))
    return std::string(Real);
  return Binary;
}

static std::string join(StringRef Dir, StringRef Name) {
  SmallString<256> Path(Dir);
  sys::path::append(Path, Name);
  return std::string(Path);
}

InstallPaths getInstallPaths(const std::string &DriverBinary) {
  StringRef BinDir = sys::path::parent_path(DriverBinary);
  StringRef Root = sys::path::parent_path(BinDir);

  InstallPaths Paths;
  Paths.LibDir = join(join(Root, "lib"), "atsan");
  Paths.IncludeDir = join(Root, "include");
  Paths.Plugin = join(Paths.LibDir, "AtomicitySanitizer.so");
  Paths.FrontendPlugin = join(Paths.LibDir, "AtomicitySanitizerFrontend.so");
  Paths.StaticRuntime = join(Paths.LibDir, "libclang_rt.atomicity-x86_64.a");
  Paths.ExportList = Paths.StaticRuntime + ".syms";
  Paths.SharedRuntime = join(Paths.LibDir, "libclang_rt.atomicity-x86_64.so");
  return Paths;
}

} // namespace atsan::driver
