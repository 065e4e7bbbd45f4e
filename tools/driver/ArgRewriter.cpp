//===- ArgRewriter.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// User arguments keep their spelling and order; ours go in two blocks around
// them. The front block holds the runtime, which must precede user libraries so
// that its interceptors win. The back block holds what must win against user
// options. Both are marked so that clang never calls them unused.
//
//===----------------------------------------------------------------------===//

#include "tools/driver/ArgRewriter.h"
#include "tools/driver/Compat.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace atsan::driver::options;
using namespace llvm;

namespace atsan::driver {

using ArgVector = std::vector<std::string>;

/// Passes values by -Xlinker, and not by -Wl, which splits paths at commas.
static void toLinker(ArgVector &Out, std::initializer_list<StringRef> Values) {
  for (StringRef Value : Values) {
    Out.push_back("-Xlinker");
    Out.push_back(Value.str());
  }
}

static void append(ArgVector &Out, const ArgVector &Block) {
  if (Block.empty())
    return;
  Out.push_back("--start-no-unused-arguments");
  Out.insert(Out.end(), Block.begin(), Block.end());
  Out.push_back("--end-no-unused-arguments");
}

static ArgVector runtimeBlock(const Invocation &Inv,
                              const SanitizerLists &Lists,
                              const InstallPaths &Paths, StringRef RuntimeDir) {
  ArgVector Out;
  const bool Linked =
      Inv.Links == Output::Executable || Inv.Links == Output::Shared;
  if (!Linked || !wantsLinkedRuntime(Inv.Args))
    return Out;

  if (wantsSharedRuntime(Inv.Args)) {
    // The runtime is kept in any case: instrumented code need not be the first
    // to call it.
    toLinker(Out, {"--push-state", "--no-as-needed", Paths.SharedRuntime,
                   "--pop-state", "-rpath", Paths.LibDir});
    // Clang links its shared runtime but leaves finding it to the user.
    if (checksCallingUBSanRuntime(Lists))
      toLinker(Out, {"-rpath", RuntimeDir});
  } else if (Inv.Links == Output::Executable) {
    // Without --whole-archive, the linker drops the runtime and nothing is
    // reported; without the list, shared objects loaded later do not find it.
    toLinker(Out, {"--whole-archive", Paths.StaticRuntime, "--no-whole-archive",
                   ("--dynamic-list=" + Twine(Paths.ExportList)).str()});
  }
  return Out;
}

/// Passes values to the front end alone: -mllvm would reach the linker of LTO,
/// too. The front end also knows the options of a plugin that was loaded in the
/// old way.
static void toFrontEnd(ArgVector &Out,
                       std::initializer_list<StringRef> Values) {
  for (StringRef Value : Values) {
    Out.push_back("-Xclang");
    Out.push_back(Value.str());
  }
}

static void addPassOptions(ArgVector &Out, const RegionOptions &Regions,
                           StringRef Plugin) {
  if (Regions.PassOptions.empty())
    return;
  toFrontEnd(Out, {"-load", Plugin});
  for (StringRef Option : Regions.PassOptions)
    toFrontEnd(Out, {"-mllvm", Option});
  for (StringRef File : Regions.Files)
    toFrontEnd(Out, {("-fdepfile-entry=" + File).str()});
}

static std::string quotedForMacro(StringRef Text) {
  std::string Out = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Out += '\\';
    Out += C;
  }
  return Out + '"';
}

/// Caches of objects look at what is preprocessed: there the lists have to
/// show, by their names and by what is in them.
static void addInputs(ArgVector &Out, ArrayRef<std::string> Files,
                      const InstallPaths &Paths) {
  if (Files.empty())
    return;
  MD5 Contents;
  for (size_t I = 0; I < Files.size(); ++I) {
    if (auto Text = MemoryBuffer::getFile(Files[I]))
      Contents.update((*Text)->getBuffer());
    Contents.update(ArrayRef<uint8_t>(0)); // A zero between two files.
    Out.push_back("-D__ATSAN_INPUT_" + std::to_string(I + 1) +
                  "__=" + quotedForMacro(Files[I]));
  }
  Out.push_back("-D__ATSAN_INPUTS__=__atsan_inputs_" +
                Contents.final().digest().str().str());
  Out.push_back("-include");
  Out.push_back(Paths.IncludeDir + "/sanitizer/atsan_inputs.h");
}

static void addCompileOptions(ArgVector &Out, const Invocation &Inv,
                              const RegionOptions &Regions,
                              const InstallPaths &Paths) {
  if (Inv.Preprocesses) {
    Out.push_back("-D__SANITIZE_ATOMICITY__=1");
    // Not -isystem: in a shared prefix such as /usr or ~/.local that would
    // reorder the search for all other headers found there.
    Out.push_back("-idirafter");
    Out.push_back(Paths.IncludeDir);
    addInputs(Out, Regions.Files, Paths);
    if (Regions.TSanAnnotations) {
      // Annotated code asks for gcc's macro, or for clang's feature. The
      // front-end plugin, which runs for sources only, takes back what would be
      // instrumented; so the other jobs, of IR, must not get the option.
      Out.push_back("-D__SANITIZE_THREAD__=1");
      Out.push_back("-Xpreprocessor");
      Out.push_back("-fsanitize=thread");
    }
  }
  if (Inv.CompilesPreprocessed)
    append(Out, {"-Xclang", "-D__SANITIZE_ATOMICITY__=1"});
  // The templates of a precompiled header are used as they are there, so that
  // to make one takes the plugin, too.
  const bool FromIndex = Inv.Args.hasArg(OPT_fthinlto_index_EQ);
  if ((Inv.GeneratesCode && !FromIndex) || Inv.Precompiles)
    Out.push_back("-fplugin=" + Paths.FrontendPlugin);
  if (!Inv.GeneratesCode)
    return;
  // The runtime unwinds by frame pointers.
  Out.push_back("-fno-omit-frame-pointer");
  Out.push_back("-mno-omit-leaf-frame-pointer");
  // Hooks are called and the gate is read directly, which a library's code may
  // only do when it was compiled as such. Separate compilations say it.
  if (Inv.Links == Output::Shared &&
      !Inv.Args.hasArg(OPT_fPIC, OPT_fno_PIC, OPT_fpic, OPT_fno_pic, OPT_fPIE,
                       OPT_fno_PIE, OPT_fpie, OPT_fno_pie))
    Out.push_back("-fPIC");
  // A distributed ThinLTO back end gets bitcode that is instrumented already.
  if (FromIndex)
    return;
  Out.push_back("-fpass-plugin=" + Paths.Plugin);
  addPassOptions(Out, Regions, Paths.Plugin);
}

/// Sanitizer coverage makes clang link UBSan's runtime for the coverage
/// callbacks. Ours has them too, and both cannot be linked.
static bool suppressesClangRuntime(const Invocation &Inv,
                                   const SanitizerLists &Lists) {
  bool Coverage =
      Inv.Args.hasArg(OPT_fsanitize_coverage) || Lists.LinksFuzzer ||
      static_cast<bool>(Lists.Others & clang::SanitizerKind::FuzzerNoLink);
  bool Minimal = Inv.Args.hasFlag(OPT_fsanitize_minimal_runtime,
                                  OPT_fno_sanitize_minimal_runtime, false);
  return Inv.Links == Output::Executable && Coverage && !Minimal &&
         !checksCallingUBSanRuntime(Lists);
}

/// libFuzzer has the program's main, and needs the C++ library, also for C, and
/// the libraries that clang links for it only with a runtime of its own.
static void addFuzzer(ArgVector &Out, const Invocation &Inv,
                      StringRef RuntimeDir) {
  toLinker(Out, {(RuntimeDir + "/libclang_rt.fuzzer-x86_64.a").str()});
  if (Inv.Args.hasArg(OPT_nostdlibxx))
    return;
  const bool IsLibcxx =
      Inv.Args.getLastArgValue(OPT_stdlib_EQ, "libstdc++") == "libc++";
  for (const char *Library :
       {IsLibcxx ? "-lc++" : "-lstdc++", "-lpthread", "-lm"})
    Out.push_back(Library);
}

static void addLinkOptions(ArgVector &Out, const Invocation &Inv,
                           const SanitizerLists &Lists, StringRef RuntimeDir) {
  // A library's hooks are those of the executable's runtime, which the linker
  // does not see here.
  if (Inv.Links == Output::Shared && Inv.ForbidsUndefined &&
      !(wantsLinkedRuntime(Inv.Args) && wantsSharedRuntime(Inv.Args)))
    toLinker(Out, {"-z", "undefs"});
  if (!wantsLinkedRuntime(Inv.Args) || Inv.Links != Output::Executable)
    return;
  if (suppressesClangRuntime(Inv, Lists))
    Out.push_back("-fno-sanitize-link-runtime");
  if (Lists.LinksFuzzer)
    addFuzzer(Out, Inv, RuntimeDir);
  if (wantsSharedRuntime(Inv.Args) ||
      Inv.Args.hasArg(OPT_nostdlib, OPT_nodefaultlibs))
    return;
  toLinker(Out, {"--push-state", "--no-as-needed"});
  for (const char *Library : {"-lpthread", "-ldl", "-lrt", "-lm"})
    Out.push_back(Library);
  toLinker(Out, {"--pop-state"});
}

static bool editedAway(const SanitizerLists &Lists, unsigned Index,
                       std::string &Spelling) {
  auto Edit = Lists.Edits.find(Index);
  if (Edit == Lists.Edits.end())
    return false;
  if (!Edit->second)
    return true;
  Spelling = *Edit->second;
  return false;
}

static void copyUserArgs(ArgVector &Out, ArrayRef<const char *> Argv,
                         unsigned Begin, unsigned End,
                         const SanitizerLists &Lists,
                         const RegionOptions &Regions) {
  for (unsigned I = Begin; I != End; ++I) {
    std::string Spelling = Argv[I];
    if (!Regions.Ours.count(I) && !editedAway(Lists, I, Spelling))
      Out.push_back(std::move(Spelling));
  }
}

/// Everything after "--" is an input, so our options end before it.
static unsigned optionsEnd(ArrayRef<const char *> Argv, const Invocation &Inv) {
  const opt::Arg *Dashes = Inv.Args.getLastArg(OPT__DASH_DASH);
  return Dashes ? Dashes->getIndex() : Argv.size();
}

ArgVector withoutAtomicity(ArrayRef<const char *> Argv, const Invocation &Inv,
                           const SanitizerLists &Lists,
                           const RegionOptions &Regions,
                           const InstallPaths &Paths) {
  const unsigned OptionsEnd = optionsEnd(Argv, Inv);
  ArgVector Out;
  copyUserArgs(Out, Argv, 0, OptionsEnd, Lists, Regions);
  if (Inv.Preprocesses && Inv.ForeignMode.empty() && !Inv.Incomplete &&
      !Inv.Args.hasArg(OPT_nostdinc, OPT_nostdlibinc))
    append(Out, {"-idirafter", Paths.IncludeDir});
  copyUserArgs(Out, Argv, OptionsEnd, Argv.size(), Lists, Regions);
  return Out;
}

ArgVector withAtomicity(ArrayRef<const char *> Argv, const Invocation &Inv,
                        const SanitizerLists &Lists,
                        const RegionOptions &Regions, const InstallPaths &Paths,
                        StringRef RuntimeDir) {
  const unsigned OptionsEnd = optionsEnd(Argv, Inv);
  ArgVector Back;
  addCompileOptions(Back, Inv, Regions, Paths);
  addLinkOptions(Back, Inv, Lists, RuntimeDir);

  ArgVector Out;
  append(Out, runtimeBlock(Inv, Lists, Paths, RuntimeDir));
  copyUserArgs(Out, Argv, 0, OptionsEnd, Lists, Regions);
  append(Out, Back);
  copyUserArgs(Out, Argv, OptionsEnd, Argv.size(), Lists, Regions);
  return Out;
}

} // namespace atsan::driver
