//===-- AtomicCalls.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The names and parameters of libatomic's functions.
///
//===----------------------------------------------------------------------===//

#include "pass/accesses/AtomicCalls.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace atsan {

namespace {

/// Describes a call of NAME(size, object, ...), which takes values by address.
std::optional<AtomicCall> genericCall(const CallBase &Call, StringRef Name) {
  unsigned NumArgs = StringSwitch<unsigned>(Name)
                         .Case("load", 4)
                         .Case("store", 4)
                         .Case("exchange", 5)
                         .Case("compare_exchange", 6)
                         .Default(0);
  if (!NumArgs || Call.arg_size() != NumArgs)
    return std::nullopt;
  auto *Size = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  Value *Third = Call.getArgOperand(2), *Fourth = Call.getArgOperand(3);
  if (!Size || !Third->getType()->isPointerTy())
    return std::nullopt;
  AtomicCall C = {AtomicCall::Load, Size->getZExtValue(),
                  Call.getArgOperand(1)};
  if (Name == "load") {
    C.Out = Third;
  } else if (Name == "store") {
    C.Op = AtomicCall::Store;
    C.In = Third;
  } else if (!Fourth->getType()->isPointerTy()) {
    return std::nullopt;
  } else if (Name == "exchange") {
    C.Op = AtomicCall::Exchange;
    C.In = Third;
    C.Out = Fourth;
  } else {
    C.Op = AtomicCall::CompareExchange;
    C.Expected = Third;
    C.In = Fourth;
  }
  return C;
}

/// Describes a call of NAME_N(object, ...) for N bytes, which takes only the
/// expected value by address.
std::optional<AtomicCall> sizedCall(const CallBase &Call, StringRef Name) {
  auto [Operation, Suffix] = Name.rsplit('_');
  uint64_t Size;
  if (Suffix.getAsInteger(10, Size) || Size == 0 || Size > 16)
    return std::nullopt;
  AtomicCall C = {AtomicCall::ReadModifyWrite, Size, Call.getArgOperand(0)};
  if (Operation == "load")
    C.Op = AtomicCall::Load;
  else if (Operation == "store")
    C.Op = AtomicCall::Store;
  else if (Operation == "exchange")
    C.Op = AtomicCall::Exchange;
  else if (Operation == "compare_exchange" && Call.arg_size() == 5 &&
           Call.getArgOperand(1)->getType()->isPointerTy()) {
    C.Op = AtomicCall::CompareExchange;
    C.Expected = Call.getArgOperand(1);
  } else if (!Operation.starts_with("fetch_") &&
             !Operation.ends_with("_fetch")) {
    return std::nullopt;
  }
  return C;
}

/// Describes a call by which a stop is requested. It takes a lock as well, of
/// which the pass tells nothing (LibrarySynchronization.cpp); the flag is in
/// the same word, the second one of the state.
std::optional<AtomicCall> stopRequest(const CallBase &Call, StringRef Name) {
  if (Name != "_ZNSt10stop_token13_Stop_state_t20_M_try_lock_and_stopERj" ||
      Call.arg_size() != 2)
    return std::nullopt;
  constexpr uint64_t kWord = 4;
  AtomicCall C = {AtomicCall::CompareExchange, kWord, Call.getArgOperand(0),
                  /*Offset=*/kWord};
  C.Expected = Call.getArgOperand(1);
  return C;
}

/// Describes a call by which libstdc++ adds to an atomic floating-point number:
/// a loop that tries until it succeeds, which the source has not written. The
/// pass tells nothing of the loop (LibrarySynchronization.cpp).
std::optional<AtomicCall> floatUpdate(const CallBase &Call, StringRef Name) {
  if (!Name.starts_with("_ZNSt13__atomic_impl15__") ||
      !Name.contains("_fltI") || Call.arg_size() < 2)
    return std::nullopt;
  const Type &Number = *Call.getArgOperand(1)->getType();
  if (!Number.isFloatingPointTy())
    return std::nullopt;
  const DataLayout &DL = Call.getModule()->getDataLayout();
  return AtomicCall{AtomicCall::ReadModifyWrite,
                    DL.getTypeAllocSize(const_cast<Type *>(&Number)),
                    Call.getArgOperand(0)};
}

} // namespace

std::optional<AtomicCall> atomicCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  // No function of libatomic throws: an invoke calls another one.
  if (!Callee || !isa<CallInst>(Call) || Call.isMustTailCall())
    return std::nullopt;
  StringRef Name = Callee->getName();
  if (std::optional<AtomicCall> C = stopRequest(Call, Name))
    return C;
  if (std::optional<AtomicCall> C = floatUpdate(Call, Name))
    return C;
  if (!Name.consume_front("__atomic_") || Call.arg_size() < 2)
    return std::nullopt;
  std::optional<AtomicCall> C = genericCall(Call, Name);
  if (!C)
    C = sizedCall(Call, Name);
  if (!C || !C->Object->getType()->isPointerTy() ||
      (C->Op == AtomicCall::CompareExchange && !Call.getType()->isIntegerTy()))
    return std::nullopt;
  return C;
}

} // namespace atsan
