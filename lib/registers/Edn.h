//===- Edn.h ----------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// EDN (github.com/edn-format/edn), as far as histories need it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_EDN_H
#define ATSAN_REGISTERS_EDN_H

#include "lib/registers/Lines.h"

namespace atsan::registers {

struct Edn {
  enum Type : uint8_t { Atom, String, Sequence, Map };
  Type Is = Atom;
  std::string Text; ///< What an atom (":read", "5", "nil") or a string says.
  std::vector<Edn> Items; ///< A map has keys and values in turn.

  /// The value behind a key of a map; null: there is none.
  const Edn *find(std::string_view Key) const;
};

/// Reads one form after the other. Throws FormatError.
class EdnParser {
public:
  explicit EdnParser(Lines &From) : From(From) {}

  /// The next map at the top, or within a sequence there; false at the end.
  /// Line is that where it begins.
  bool nextMap(Edn &Out, uint64_t &Line);

private:
  static constexpr unsigned Deepest = 64;

  bool skipBlanks(); ///< False at the end.
  char peek() const { return Rest[0]; }
  void take() { Rest.remove_prefix(1); }
  Edn form(unsigned Depth);
  void items(char Close, unsigned Depth, std::vector<Edn> &Out);
  std::string string();
  std::string atom();

  Lines &From;
  std::string_view Rest; ///< What is left of the line.
  std::string Open;      ///< The brackets at the top that are open.
};

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_EDN_H
