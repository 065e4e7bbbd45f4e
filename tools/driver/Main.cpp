//===- Main.cpp -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// atsan-clang and atsan-clang++: clang with -fsanitize=atomicity. The language
// is chosen by the name of the program. Reads the environment, asks the other
// files what to do, prints errors and becomes clang.
//
//   ATSAN_CLANG=path    clang to use instead of the one chosen at build time
//   ATSAN_WRAPPER=off   ignore -fsanitize=atomicity, for odd configure steps
//
//===----------------------------------------------------------------------===//

#include "PluginDigest.h" // Made by PluginDigest.cmake.
#include "tools/driver/ArgRewriter.h"
#include "tools/driver/Clang.h"
#include "tools/driver/Conflicts.h"
#include "clang/Driver/Driver.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <optional>

using namespace llvm;
using namespace atsan::driver;

namespace {

int fail(StringRef Program, const Twine &Message) {
  errs() << Program << ": error: " << Message << '\n';
  return 1;
}

StringRef environment(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

/// Is the sanitizer wanted at all? nullopt: the value makes no sense.
std::optional<bool> wrapperSwitch(StringRef Value) {
  const std::string Word = Value.lower();
  if (is_contained({"off", "0", "false", "no"}, Word))
    return false;
  if (is_contained({"", "on", "1", "true", "yes"}, Word))
    return true;
  return std::nullopt;
}

constexpr StringLiteral Help = R"(:
  -fsanitize=atomicity    Report blocks that are meant to be atomic and are not
  -fatomicity-regions=annotations|exported|critical-sections|list:<file>
                          What is meant to be atomic: what the source says (the
                          default), and beside it every externally visible
                          function, every outermost critical section, or the
                          functions that a file lists. Options add up;
                          'annotations' takes earlier ones back
  -fatomicity-exclude=<file>
                          Regions with a name in this list do not begin
  -fatomicity-tsan-annotations
                          Code that is annotated for ThreadSanitizer, such as
                          locks of its own, takes its annotations for ours
  -fatomicity-schedule    Schedules of the program can be controlled, by
                          'atsan explore' and in unit tests
  -fsanitize-ignorelist=<file>
                          Its section [atomicity], and what is in no section:
                          code that is not instrumented

)";

std::vector<std::string> copyOf(ArrayRef<const char *> Argv) {
  return {Argv.begin(), Argv.end()};
}

/// The arguments for clang, or an error.
Expected<std::vector<std::string>> rewrite(ArrayRef<const char *> Argv,
                                           const Clang &Compiler,
                                           const char *Argv0,
                                           StringRef WrapperSwitch) {
  // The front end proper never sees our option.
  if (!Argv.empty() && StringRef(Argv[0]).starts_with("-cc1"))
    return copyOf(Argv);

  BumpPtrAllocator Alloc;
  SmallVector<const char *, 256> Expanded(Argv);
  if (Error E = clang::driver::expandResponseFiles(
          Expanded, /*ClangCLMode=*/false, Alloc))
    return std::move(E);

  Invocation Inv = parseInvocation(Expanded);
  SanitizerLists Lists = readSanitizerLists(Inv.Args);
  RegionOptions Regions = readRegionOptions(Inv.Args);
  const InstallPaths Paths = getInstallPaths(getDriverBinary(Argv0));
  if (!Lists.Mentioned && Lists.Misplaced.empty() && Regions.Ours.empty())
    return Inv.Preprocesses
               ? withoutAtomicity(Expanded, Inv, Lists, Regions, Paths)
               : copyOf(Argv);

  std::optional<bool> Enabled = wrapperSwitch(WrapperSwitch);
  if (!Enabled)
    return createStringError("environment variable ATSAN_WRAPPER has the "
                             "unknown value '" +
                             WrapperSwitch + "'; use 'on' or 'off'");
  // A wrong word is one also where the sanitizer is off.
  if (!Regions.Problem.empty())
    return createStringError(Regions.Problem);
  if (!Lists.Atomicity || !*Enabled || !Inv.HasInputs || Inv.Incomplete)
    return withoutAtomicity(Expanded, Inv, Lists, Regions, Paths);

  if (needsSharedRuntime(Inv, Lists)) {
    Expanded.insert(Expanded.begin(), "-shared-libsan");
    return rewrite(Expanded, Compiler, Argv0, WrapperSwitch);
  }

  takeFuzzer(Inv.Args, Lists);
  const std::string RuntimeDir = clangRuntimeDir(Compiler, Inv.Args);
  std::string Problem = findConflict(Inv, Lists);
  if (Problem.empty())
    Problem = findMissingFile(Inv, Paths);
  if (!Problem.empty())
    return createStringError(Problem);
  return withAtomicity(Expanded, Inv, Lists, Regions, Paths, RuntimeDir);
}

/// Prints our version after clang's own, of which build systems read the first
/// line. The digest makes this program another one whenever a plugin changes,
/// which is how ccache knows compilers.
int showVersion(StringRef Program, const Clang &Compiler,
                ArrayRef<std::string> Arguments) {
  SmallVector<StringRef, 16> Argv = {Compiler.Path};
  if (!Compiler.ModeArg.empty())
    Argv.push_back(Compiler.ModeArg);
  Argv.append(Arguments.begin(), Arguments.end());
  std::string Problem;
  const int Code = sys::ExecuteAndWait(Compiler.Path, Argv, std::nullopt, {}, 0,
                                       0, &Problem);
  if (!Problem.empty())
    return fail(Program, Problem);
  if (Code == 0)
    outs() << "AtomicitySanitizer " ATSAN_VERSION " (plugins " << PluginDigest
           << ")\n";
  return Code;
}

} // namespace

int main(int Argc, char **Argv) {
  StringRef Program = Argc > 0 ? sys::path::filename(Argv[0]) : "atsan-clang";
  SmallVector<const char *, 256> Args(Argv + (Argc > 0), Argv + Argc);
  Language Lang =
      Program.contains("clang++") ? Language::CPlusPlus : Language::C;

  Clang Compiler;
  std::string Problem;
  if (!findClang(environment("ATSAN_CLANG"), Lang, Compiler, Problem))
    return fail(Program, Problem);

  Expected<std::vector<std::string>> Arguments =
      rewrite(Args, Compiler, Argc > 0 ? Argv[0] : nullptr,
              environment("ATSAN_WRAPPER"));
  if (!Arguments)
    return fail(Program, toString(Arguments.takeError()));

  if (llvm::is_contained(Args, StringRef("--help"))) {
    outs() << "ADDED BY " << Program << Help;
    outs().flush();
  }
  if (llvm::is_contained(Args, StringRef("--version")))
    return showVersion(Program, Compiler, *Arguments);
  return fail(Program, execClang(Compiler, *Arguments));
}
