//===- Conflicts.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each kind of conflict, tried in order. Whether clang accepts
// the rest of the command line is clang's business.
//
// The static runtimes named here contain a second copy of sanitizer_common or
// of our interceptors, so they cannot be linked beside ours.
//
//===----------------------------------------------------------------------===//

#include "tools/driver/Conflicts.h"
#include "tools/driver/Compat.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace atsan::driver::options;
using namespace llvm;
using llvm::opt::OptSpecifier;

namespace atsan::driver {

static std::string quoted(StringRef Option) {
  return ("'" + Option + "'").str();
}

static std::string misplacedName(const SanitizerLists &Lists) {
  if (Lists.Misplaced.empty())
    return "";
  return quoted(Lists.Misplaced) +
         " is not supported: a finding cannot trap, and whether the program "
         "goes on after it is chosen at run time with "
         "ATSAN_OPTIONS=halt_on_error=0; remove 'atomicity' from this option";
}

static std::string foreignMode(const Invocation &Inv) {
  if (Inv.ForeignMode.empty())
    return "";
  return "'-fsanitize=atomicity' is not supported with '--driver-mode=" +
         Inv.ForeignMode + "'; use the gcc, g++ or cpp driver mode";
}

static std::string unsupportedTarget(const Invocation &Inv) {
  Triple Target(Triple::normalize(Inv.Args.getLastArgValue(
      OPT_target, Inv.Args.getLastArgValue(OPT_target_legacy_spelling,
                                           sys::getDefaultTargetTriple()))));
  const opt::Arg *Bits =
      Inv.Args.getLastArg(OPT_m16, OPT_m32, OPT_mx32, OPT_m64, OPT_miamcu);
  if (Bits && !Bits->getOption().matches(OPT_m64))
    return "'-fsanitize=atomicity' is not supported with " +
           quoted(Bits->getAsString(Inv.Args)) +
           ": only x86_64-linux-gnu is; remove this option";
  // -m64 turns an i386 target into x86-64, as in clang.
  bool Is64 = Target.getArch() == Triple::x86_64 ||
              (Bits && Target.getArch() == Triple::x86);
  bool IsGnu = Target.getEnvironment() == Triple::GNU ||
               Target.getEnvironment() == Triple::UnknownEnvironment;
  if (!Is64 || !Target.isOSLinux() || !IsGnu)
    return "'-fsanitize=atomicity' is not supported for target '" +
           Target.str() +
           "': only x86_64-linux-gnu is; build this target without it";
  return "";
}

static std::string offloading(const Invocation &Inv) {
  if (!Inv.OffloadInput.empty())
    return "'-fsanitize=atomicity' is not supported for the GPU source '" +
           Inv.OffloadInput + "'; compile this file without it";
  if (const opt::Arg *A = Inv.Args.getLastArg(OPT_fopenmp_targets_EQ))
    return "'-fsanitize=atomicity' is not supported with " +
           quoted(A->getAsString(Inv.Args)) +
           "; remove this option, so that target regions run on the host";
  return "";
}

static std::string otherSanitizer(const SanitizerLists &Lists) {
  static constexpr StringLiteral Names[] = {
      "address",  "kernel-address", "hwaddress",  "kernel-hwaddress",
      "memory",   "kernel-memory",  "thread",     "leak",
      "dataflow", "numerical",      "safe-stack", "scudo"};
  for (StringRef Name : Names)
    if (Lists.Others & clang::parseSanitizerValue(Name, false))
      return ("'-fsanitize=atomicity' cannot be combined with '-fsanitize=" +
              Name +
              "': each brings its own runtime; make a second build for " +
              "it, or add '-fno-sanitize=" + Name + "' here")
          .str();
  return "";
}

/// Options of other tools that bring a runtime of their own.
static std::string otherRuntime(const Invocation &Inv) {
  struct Switch {
    OptSpecifier On, OnWithValue, Off;
  };
  const Switch Switches[] = {
      {OPT_fmemory_profile, OPT_fmemory_profile_EQ, OPT_fno_memory_profile},
      {OPT_fsanitize_stats, OPT_INVALID, OPT_fno_sanitize_stats},
      {OPT_fxray_instrument, OPT_INVALID, OPT_fno_xray_instrument},
      {OPT_fsanitize_cfi_cross_dso, OPT_INVALID,
       OPT_fno_sanitize_cfi_cross_dso}};
  for (const Switch &S : Switches) {
    const opt::Arg *A = Inv.Args.getLastArg(S.On, S.OnWithValue, S.Off);
    if (A && !A->getOption().matches(S.Off))
      return quoted(A->getAsString(Inv.Args)) +
             " cannot be combined with '-fsanitize=atomicity': it links a "
             "second sanitizer runtime; make a separate build for it";
  }
  return "";
}

/// Only an executable with the static runtimes has both of them inside.
static bool hasTwoRuntimes(const Invocation &Inv, const SanitizerLists &Lists) {
  return Inv.Links == Output::Executable && wantsLinkedRuntime(Inv.Args) &&
         !wantsSharedRuntime(Inv.Args) &&
         !Inv.Args.hasFlag(OPT_fsanitize_minimal_runtime,
                           OPT_fno_sanitize_minimal_runtime, false) &&
         checksCallingUBSanRuntime(Lists);
}

bool needsSharedRuntime(const Invocation &Inv, const SanitizerLists &Lists) {
  return hasTwoRuntimes(Inv, Lists) && !Inv.Args.hasArg(OPT_static_libsan) &&
         !Inv.Args.hasArg(OPT_static, OPT_static_pie);
}

static std::string undefinedRuntime(const Invocation &Inv,
                                    const SanitizerLists &Lists) {
  if (!hasTwoRuntimes(Inv, Lists) || needsSharedRuntime(Inv, Lists))
    return "";
  return "the static runtime of '-fsanitize=undefined' and its groups cannot "
         "be linked together with '-fsanitize=atomicity'; compile and link "
         "with '-fsanitize-trap=undefined' or '-fsanitize-minimal-runtime' "
         "(no second runtime), or link without '-static-libsan'";
}

static std::string staticLink(const Invocation &Inv) {
  if (Inv.Links != Output::Executable)
    return "";
  const opt::Arg *A = Inv.Args.getLastArg(OPT_static, OPT_static_pie);
  if (!A)
    return "";
  return quoted(A->getAsString(Inv.Args)) +
         " is not supported with '-fsanitize=atomicity': the runtime "
         "intercepts functions of the shared C library; remove " +
         quoted(A->getAsString(Inv.Args));
}

std::string findConflict(const Invocation &Inv, const SanitizerLists &Lists) {
  const std::string Reasons[] = {
      misplacedName(Lists),         foreignMode(Inv),
      unsupportedTarget(Inv),       offloading(Inv),
      otherSanitizer(Lists),        otherRuntime(Inv),
      undefinedRuntime(Inv, Lists), staticLink(Inv)};
  for (const std::string &Reason : Reasons)
    if (!Reason.empty())
      return Reason;
  return "";
}

std::string findMissingFile(const Invocation &Inv, const InstallPaths &Paths) {
  auto Check = [](StringRef What, const std::string &Path) -> std::string {
    if (sys::fs::exists(Path))
      return "";
    return (What + " '" + Path +
            "' is missing; the driver expects it relative to its own "
            "directory: build all of AtomicitySanitizer (cmake --build) or "
            "install it again (cmake --install)")
        .str();
  };

  std::string Missing;
  if (Inv.GeneratesCode)
    Missing = Check("pass plugin", Paths.Plugin);
  if (Missing.empty() && (Inv.GeneratesCode || Inv.Precompiles))
    Missing = Check("front-end plugin", Paths.FrontendPlugin);
  if (Missing.empty() && Inv.Preprocesses)
    Missing = Check("header directory", Paths.IncludeDir);

  if (!Missing.empty() || !wantsLinkedRuntime(Inv.Args))
    return Missing;
  bool Linked = Inv.Links == Output::Executable || Inv.Links == Output::Shared;
  if (Linked && wantsSharedRuntime(Inv.Args))
    return Check("shared runtime", Paths.SharedRuntime);
  if (Inv.Links == Output::Executable) {
    Missing = Check("runtime", Paths.StaticRuntime);
    if (Missing.empty())
      Missing = Check("export list of the runtime", Paths.ExportList);
  }
  return Missing;
}

} // namespace atsan::driver
