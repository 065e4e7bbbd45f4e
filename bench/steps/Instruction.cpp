//===-- Instruction.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instruction.h"

#include <sys/uio.h>

namespace {

bool isMemory(const ZydisDecodedOperand &O) {
  return O.type == ZYDIS_OPERAND_TYPE_MEMORY &&
         O.mem.type != ZYDIS_MEMOP_TYPE_AGEN;
}

// In Zydis' order, which is that of the encoding.
constexpr unsigned long long user_regs_struct::*const General[] = {
    &user_regs_struct::rax, &user_regs_struct::rcx, &user_regs_struct::rdx,
    &user_regs_struct::rbx, &user_regs_struct::rsp, &user_regs_struct::rbp,
    &user_regs_struct::rsi, &user_regs_struct::rdi, &user_regs_struct::r8,
    &user_regs_struct::r9,  &user_regs_struct::r10, &user_regs_struct::r11,
    &user_regs_struct::r12, &user_regs_struct::r13, &user_regs_struct::r14,
    &user_regs_struct::r15,
};
static_assert(ZYDIS_REGISTER_R15 - ZYDIS_REGISTER_RAX == 15 &&
              ZYDIS_REGISTER_RSP - ZYDIS_REGISTER_RAX == 4);

uint64_t valueOf(ZydisRegister Register, const user_regs_struct &R,
                 uint64_t NextInstruction) {
  if (Register == ZYDIS_REGISTER_NONE)
    return 0;
  if (Register == ZYDIS_REGISTER_RIP)
    return NextInstruction;
  if (Register < ZYDIS_REGISTER_RAX || Register > ZYDIS_REGISTER_R15)
    fail("an address of an unknown register", R.rip);
  return R.*General[Register - ZYDIS_REGISTER_RAX];
}

uint64_t baseOf(ZydisRegister Segment, const user_regs_struct &R) {
  if (Segment == ZYDIS_REGISTER_FS)
    return R.fs_base;
  return Segment == ZYDIS_REGISTER_GS ? R.gs_base : 0;
}

} // namespace

bool Instruction::isLocked() const {
  if (Decoded.attributes & ZYDIS_ATTRIB_HAS_LOCK)
    return true;
  // An exchange with memory is locked without a prefix.
  return Decoded.mnemonic == ZYDIS_MNEMONIC_XCHG &&
         (isMemory(Operands[0]) || isMemory(Operands[1]));
}

bool Instruction::isFence() const {
  return Decoded.mnemonic == ZYDIS_MNEMONIC_MFENCE ||
         Decoded.mnemonic == ZYDIS_MNEMONIC_LFENCE ||
         Decoded.mnemonic == ZYDIS_MNEMONIC_SFENCE;
}

bool Instruction::isRepeated() const {
  return Decoded.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
                               ZYDIS_ATTRIB_HAS_REPNE);
}

void Instruction::findAccesses(const user_regs_struct &R,
                               std::vector<Access> &Accesses) const {
  Accesses.clear();
  for (unsigned I = 0; I < Decoded.operand_count; ++I) {
    const ZydisDecodedOperand &O = Operands[I];
    if (!isMemory(O))
      continue;
    if (O.mem.type == ZYDIS_MEMOP_TYPE_VSIB)
      fail("an instruction that gathers is not known", R.rip);
    const bool IsWrite = O.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
    const bool IsRead = O.actions & ZYDIS_OPERAND_ACTION_MASK_READ;
    const unsigned Size = O.size / 8;
    // A prefetch, or a nop with an operand.
    if (Size == 0 || !(IsRead || IsWrite))
      continue;
    const uint64_t Next = R.rip + Decoded.length;
    uint64_t Address = baseOf(O.mem.segment, R) + valueOf(O.mem.base, R, Next) +
                       valueOf(O.mem.index, R, Next) * O.mem.scale;
    if (O.mem.disp.has_displacement)
      Address += O.mem.disp.value;
    // A push or call writes below the stack pointer.
    if (O.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
        O.mem.base == ZYDIS_REGISTER_RSP && IsWrite)
      Address -= Size;
    Accesses.push_back({Address, Size, IsWrite});
  }
}

Decoder::Decoder() {
  ZydisDecoderInit(&Machine, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

const Instruction &Decoder::at(pid_t Process, uint64_t Address) {
  auto [It, IsNew] = Known.try_emplace(Address);
  if (!IsNew)
    return It->second;
  uint8_t Bytes[ZYDIS_MAX_INSTRUCTION_LENGTH];
  iovec Here{Bytes, sizeof(Bytes)};
  iovec There{reinterpret_cast<void *>(Address), sizeof(Bytes)};
  // At the end of a mapping there may be fewer.
  ssize_t Size = process_vm_readv(Process, &Here, 1, &There, 1, 0);
  if (Size <= 0 ||
      ZYAN_FAILED(ZydisDecoderDecodeFull(
          &Machine, Bytes, Size, &It->second.Decoded, It->second.Operands)))
    fail("an instruction that is not known", Address);
  return It->second;
}
