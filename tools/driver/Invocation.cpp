//===- Invocation.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mirrors the decisions of clang's Driver (final phase, input types) with the
// tables that clang uses itself. Where a guess would be needed, the answer is
// what clang does for its own sanitizers.
//
//===----------------------------------------------------------------------===//

#include "tools/driver/Invocation.h"
#include "tools/driver/Compat.h"
#include "clang/Driver/Phases.h"
#include "clang/Driver/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

using namespace clang::driver;
using namespace atsan::driver::options;
using namespace llvm;

namespace atsan::driver {

static bool isPreprocessorMode(const opt::ArgList &Args) {
  return Args.getLastArgValue(OPT_driver_mode) == "cpp" ||
         Args.hasArg(OPT_E, OPT_M, OPT_MM);
}

/// Clang's Driver::getFinalPhase, which is not callable without a Driver.
static phases::ID finalPhase(const opt::ArgList &Args) {
  if (isPreprocessorMode(Args))
    return phases::Preprocess;
  if (Args.hasArg(OPT__precompile, OPT_extract_api, OPT_fmodule_header,
                  OPT_fmodule_header_EQ))
    return phases::Precompile;
  if (Args.hasArg(OPT_fsyntax_only, OPT_module_file_info, OPT_verify_pch,
                  OPT_rewrite_objc, OPT_rewrite_legacy_objc, OPT__analyze,
                  OPT_emit_ast))
    return phases::Compile;
  if (Args.hasArg(OPT_S))
    return phases::Backend;
  if (Args.hasArg(OPT_c))
    return phases::Assemble;
  if (Args.hasArg(OPT_emit_interface_stubs))
    return phases::IfsMerge;
  return phases::Link;
}

static types::ID typeOfInput(StringRef File, types::ID Forced, bool Cpp) {
  if (Forced != types::TY_INVALID)
    return Forced;
  if (File == "-")
    return types::TY_C;
  types::ID Type = types::TY_INVALID;
  if (StringRef Ext = sys::path::extension(File); !Ext.empty())
    Type = types::lookupTypeForExtension(Ext.drop_front());
  if (Type == types::TY_INVALID)
    Type = Cpp ? types::TY_C : types::TY_Object;
  return Type;
}

/// Options handed through to the linker can make its output something else.
static Output linkOutput(const opt::ArgList &Args) {
  if (Args.hasArg(OPT_r))
    return Output::Relocatable;
  if (Args.hasArg(OPT_shared))
    return Output::Shared;
  for (const opt::Arg *A : Args.filtered(OPT_Wl_COMMA, OPT_Xlinker))
    for (StringRef Value : A->getValues()) {
      if (Value == "-r" || Value == "--relocatable" || Value == "-i")
        return Output::Relocatable;
      if (Value == "-shared" || Value == "--shared" || Value == "-Bshareable")
        return Output::Shared;
    }
  return Output::Executable;
}

/// Whether undefined symbols are errors: the last of -z defs and -z undefs
/// holds, however it is spelt.
static bool forbidsUndefined(const opt::ArgList &Args) {
  bool Forbids = false, IsAfterZ = false;
  for (const opt::Arg *A : Args.filtered(OPT_Wl_COMMA, OPT_Xlinker, OPT_z)) {
    IsAfterZ |= A->getOption().matches(OPT_z);
    for (StringRef Value : A->getValues()) {
      const bool IsKeyword = IsAfterZ || Value.consume_front("-z");
      IsAfterZ = IsKeyword && Value.empty();
      if (IsKeyword && (Value == "defs" || Value == "undefs"))
        Forbids = Value == "defs";
      else if (Value == "--no-undefined" || Value == "-no-undefined")
        Forbids = true;
    }
  }
  return Forbids;
}

static void addInput(Invocation &Inv, StringRef File, types::ID Type,
                     phases::ID Last, bool &ReachesLink) {
  Inv.HasInputs = true;
  if ((types::isCuda(Type) || types::isHIP(Type)) && Inv.OffloadInput.empty())
    Inv.OffloadInput = File.str();
  const auto Phases = types::getCompilationPhases(Type, Last);
  Inv.CompilesPreprocessed |= is_contained(Phases, phases::Compile) &&
                              !is_contained(Phases, phases::Preprocess) &&
                              !types::isLLVMIR(Type);
  for (phases::ID Phase : Phases) {
    Inv.Preprocesses |= Phase == phases::Preprocess;
    Inv.GeneratesCode |= Phase == phases::Backend;
    Inv.Precompiles |= Phase == phases::Precompile;
    ReachesLink |= Phase == phases::Link;
  }
}

static void readInputs(Invocation &Inv) {
  const phases::ID Last = finalPhase(Inv.Args);
  const bool Cpp = isPreprocessorMode(Inv.Args);
  types::ID Forced = types::TY_INVALID;
  bool ReachesLink = false;

  for (const opt::Arg *A : Inv.Args) {
    const opt::Option &Opt = A->getOption();
    if (Opt.matches(OPT_x)) {
      Forced = types::lookupTypeForTypeSpecifier(A->getValue());
    } else if (Opt.getKind() == opt::Option::InputClass ||
               Opt.matches(OPT__DASH_DASH)) {
      for (const char *File : A->getValues())
        addInput(Inv, File, typeOfInput(File, Forced, Cpp), Last, ReachesLink);
    } else if (Opt.hasFlag(LinkerInput)) {
      Inv.HasInputs = true;
      ReachesLink |= Last == phases::Link;
    }
  }
  if (ReachesLink)
    Inv.Links = linkOutput(Inv.Args);
  Inv.ForbidsUndefined = forbidsUndefined(Inv.Args);
}

Invocation parseInvocation(ArrayRef<const char *> Argv) {
  unsigned MissingIndex = 0, MissingCount = 0;
  Invocation Inv;
  Inv.Args = getDriverOptTable().ParseArgs(Argv, MissingIndex, MissingCount,
                                           opt::Visibility(ClangOption));
  Inv.Incomplete = MissingCount != 0;
  StringRef Mode = Inv.Args.getLastArgValue(OPT_driver_mode, "gcc");
  if (!is_contained({"gcc", "g++", "cpp"}, Mode))
    Inv.ForeignMode = Mode.str();
  readInputs(Inv);
  return Inv;
}

bool wantsSharedRuntime(const opt::ArgList &Args) {
  return Args.hasFlag(OPT_shared_libsan, OPT_static_libsan, false);
}

bool wantsLinkedRuntime(const opt::ArgList &Args) {
  return Args.hasFlag(OPT_fsanitize_link_runtime, OPT_fno_sanitize_link_runtime,
                      true);
}

} // namespace atsan::driver
