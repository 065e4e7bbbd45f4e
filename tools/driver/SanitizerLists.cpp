//===- SanitizerLists.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's own tables say what a name means, so groups (undefined, integer, ...)
// need no list here. Wrong names are left for clang to complain about.
//
//===----------------------------------------------------------------------===//

#include "tools/driver/SanitizerLists.h"
#include "tools/driver/Compat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace atsan::driver::options;
using namespace llvm;
using clang::SanitizerMask;

namespace atsan::driver {

static constexpr StringLiteral Name = "atomicity";

static SanitizerMask maskOf(StringRef Value) {
  return clang::expandSanitizerGroups(
      clang::parseSanitizerValue(Value, /*AllowGroups=*/true));
}

static bool namesAtomicity(const opt::Arg &A) {
  return is_contained(A.getValues(), Name);
}

/// Spells the list \p A without atomicity; nullopt if nothing is left.
static std::optional<std::string> withoutAtomicity(const opt::Arg &A) {
  SmallVector<StringRef, 4> Rest;
  for (const char *Value : A.getValues())
    if (Value != Name)
      Rest.push_back(Value);
  if (Rest.empty())
    return std::nullopt;
  return (A.getSpelling() + join(Rest, ",")).str();
}

static void applyList(const opt::Arg &A, bool Enable, SanitizerLists &Lists) {
  for (StringRef Value : A.getValues()) {
    if (Value == Name) {
      Lists.Atomicity = Enable;
      Lists.Mentioned = true;
      Lists.Edits[A.getIndex()] = withoutAtomicity(A);
    } else if (Value == "all") {
      // -fsanitize=all is an error of clang's; only the negative form counts.
      if (!Enable) {
        Lists.Atomicity = false;
        Lists.Others = SanitizerMask();
      }
    } else if (Enable) {
      Lists.Others |= maskOf(Value);
    } else {
      Lists.Others &= ~maskOf(Value);
    }
  }
}

static void applyTrap(const opt::Arg &A, bool Enable, SanitizerLists &Lists) {
  for (StringRef Value : A.getValues())
    if (Enable)
      Lists.Trapping |= maskOf(Value);
    else
      Lists.Trapping &= ~maskOf(Value);
}

SanitizerLists readSanitizerLists(const opt::ArgList &Args) {
  SanitizerLists Lists;
  // Control flow integrity traps unless told otherwise.
  Lists.Trapping = maskOf("cfi");
  for (const opt::Arg *A : Args) {
    const opt::Option &Opt = A->getOption();
    if (Opt.matches(OPT_fsanitize_EQ))
      applyList(*A, /*Enable=*/true, Lists);
    else if (Opt.matches(OPT_fno_sanitize_EQ))
      applyList(*A, /*Enable=*/false, Lists);
    else if (Opt.matches(OPT_fsanitize_trap_EQ))
      applyTrap(*A, /*Enable=*/true, Lists);
    else if (Opt.matches(OPT_fno_sanitize_trap_EQ))
      applyTrap(*A, /*Enable=*/false, Lists);

    bool TakesNames = Opt.matches(OPT_fsanitize_trap_EQ) ||
                      Opt.matches(OPT_fno_sanitize_trap_EQ) ||
                      Opt.matches(OPT_fsanitize_recover_EQ) ||
                      Opt.matches(OPT_fno_sanitize_recover_EQ);
    if (TakesNames && Lists.Misplaced.empty() && namesAtomicity(*A))
      Lists.Misplaced = A->getAsString(Args);
  }
  return Lists;
}

void takeFuzzer(const opt::ArgList &Args, SanitizerLists &Lists) {
  if (!(Lists.Others & clang::SanitizerKind::Fuzzer))
    return;
  Lists.LinksFuzzer = true;
  for (const opt::Arg *A : Args.filtered(OPT_fsanitize_EQ)) {
    SmallVector<StringRef, 4> Names;
    for (StringRef Value : A->getValues())
      if (Value != Name)
        Names.push_back(Value == "fuzzer" ? "fuzzer-no-link" : Value);
    if (is_contained(A->getValues(), StringRef("fuzzer")))
      Lists.Edits[A->getIndex()] = (A->getSpelling() + join(Names, ",")).str();
  }
}

SanitizerMask checksCallingUBSanRuntime(const SanitizerLists &Lists) {
  static constexpr StringLiteral Groups[] = {
      "undefined", "integer", "implicit-conversion",  "nullability",
      "bounds",    "cfi",     "float-divide-by-zero", "objc-cast"};
  SanitizerMask Checks;
  for (StringRef Group : Groups)
    Checks |= maskOf(Group);
  return Lists.Others & Checks & ~Lists.Trapping;
}

} // namespace atsan::driver
