//===- TargetAccess.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x86's intrinsics that access memory, as far as they are no loads and stores
// of a vector's lanes. test/pass/x86-intrinsics.test finds those that are
// missing.
//
//===----------------------------------------------------------------------===//

#include "pass/accesses/TargetAccess.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace atsan {

namespace {

constexpr EventKind Read = EventKind::Read;
constexpr EventKind Write = EventKind::Write;

struct Row {
  StringLiteral Name; // The part of the name behind "llvm.x86."
  EventKind Kind;
  unsigned Operand; // The number of the pointer's operand.
  unsigned Size;
  unsigned Offset = 0;
  unsigned States = 0; // Happens only if these bits of operand 2 are set.
};

constexpr unsigned X87 = 1, Vectors = 2;

const Row Rows[] = {
    // Loads and stores.
    {"sse3.ldu.dq", Read, 0, 16},
    {"avx.ldu.dq.256", Read, 0, 32},
    {"mmx.movnt.dq", Write, 0, 8},
    {"directstore32", Write, 0, 4},
    {"directstore64", Write, 0, 8},
    {"movdir64b", Read, 1, 64},
    {"movdir64b", Write, 0, 64},
    {"clzero", Write, 0, 64},
    // These intrinsics write to a device.
    {"enqcmd", Read, 1, 64},
    {"enqcmds", Read, 1, 64},

    // Operations on memory.
    {"aadd32", Write, 0, 4},
    {"aadd64", Write, 0, 8},
    {"aand32", Write, 0, 4},
    {"aand64", Write, 0, 8},
    {"aor32", Write, 0, 4},
    {"aor64", Write, 0, 8},
    {"axor32", Write, 0, 4},
    {"axor64", Write, 0, 8},
    {"cmpccxadd32", Write, 0, 4},
    {"cmpccxadd64", Write, 0, 8},

    // Conversions of what is in memory.
    {"vbcstnebf162ps128", Read, 0, 2},
    {"vbcstnebf162ps256", Read, 0, 2},
    {"vbcstnesh2ps128", Read, 0, 2},
    {"vbcstnesh2ps256", Read, 0, 2},
    {"vcvtneebf162ps128", Read, 0, 16},
    {"vcvtneebf162ps256", Read, 0, 32},
    {"vcvtneeph2ps128", Read, 0, 16},
    {"vcvtneeph2ps256", Read, 0, 32},
    {"vcvtneobf162ps128", Read, 0, 16},
    {"vcvtneobf162ps256", Read, 0, 32},
    {"vcvtneoph2ps128", Read, 0, 16},
    {"vcvtneoph2ps256", Read, 0, 32},

    // Keys that are wrapped.
    {"aesdec128kl", Read, 1, 48},
    {"aesdec256kl", Read, 1, 64},
    {"aesenc128kl", Read, 1, 48},
    {"aesenc256kl", Read, 1, 64},
    {"aesdecwide128kl", Read, 0, 48},
    {"aesdecwide256kl", Read, 0, 64},
    {"aesencwide128kl", Read, 0, 48},
    {"aesencwide256kl", Read, 0, 64},

    // The processor's state. What lies behind the registers belongs to the
    // program.
    {"sse.ldmxcsr", Read, 0, 4},
    {"sse.stmxcsr", Write, 0, 4},
    {"ldtilecfg", Read, 0, 64},
    {"ldtilecfg.internal", Read, 0, 64},
    {"sttilecfg", Write, 0, 64},
    {"fxsave", Write, 0, 416},
    {"fxsave64", Write, 0, 416},
    {"fxrstor", Read, 0, 416},
    {"fxrstor64", Read, 0, 416},

    // How much of the state these save and load depends on the processor, and
    // on what was used. Their header is always accessed, and one of them saves
    // the oldest registers in any case.
    {"xsave", Write, 0, 24, 0, X87},
    {"xsave", Write, 0, 8, 24, Vectors},
    {"xsave", Write, 0, 128, 32, X87},
    {"xsave", Write, 0, 256, 160, Vectors},
    {"xsave", Write, 0, 8, 512},
    {"xsavec", Write, 0, 16, 512},
    {"xsaveopt", Write, 0, 8, 512},
    {"xsaves", Write, 0, 16, 512},
    {"xrstor", Read, 0, 24, 512},
    {"xrstors", Read, 0, 24, 512},
};

/// Flushed, monitored or prefetched, which nobody can tell from the data; a
/// shadow stack; descriptors of the operating system.
const StringLiteral Harmless[] = {
    "cldemote",     "clflushopt",  "clrssbsy",      "clwb",     "invpcid",
    "llwpcb",       "monitorx",    "prefetchrs",    "rstorssp", "umonitor",
    "wrssd",        "wrssq",       "wrussd",        "wrussq",   "sse2.clflush",
    "sse3.monitor", "seh.ehguard", "seh.ehregnode",
};

bool isOn(const IntrinsicInst &II, const Row &R) {
  if (!R.States)
    return true;
  auto *States = dyn_cast<ConstantInt>(II.getArgOperand(2));
  return States && (States->getZExtValue() & R.States);
}

} // namespace

TargetAccess describeTargetAccess(IntrinsicInst &II, EventList &Events) {
  StringRef Name = Intrinsic::getBaseName(II.getIntrinsicID());
  if (!Name.consume_front("llvm.x86."))
    return TargetAccess::Unknown;
  if (is_contained(Harmless, Name))
    return TargetAccess::None;
  // Loads of what other processors may be reading, of any size.
  if (Name.starts_with("movrs") || Name.starts_with("avx10.vmovrs")) {
    Event E;
    E.At = &II;
    E.Ptr = II.getArgOperand(0);
    E.Size = II.getModule()->getDataLayout().getTypeStoreSize(II.getType());
    Events.push_back(E);
    return TargetAccess::Described;
  }
  StringRef Instruction = Name;
  // The form that saves pointers of 64 bits.
  if (Name.starts_with("xsave") || Name.starts_with("xrstor"))
    Instruction.consume_back("64");
  TargetAccess Known = TargetAccess::Unknown;
  for (const Row &R : Rows) {
    if (R.Name != Instruction)
      continue;
    Known = TargetAccess::Described;
    if (!isOn(II, R))
      continue;
    Event E;
    E.At = &II;
    E.Kind = R.Kind;
    E.Ptr = II.getArgOperand(R.Operand);
    E.Offset = R.Offset;
    E.Size = R.Size;
    if (Name == "clzero") {
      IRBuilder<> IRB(&II);
      E.Ptr = IRB.CreateIntrinsic(Intrinsic::ptrmask,
                                  {E.Ptr->getType(), IRB.getInt64Ty()},
                                  {E.Ptr, IRB.getInt64(-uint64_t(R.Size))});
    }
    Events.push_back(E);
  }
  return Known;
}

} // namespace atsan
