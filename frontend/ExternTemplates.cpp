//===- ExternTemplates.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The headers of libstdc++ and libc++ say `extern template` of strings, streams
// and other class templates, for the types that everybody uses: their members
// are in the library, which is not instrumented. They are templates all the
// same. This plugin of clang makes of such a declaration what there would be
// without it, an instantiation where it is used, so that the members are
// compiled into the program and instrumented with it. The linker takes the
// program's ones, also for the library's own calls, as of any inline function.
//
// No macro of these libraries does that: libstdc++ 12 defines
// _GLIBCXX_EXTERN_TEMPLATE in any case, libc++ 19 asks none.
//
// Two things stay in the library. Facets of locales, which hold nothing of the
// program's, but tables that threads share. Static data members, which may have
// to be one object in the whole process.
//
//===----------------------------------------------------------------------===//

#include "frontend/AutomaticAction.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include <vector>

using namespace clang;

namespace {

/// Is it std::locale::facet, or derived from it?
bool isFacet(const CXXRecordDecl *Class) {
  if (!Class)
    return false;
  if (Class->getName() == "facet") {
    auto *Outer = dyn_cast<CXXRecordDecl>(Class->getDeclContext());
    return Outer && Outer->getName() == "locale" && Outer->isInStdNamespace();
  }
  return Class->hasDefinition() &&
         llvm::any_of(Class->bases(), [](const CXXBaseSpecifier &Base) {
           return isFacet(Base.getType()->getAsCXXRecordDecl());
         });
}

/// Looks for a facet, or says whether there is one.
bool findsFacet(const FunctionDecl &F) {
  const IdentifierInfo *Name = F.getIdentifier();
  return Name && (Name->isStr("use_facet") || Name->isStr("has_facet") ||
                  Name->isStr("__try_use_facet"));
}

/// libc++ declares single members of these, and not the class.
bool hasExternMembers(const ClassTemplateDecl &Template) {
  return Template.getName() == "basic_string" ||
         Template.getName() == "valarray";
}

class ExternTemplates : public SemaConsumer {
public:
  explicit ExternTemplates(CompilerInstance &CI)
      : Sources(CI.getSourceManager()) {}

  void InitializeSema(Sema &Semantics) override { S = &Semantics; }
  void ForgetSema() override { S = nullptr; }

  /// A namespace comes with all that is in it.
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      if (auto *Namespace = dyn_cast<NamespaceDecl>(D);
          Namespace && Namespace->isStdNamespace())
        visit(*Namespace);
      else if (HasNews && !Sources.isInSystemHeader(D->getLocation()))
        releaseRest();
    return true;
  }

  /// A header that is precompiled ends here; who uses it has it as it is now.
  void HandleTranslationUnit(ASTContext &) override {
    if (S->TUKind == TU_Prefix)
      releaseRest();
  }

private:
  void visit(const DeclContext &Namespace) {
    HasNews = true;
    for (Decl *D : Namespace.noload_decls()) {
      if (isa<NamespaceDecl, LinkageSpecDecl>(D))
        visit(*cast<DeclContext>(D));
      else if (auto *Template = dyn_cast<FunctionTemplateDecl>(D))
        FunctionTemplates.push_back(Template);
      else if (auto *Template = dyn_cast<ClassTemplateDecl>(D);
               Template && Template->isCanonicalDecl() &&
               hasExternMembers(*Template))
        ClassTemplates.push_back(Template);
      else if (auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(D))
        release(*Class);
    }
  }

  /// Nothing in the syntax tree stands where these are declared.
  void releaseRest() {
    HasNews = false;
    for (FunctionTemplateDecl *Template : FunctionTemplates)
      release(*Template);
    for (ClassTemplateDecl *Template : ClassTemplates)
      for (ClassTemplateSpecializationDecl *Class : Template->specializations())
        releaseMembers(*Class);
  }

  bool isExtern(TemplateSpecializationKind Kind, SourceLocation At) const {
    return Kind == TSK_ExplicitInstantiationDeclaration &&
           Sources.isInSystemHeader(At);
  }

  /// The class itself: where its virtual table is.
  void release(ClassTemplateSpecializationDecl &Class) {
    if (!isExtern(Class.getSpecializationKind(), Class.getExternKeywordLoc()) ||
        isFacet(&Class))
      return;
    Class.setSpecializationKind(TSK_ImplicitInstantiation);
    releaseMembers(Class);
  }

  void releaseMembers(const CXXRecordDecl &Class) {
    for (Decl *D : Class.decls())
      if (auto *Method = dyn_cast<CXXMethodDecl>(D))
        release(*Method);
      else if (auto *Template = dyn_cast<FunctionTemplateDecl>(D))
        release(*Template);
      else if (auto *Inner = dyn_cast<CXXRecordDecl>(D))
        if (!Inner->isInjectedClassName())
          releaseMembers(*Inner);
  }

  void release(FunctionTemplateDecl &Template) {
    for (FunctionDecl *F : Template.specializations())
      release(*F);
  }

  void release(FunctionDecl &F) {
    if (!isExtern(F.getTemplateSpecializationKind(),
                  F.getPointOfInstantiation()) ||
        findsFacet(F))
      return;
    const FunctionDecl *Pattern = F.getTemplateInstantiationPattern();
    if (!Pattern || !Pattern->isDefined())
      return; // libc++'s std::sort of numbers.
    forgetInstantiation(F);
    if (F.isDefined())
      S->Consumer.HandleTopLevelDecl(DeclGroupRef(&F)); // Its linkage changed.
    else if (F.isUsed(/*CheckUsedAttr=*/false))
      S->PendingInstantiations.push_back({&F, F.getLocation()});
  }

  /// Clang takes a function with a point of instantiation for one that it has
  /// instantiated, or will.
  static void forgetInstantiation(FunctionDecl &F) {
    if (MemberSpecializationInfo *Info = F.getMemberSpecializationInfo()) {
      Info->setTemplateSpecializationKind(TSK_ImplicitInstantiation);
      Info->setPointOfInstantiation(SourceLocation());
    } else if (auto *Info = F.getTemplateSpecializationInfo()) {
      Info->setTemplateSpecializationKind(TSK_ImplicitInstantiation);
      Info->setPointOfInstantiation(SourceLocation());
    }
  }

  const SourceManager &Sources;
  Sema *S = nullptr;
  /// The declarations of namespace std that were read so far.
  std::vector<FunctionTemplateDecl *> FunctionTemplates;
  std::vector<ClassTemplateDecl *> ClassTemplates;
  bool HasNews = false; ///< There is more of it since the last releaseRest().
};

FrontendPluginRegistry::Add<atsan::AutomaticAction<ExternTemplates>>
    Registered("atsan-extern-templates",
               "instantiate templates of the C++ library where they are used");

} // namespace
