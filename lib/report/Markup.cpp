//===- Markup.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Markup.h"

namespace atsan::report {

std::string escape(std::string_view Text) {
  std::string Out;
  for (char C : Text) {
    switch (C) {
    case '&':
      Out += "&amp;";
      break;
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '"':
      Out += "&quot;";
      break;
    default:
      if (static_cast<unsigned char>(C) < 0x20 && C != '\n' && C != '\t')
        Out += "\xef\xbf\xbd";
      else
        Out += C;
    }
  }
  return Out;
}

} // namespace atsan::report
