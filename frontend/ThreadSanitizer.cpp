//===- ThreadSanitizer.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -fatomicity-tsan-annotations the driver tells the front end that
// ThreadSanitizer is on, since only that makes __has_feature(thread_sanitizer)
// true. Its instrumentation must not follow. Clang asks again whether it is on
// when the whole source has been read and code generation's passes are chosen:
// here it is off.
//
//===----------------------------------------------------------------------===//

#include "frontend/AutomaticAction.h"

using namespace clang;

namespace {

/// What is precompiled keeps that it is on, or would not fit to who uses it. A
/// module that is compiled on the way has the action of who imports it.
bool generatesCode(const FrontendOptions &Options) {
  if (Options.BuildingImplicitModule)
    return false;
  switch (Options.ProgramAction) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitObj:
    return true;
  default:
    return false;
  }
}

class WithoutThreadSanitizer : public ASTConsumer {
public:
  explicit WithoutThreadSanitizer(CompilerInstance &CI) : CI(CI) {}

  void HandleTranslationUnit(ASTContext &) override {
    if (generatesCode(CI.getFrontendOpts()))
      CI.getLangOpts().Sanitize.set(SanitizerKind::Thread, false);
  }

private:
  CompilerInstance &CI;
};

FrontendPluginRegistry::Add<atsan::AutomaticAction<WithoutThreadSanitizer>>
    Registered("atsan-thread-sanitizer",
               "instrument nothing for ThreadSanitizer");

} // namespace
