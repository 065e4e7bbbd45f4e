//===- BuildId.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which build of a program or library a file is, by the linker's mark in it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_BUILDID_H
#define ATSAN_TRACE_BUILDID_H

#include <optional>
#include <string>

namespace atsan::trace {

/// The bytes of the build id (NT_GNU_BUILD_ID) in the notes of a 64-bit ELF
/// file; empty: it has none. None: there is no regular file that can be read;
/// pipes and devices are not waited for.
std::optional<std::string> buildIdOf(const std::string &Path);

} // namespace atsan::trace

#endif // ATSAN_TRACE_BUILDID_H
