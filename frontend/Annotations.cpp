//===- Annotations.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ATSAN_ATOMIC and ATSAN_NO_SANITIZE are annotations. Clang emits those of the
// declaration by which a function is used first, and of no later one; those of
// the declaration of a template's member, and not of its definition; none of
// what an alias names; and those of a template for its specializations. This
// plugin of clang gives ours to all declarations of the function, and to no
// other one, before code generation sees the one that has it.
//
//===----------------------------------------------------------------------===//

#include "frontend/AutomaticAction.h"
#include "lib/base/Annotation.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/StringMap.h"

using namespace clang;

namespace {

bool isOurs(const AnnotateAttr *A) {
  return A->getAnnotation() == atsan::kAtomicAnnotation ||
         A->getAnnotation() == atsan::kNoSanitizeAnnotation;
}

void copyAnnotations(const Decl &From, Decl &To, ASTContext &Context) {
  for (const auto *A : From.specific_attrs<AnnotateAttr>()) {
    auto IsSame = [&](const AnnotateAttr *Other) {
      return Other->getAnnotation() == A->getAnnotation();
    };
    if (&From == &To || !isOurs(A) ||
        llvm::any_of(To.specific_attrs<AnnotateAttr>(), IsSame))
      continue;
    auto *Copy = A->clone(Context);
    Copy->setInherited(true);
    To.addAttr(Copy);
  }
}

/// A specialization is another function than what its template would make,
/// whose annotations clang gives it.
void dropAnnotationsOf(const FunctionDecl &Template, FunctionDecl &F) {
  auto IsOf = [&](const Attr *A) {
    auto *Annotation = dyn_cast<AnnotateAttr>(A);
    return Annotation && isOurs(Annotation) &&
           llvm::any_of(Template.specific_attrs<AnnotateAttr>(),
                        [&](const AnnotateAttr *Other) {
                          return Other->getLocation() == A->getLocation();
                        });
  };
  if (F.hasAttrs())
    llvm::erase_if(F.getAttrs(), IsOf);
}

class Annotations : public ASTConsumer {
public:
  explicit Annotations(CompilerInstance &) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      visit(*D);
    return true;
  }

  void HandleInlineFunctionDefinition(FunctionDecl *F) override { visit(*F); }

  void Initialize(ASTContext &C) override {
    Context = &C;
    Names = std::make_unique<ASTNameGenerator>(C);
  }

private:
  void visit(Decl &D) {
    if (auto *F = dyn_cast<FunctionDecl>(&D))
      return visitFunction(*F);
    if (auto *Template = dyn_cast<FunctionTemplateDecl>(&D))
      return visitFunction(*Template->getTemplatedDecl());
    if (!isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D))
      return;
    for (Decl *Inner : cast<DeclContext>(D).noload_decls())
      visit(*Inner);
  }

  void visitFunction(FunctionDecl &F) {
    if (F.getTemplateSpecializationKind() == TSK_ExplicitSpecialization)
      if (const FunctionDecl *Template =
              F.getTemplateInstantiationPattern(/*ForDefinition=*/false))
        for (const FunctionDecl *Other : Template->redecls())
          for (FunctionDecl *Own : F.redecls())
            dropAnnotationsOf(*Other, *Own);
    // Clang hands on none of a friend's, or of a declaration in a function.
    for (const FunctionDecl *Other : F.redecls())
      copyAnnotations(*Other, F, *Context);
    // What was instantiated may have been so before the template's definition,
    // which has the annotation, was read.
    if (const FunctionDecl *Pattern = F.getTemplateInstantiationPattern())
      for (const FunctionDecl *Other : Pattern->redecls())
        copyAnnotations(*Other, F, *Context);
    if (const auto *Alias = F.getAttr<AliasAttr>())
      if (const FunctionDecl *Target = Annotated.lookup(Alias->getAliasee()))
        copyAnnotations(*Target, F, *Context);
    if (llvm::none_of(F.specific_attrs<AnnotateAttr>(), isOurs))
      return;
    for (FunctionDecl *Other : F.redecls())
      copyAnnotations(F, *Other, *Context);
    if (!F.isDependentContext())
      Annotated[Names->getName(&F)] = &F;
  }

  ASTContext *Context = nullptr;
  std::unique_ptr<ASTNameGenerator> Names;
  llvm::StringMap<const FunctionDecl *> Annotated; ///< By their linked names.
};

FrontendPluginRegistry::Add<atsan::AutomaticAction<Annotations>>
    Registered("atsan-annotations",
               "annotate every declaration of an annotated function");

} // namespace
