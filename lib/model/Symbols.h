//===- Symbols.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the names of a model stand for.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_SYMBOLS_H
#define ATSAN_MODEL_SYMBOLS_H

#include "lib/model/Program.h"
#include <map>

namespace atsan::model {

struct Symbol {
  enum class Kind : uint8_t {
    Constant, ///< Number.
    Variable, ///< Global, First and Count.
    Local,    ///< First and Count.
    Lock,     ///< First and Count.
    Register, ///< First.
    Procedure,
    Thread,
  };

  Kind Is = Kind::Constant;
  bool IsArray = false;
  uint32_t First = 0;
  uint32_t Count = 1;
  Value Number = 0;
  Range Of;
  const Top *Definition = nullptr; ///< A procedure's.
  Position At;
};

/// Names, of which inner ones hide outer ones.
class Symbols {
public:
  Symbols() { enter(); }

  void enter() { Scopes.emplace_back(); }
  void leave() { Scopes.pop_back(); }
  /// Throws ModelError if the innermost scope has the name.
  void add(const std::string &Name, const Symbol &S);
  /// Null if there is none.
  const Symbol *find(const std::string &Name) const;
  /// Throws ModelError if there is none.
  const Symbol &get(const std::string &Name, Position At) const;

  /// The value of an expression of numbers and constants.
  Value constant(const Expr &E) const;
  /// The type's range; that of `int` is lib/model/Lower.h's.
  Range range(const Type &T) const;
  /// How many elements an item has, 1 if it is no array.
  uint32_t size(const Item &I) const;
  /// The initial values of the item's elements.
  std::vector<Value> initial(const Item &I, const Range &Of) const;

  /// Takes away the scopes of a caller, all but the outermost one.
  std::vector<std::map<std::string, Symbol>> hideInner();
  void restoreInner(std::vector<std::map<std::string, Symbol>> Saved);

private:
  Value initialValue(const Expr &E, const Range &Of) const;

  std::vector<std::map<std::string, Symbol>> Scopes;
};

/// What a symbol is, for errors: "a constant".
const char *kindName(Symbol::Kind K);

} // namespace atsan::model

#endif // ATSAN_MODEL_SYMBOLS_H
