//===- AutomaticAction.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plugin of clang that works in each compilation as soon as it is loaded, and
// sees every declaration before code generation does.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_FRONTEND_AUTOMATICACTION_H
#define ATSAN_FRONTEND_AUTOMATICACTION_H

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace atsan {

/// Its consumer is made of the compiler's instance.
template <class Consumer>
class AutomaticAction : public clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, llvm::StringRef) override {
    return std::make_unique<Consumer>(CI);
  }
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace atsan

#endif // ATSAN_FRONTEND_AUTOMATICACTION_H
