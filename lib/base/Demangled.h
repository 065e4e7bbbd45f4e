//===- Demangled.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names as the program's source has them, for what has a C++ library.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_BASE_DEMANGLED_H
#define ATSAN_BASE_DEMANGLED_H

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string>

namespace atsan {

/// The name itself if it is no mangled one of C++. Without the prefix, any name
/// could be that of a type: "x" is "long long". Thread-safe.
inline std::string demangled(const std::string &Name) {
  if (Name.compare(0, 2, "_Z") != 0)
    return Name;
  const std::unique_ptr<char, decltype(&std::free)> Text(
      abi::__cxa_demangle(Name.c_str(), nullptr, nullptr, nullptr), std::free);
  return Text ? Text.get() : Name;
}

} // namespace atsan

#endif // ATSAN_BASE_DEMANGLED_H
