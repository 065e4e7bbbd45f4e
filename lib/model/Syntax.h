//===- Syntax.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model as it was written: the syntax tree of docs/model-language.md. Names
// are not looked up here, and types not checked (Lower.h). Plain values, which
// can be copied.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_SYNTAX_H
#define ATSAN_MODEL_SYNTAX_H

#include "lib/model/Error.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace atsan::model {

enum class Operator : uint8_t {
  Or,
  And,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Plus,
  Minus,
  Times,
  Divide,
  Modulo,
};

struct Expr {
  enum class Kind : uint8_t {
    Number, ///< Value.
    True,
    False,
    Name,    ///< Name.
    Element, ///< Name, and the index as Parts[0].
    Self,
    Cas, ///< Parts: the variable, the expected and the new value.
    Not,
    Negate,
    Binary,
    Choose,      ///< Any value: of a condition, or of what is assigned to.
    ChooseRange, ///< A value from Parts[0] to Parts[1].
    Call,        ///< Name, with the arguments Parts.
  };

  Kind Is = Kind::Number;
  Operator Op = Operator::Or; ///< For Binary: Parts[0] Op Parts[1].
  Position At;
  int64_t Value = 0;
  std::string Name;
  std::vector<Expr> Parts;
};

/// A type: bool, or int with its smallest and largest value.
struct Type {
  bool IsBool = false;
  std::optional<std::vector<Expr>> Range; ///< Two expressions; none: plain int.
  Position At;
};

/// What kind of memory a variable is.
enum class Storage : uint8_t {
  Data, ///< Accesses are atomic steps, and make conflicts.
  Sync, ///< Accesses are atomic steps without conflicts, like those of a lock.
  Safe, ///< A safe register (Lamport): a read during a write returns anything.
  Regular, ///< A regular one: such a read returns the old or the new value.
};

/// One name of a declaration of variables or locks.
struct Item {
  std::string Name;
  Position At;
  std::vector<Expr> Size;    ///< One expression for an array.
  std::vector<Expr> Initial; ///< None: 0, false or the smallest value.
  bool HasList = false;      ///< Was Initial written as {a, b, c}?
};

struct Declaration {
  Storage Is = Storage::Data;
  bool SaysAtomic = false; ///< Was the word `atomic` there?
  Type Of;
  std::vector<Item> Items;
};

/// A comment with its marks, such as "// why".
struct Comment {
  std::string Text;
  bool BlankBefore = false; ///< Is there an empty line before it?
};

/// Comments around a declaration or statement, which printing keeps.
struct Comments {
  std::vector<Comment> Before;
  std::string Behind; ///< At the end of its last line.
  bool BlankBefore = false;
};

struct Stmt;

/// Statements between braces, or between begin and end.
struct Block {
  std::vector<Stmt> Body;
  std::vector<Comment> Last; ///< Comments before the end.
  Position End;
};

struct Stmt {
  enum class Kind : uint8_t {
    Block,   ///< Blocks[0].
    Declare, ///< Declared.
    Assign,  ///< Parts[0] := Parts[1].
    Do,      ///< Parts[0], a call or a cas whose result is not used.
    If,      ///< Parts[0]; Blocks[0], and Blocks[1] if there is an else.
    While,   ///< Parts[0]; Blocks[0].
    Choose,  ///< One of Blocks.
    Region,  ///< Blocks[0] is meant to be atomic.
    Step,    ///< Blocks[0] happens as one step.
    Acquire, ///< Parts[0].
    Release, ///< Parts[0].
    Assume,  ///< Parts[0].
    Assert,  ///< Parts[0].
    Skip,
    Break,
    Continue,
    Return, ///< Parts may have the result.
    Restart,
    Operation, ///< Name.Method(Parts) with Blocks[0].
  };

  Kind Is = Kind::Skip;
  Position At;
  Comments Around;
  std::vector<Expr> Parts;
  std::vector<Block> Blocks;
  Declaration Declared;
  std::string Name;      ///< A region's or a register's; may be empty.
  std::string Method;    ///< For Operation: "read" or "write".
  bool HasBegin = false; ///< Was a region written as begin .. end?
};

struct Parameter {
  Type Of;
  std::string Name;
  Position At;
};

/// One declaration of a model.
struct Top {
  enum class Kind : uint8_t {
    Constant, ///< Vars.Items[0].
    Variable, ///< Vars.
    Lock,     ///< Vars.Items.
    Register, ///< Vars: what operations implement.
    Procedure,
    Thread,
  };

  Kind Is = Kind::Variable;
  Position At;
  Comments Around;
  Declaration Vars;
  std::string Name; ///< A procedure's or a thread's.
  std::vector<Parameter> Parameters;
  std::optional<Type> Result; ///< None: the procedure returns nothing.
  std::vector<Expr> Count;    ///< None: one thread.
  bool IsAnyNumber = false;   ///< thread T[*].
  Block Body;
};

struct Model {
  std::vector<Top> Tops;
  std::vector<Comment> Last; ///< Comments at the end.
};

} // namespace atsan::model

#endif // ATSAN_MODEL_SYNTAX_H
