//===- Plugin.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says where the passes run, and nothing else:
//
//   opt -passes=atsan   everything, on a module as it is
//   clang, opt -O<n>    the marker first of all, before anything is inlined;
//   the
//                       instrumentation last of all, on optimized code
//
// Nothing is registered for the link step of LTO: it sees modules that were
// instrumented when they were compiled.
//
//===----------------------------------------------------------------------===//

#include "pass/InstrumentPass.h"
#include "pass/MarkerPass.h"
#include "pass/Restraint.h"
#include "pass/base/Compat.h"
#include "pass/schedule/ScheduledBodies.h"

using namespace llvm;

static void registerPasses(PassBuilder &PB) {
  atsan::restrainPipeline(PB);
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(atsan::MarkerPass());
      });
  atsan::atFirstSimplified(
      PB, [](ModulePassManager &MPM) { MPM.addPass(atsan::SchedulePass()); });
  atsan::atOptimizerLast(
      PB, [](ModulePassManager &MPM) { MPM.addPass(atsan::InstrumentPass()); });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "atsan")
          return false;
        MPM.addPass(atsan::MarkerPass());
        MPM.addPass(atsan::SchedulePass());
        MPM.addPass(atsan::InstrumentPass());
        return true;
      });
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT ::llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "AtomicitySanitizer", LLVM_VERSION_STRING,
          registerPasses};
}
