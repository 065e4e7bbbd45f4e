//===- Places.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/finding/Places.h"
#include <filesystem>

namespace fs = std::filesystem;

namespace atsan::finding {

static std::string withoutSlash(std::string Path) {
  while (Path.size() > 1 && Path.back() == '/')
    Path.pop_back();
  return Path;
}

static bool isBelow(const fs::path &Path, const std::string &Root) {
  const std::string Prefix = Root == "/" ? Root : Root + '/';
  return Path.string().compare(0, Prefix.size(), Prefix) == 0;
}

Places::Places(const std::string &SourceRoot)
    : Root(withoutSlash(fs::absolute(SourceRoot).lexically_normal().string())) {
  std::error_code Failed;
  RealRoot = withoutSlash(fs::canonical(SourceRoot, Failed).string());
}

/// The path from the root on; empty if it is not below the root.
std::string Places::relative(const std::string &Path) const {
  const fs::path Normal = fs::path(Path).lexically_normal();
  if (isBelow(Normal, Root))
    return Normal.lexically_relative(Root).string();
  // The compiler and we may have come by different symbolic links.
  std::error_code Failed;
  const fs::path Real = fs::canonical(Normal, Failed);
  if (!RealRoot.empty() && isBelow(Real, RealRoot))
    return Real.lexically_relative(RealRoot).string();
  return "";
}

bool Places::isBelowRoot(const std::string &Path) const {
  return !relative(Path).empty();
}

std::string Places::file(const std::string &Path) const {
  const std::string Relative = relative(Path);
  return Relative.empty() ? fs::path(Path).lexically_normal().string()
                          : Relative;
}

std::string Places::shortPlace(const Frame &F) const {
  if (F.File.empty())
    return '(' + fs::path(F.Module).filename().string() + '+' + F.Offset + ')';
  return file(F.File) + (F.Line ? ':' + std::to_string(F.Line) : "");
}

std::string Places::place(const Frame &F) const {
  std::string Out = shortPlace(F);
  if (F.Column)
    Out += ':' + std::to_string(F.Column);
  if (!F.Function.empty())
    Out += " in " + F.Function;
  return Out;
}

bool isOfStandardLibrary(const std::string &File) {
  return File.find("/include/c++/") != std::string::npos ||
         File.find("/c++/v1/") != std::string::npos;
}

const Frame *userFrame(const Stack &Frames) {
  for (const Frame &F : Frames)
    if (!isOfStandardLibrary(F.File))
      return &F;
  return Frames.empty() ? nullptr : &Frames.front();
}

} // namespace atsan::finding
