//===- BodyLowering.h ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers the body of one thread or procedure: statements in
// StatementLowering.cpp, expressions in ExpressionLowering.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_BODYLOWERING_H
#define ATSAN_MODEL_BODYLOWERING_H

#include "lib/model/Builder.h"
#include "lib/model/Lower.h"
#include "lib/model/Symbols.h"

namespace atsan::model {

/// What the bodies of a model have in common.
struct LoweringContext {
  Program Result;
  Symbols Known;
  Calls How = Calls::Expand;
  size_t NodesLeft = MaxNodes;
  std::map<std::pair<unsigned, unsigned>, uint32_t> RegionAt;
};

class BodyLowering {
public:
  BodyLowering(LoweringContext &In, Automaton &To)
      : In(In), P(In.Result), Known(In.Known), To(To), Out(To, In.NodesLeft) {}

  /// \p Replicas: how many values `self` may have.
  void thread(const Top &T, uint32_t Replicas);
  /// Lowers a procedure on its own.
  void procedure(const Top &T);

private:
  /// A value, and its type.
  struct Typed {
    Formula What;
    bool IsBool = false;
  };

  /// What `return`, `break` and `continue` leave.
  struct Frame {
    enum class Kind : uint8_t { Procedure, Loop, Operation, Step };
    Kind Is;
    uint32_t Exit = 0;  ///< The node behind it.
    uint32_t Again = 0; ///< A loop's begin.
    size_t Regions = 0; ///< How many were open before it.
    const Top *Code = nullptr;
    uint32_t Result = 0; ///< The local for it; of an operation the register.
    bool HasResult = false;
    Range ResultOf;
    bool IsWrite = false;
  };
  static constexpr unsigned MaxCallDepth = 32;

  // Statements.
  void block(const Block &B);
  void statement(const Stmt &S);
  void declare(const Stmt &S);
  void assign(const Stmt &S);
  void assignChoice(const Stmt &S, const Expr &Choice);
  void conditional(const Stmt &S);
  void loop(const Stmt &S);
  void alternatives(const Stmt &S);
  void region(const Stmt &S);
  void step(const Stmt &S);
  void operation(const Stmt &S);
  void lockStatement(const Stmt &S);
  void testStatement(const Stmt &S);
  void jump(const Stmt &S);
  void returnFrom(const Stmt &S);
  void restart(const Stmt &S);
  void returnEdge(const Frame &F, Formula What, Position At);
  void requireOutsideStep(const Stmt &S) const;
  void endRegions(size_t Down, Position At);
  /// The innermost frame of the kind that nothing but loops lies within; null
  /// if there is none.
  const Frame *innermost(Frame::Kind Is) const;
  bool isReachable(uint32_t Node, uint32_t From) const;
  void requireResult(uint32_t From, Position End, const char *What);

  // Expressions.
  Typed expression(const Expr &E);
  Typed binary(const Expr &E);
  Typed shortCircuit(const Expr &E);
  Typed variable(const Expr &E);
  Typed cas(const Expr &E);
  Formula number(const Expr &E);
  Formula truth(const Expr &E);
  Formula ofType(const Expr &E, bool IsBool);
  Formula index(const Expr &E, const Symbol &S);
  Place place(const Expr &E, const Symbol &S);
  bool hasStep(const Expr &E) const;
  /// Goes on at one of two nodes, by a condition.
  void branch(const Expr &Condition, uint32_t IfTrue, uint32_t IfFalse);
  void branchOn(Formula F, Position At, uint32_t IfTrue, uint32_t IfFalse);
  void set(Place Target, Formula What, Position At);
  void write(Place Where, Formula What, Position At);
  Formula self(const Expr &E);

  // Calls.
  const Top &procedureOf(const Expr &Call) const;
  /// Returns what the call returns; empty if that is nothing.
  Typed call(const Expr &E);
  Typed expand(const Expr &E, const Top &Code);
  void addParameters(const Top &Code, std::vector<Typed> *Arguments,
                     Position At);
  uint32_t temporary(const Range &Of, Position At) {
    return Out.allocate("", Of, 1, At);
  }

  LoweringContext &In;
  Program &P;
  Symbols &Known;
  Automaton &To;
  Builder Out;
  std::vector<Frame> Frames;
  std::vector<uint32_t> OpenRegions;
  uint32_t Replicas = 0;
  unsigned CallDepth = 0;
  bool IsInAssume = false;
  bool IsAlone = false; ///< Is it the body of a procedure?
};

} // namespace atsan::model

#endif // ATSAN_MODEL_BODYLOWERING_H
