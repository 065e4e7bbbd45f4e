//===-- atsan_log.h ---------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file that run-time option log_path names. sanitizer_common opens it when
// there is something to write, and ends the program if it cannot: a correct
// program would not reach its end. So we open it first, or take stderr.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LOG_H
#define ATSAN_LOG_H

namespace __atsan {

// Makes log_path absolute, whatever directory the program changes to, and the
// directories in it. What cannot be written to ends the program now: its
// reports would be lost when they are needed.
void LogPathInit();

// The log is open while one of these lives; there is one around whatever is
// printed after the start. Says why, if what follows goes to stderr instead.
class ScopedLog {
 public:
  ScopedLog();
  ~ScopedLog();
  ScopedLog(const ScopedLog &) = delete;
  ScopedLog &operator=(const ScopedLog &) = delete;

  // Whether the log is a file, and not a standard stream.
  bool IsFile() const;
};

// Writes one record, in one piece: a line is whole or missing, whatever ends
// the process, and processes with one stderr do not mix theirs. What the file
// does not take goes to stderr.
void LogWrite(const char *record);

}  // namespace __atsan

#endif  // ATSAN_LOG_H
