//===-- log_rotation.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line is written into a log that is being rotated: closed, and not yet open
// again.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Log {
public:
  void write() {
    Region R("write");
#ifdef FIXED
    std::lock_guard<std::mutex> Guard(Lock);
    if (File)
      ++File->Lines;
#else
    if (isOpen())
      append();
#endif
  }
  void rotate() {
    Region R("rotate");
#ifdef FIXED
    std::lock_guard<std::mutex> Guard(Lock);
    File.reset();
    File = std::make_unique<Text>();
#else
    close();
    open();
#endif
  }

private:
  struct Text {
    int Lines = 0;
  };
  bool isOpen() {
    std::lock_guard<std::mutex> Guard(Lock);
    return File != nullptr;
  }
  void append() {
    std::lock_guard<std::mutex> Guard(Lock);
    assert(File);
    ++File->Lines;
  }
  void close() {
    std::lock_guard<std::mutex> Guard(Lock);
    File.reset();
  }
  void open() {
    std::lock_guard<std::mutex> Guard(Lock);
    File = std::make_unique<Text>();
  }

  std::mutex Lock;
  std::unique_ptr<Text> File = std::make_unique<Text>();
};

} // namespace

void test() {
  Log L;
  inParallel(
      [&] {
        L.write();
        L.write();
      },
      [&] { L.rotate(); });
}
