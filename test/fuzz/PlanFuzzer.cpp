//===- PlanFuzzer.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of generated tests, whatever is in them: each is refused, or is a test
// that is written and read again as it was.
//
//===----------------------------------------------------------------------===//

#include "include/sanitizer/atsan_linearizable_plan.hpp"

#include <stdlib.h>

using namespace atsan::detail;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  static const std::vector<operation_shape> shapes = {
      {"push", {0}, 0}, {"pop", {}, 1}, {"put if", {2, 0}, 2}};
  const std::string text(reinterpret_cast<const char *>(data), size);
  plan first, again;
  if (!read_plan(text, shapes, first))
    return 0;
  const std::string written = write_plan(first, shapes);
  if (!read_plan(written, shapes, again) ||
      write_plan(again, shapes) != written || first.parts.size() < 3)
    abort();
  return 0;
}
