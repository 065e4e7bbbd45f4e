//===- Compat.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's options, which are a library of their own since LLVM 22. No other
// file of the driver asks for the version.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_DRIVER_COMPAT_H
#define ATSAN_TOOLS_DRIVER_COMPAT_H

#if __has_include("clang/Options/Options.h")
#include "clang/Options/OptionUtils.h"
#include "clang/Options/Options.h"
#else
#include "clang/Driver/Driver.h"
#include "clang/Driver/Options.h"
#endif
#include <string>

namespace atsan::driver {

#if __has_include("clang/Options/Options.h")
namespace options = clang::options;
using clang::getDriverOptTable;
#else
namespace options = clang::driver::options;
using clang::driver::getDriverOptTable;
#endif

/// Where the clang of this path has its headers and run-time libraries.
inline std::string resourcesPath(llvm::StringRef Clang) {
#if __has_include("clang/Options/Options.h")
  return clang::GetResourcesPath(Clang);
#else
  return clang::driver::Driver::GetResourcesPath(Clang);
#endif
}

} // namespace atsan::driver

#endif // ATSAN_TOOLS_DRIVER_COMPAT_H
