//===- PrecompiledHeader.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a header that was precompiled without the sanitizer, the marks of regions
// are empty: nothing would be checked, and nobody would notice. Clang compares
// the sanitizers that it knows; this does so for ours.
//
//===----------------------------------------------------------------------===//

#include "frontend/AutomaticAction.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"

using namespace clang;

namespace {

class SamePrecompiled : public ASTConsumer {
public:
  explicit SamePrecompiled(CompilerInstance &CI) : CI(CI) {}

  void HandleTranslationUnit(ASTContext &Context) override {
    const std::string &File = CI.getPreprocessorOpts().ImplicitPCHInclude;
    if (File.empty() || isDefinedThere(Context.getSourceManager()))
      return;
    DiagnosticsEngine &Diags = CI.getDiagnostics();
    Diags.Report(Diags.getCustomDiagID(
        DiagnosticsEngine::Error,
        "'%0' was precompiled without -fsanitize=atomicity, so that the marks "
        "in "
        "it mean nothing; precompile it with the same options"))
        << File;
  }

private:
  /// Whether the driver's definition was there when the header was compiled.
  bool isDefinedThere(const SourceManager &Sources) const {
    Preprocessor &PP = CI.getPreprocessor();
    const MacroInfo *Macro =
        PP.getMacroInfo(PP.getIdentifierInfo("__SANITIZE_ATOMICITY__"));
    return !Macro || Sources.isLoadedSourceLocation(Macro->getDefinitionLoc());
  }

  CompilerInstance &CI;
};

FrontendPluginRegistry::Add<atsan::AutomaticAction<SamePrecompiled>>
    Registered("atsan-precompiled-header",
               "refuse what was precompiled without the sanitizer");

} // namespace
