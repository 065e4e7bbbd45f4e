/*===- cxx.h - The C++ library for the random programs ---------------------===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared.h"

namespace {
struct Base {
  virtual int get(node *s, int c) = 0;
  virtual ~Base() = default;
};
struct Left : Base {
  int get(node *s, int c) override { return c ? s->a : 3; }
};
struct Right : Base {
  int get(node *s, int c) override { return c > 1 ? ga : s->b; }
};
struct Guard {
  Guard() { gd++; }
  ~Guard() {
    if (gc > 2)
      gd--;
  }
};
noinline int may_throw(node *s, int c) {
  if (c == 1)
    throw s->a;
  return c ? s->b : ga;
}
} // namespace
