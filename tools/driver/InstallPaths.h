//===- InstallPaths.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the parts of AtomicitySanitizer lie, relative to the running driver.
// The build tree and every install prefix have the same layout, so nothing but
// the location of the driver itself is needed, and a moved prefix keeps
// working.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_DRIVER_INSTALLPATHS_H
#define ATSAN_TOOLS_DRIVER_INSTALLPATHS_H

#include <string>

namespace atsan::driver {

struct InstallPaths {
  std::string Plugin;         ///< The pass plugin, loaded by compile steps.
  std::string FrontendPlugin; ///< Loaded by them, too.
  std::string StaticRuntime;  ///< Linked whole into executables.
  std::string ExportList;     ///< Symbols that such an executable must export.
  std::string SharedRuntime;  ///< Used instead with -shared-libsan.
  std::string LibDir;         ///< Directory of all of the above.
  std::string IncludeDir;     ///< The folder with sanitizer/atsan_interface.h.
};

/// The layout below the directory that holds the driver binary.
InstallPaths getInstallPaths(const std::string &DriverBinary);

/// The driver binary with symbolic links resolved.
std::string getDriverBinary(const char *Argv0);

} // namespace atsan::driver

#endif
