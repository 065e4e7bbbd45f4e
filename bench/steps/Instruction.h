//===-- Instruction.h - What an instruction does to memory -------*- C++
//-*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef INSTRUCTION_H
#define INSTRUCTION_H

#include <Zydis/Zydis.h>

#include <cstdint>
#include <sys/types.h>
#include <sys/user.h>
#include <unordered_map>
#include <vector>

struct Access {
  uint64_t Address;
  unsigned Size;
  bool IsWrite;
};

// A decoded instruction of x86-64.
struct Instruction {
  ZydisDecodedInstruction Decoded;
  ZydisDecodedOperand Operands[ZYDIS_MAX_OPERAND_COUNT];

  bool isLocked() const;
  bool isFence() const;
  bool isSystemCall() const {
    return Decoded.mnemonic == ZYDIS_MNEMONIC_SYSCALL;
  }
  // A string instruction stops after each of its repetitions.
  bool isRepeated() const;
  // Adds the memory that the instruction will access when it is executed with
  // these registers. What it reads and writes counts as a write.
  void findAccesses(const user_regs_struct &Registers,
                    std::vector<Access> &Accesses) const;
};

// Reads a process's instructions. Code does not change.
class Decoder {
public:
  Decoder();
  const Instruction &at(pid_t Process, uint64_t Address);

private:
  ZydisDecoder Machine;
  std::unordered_map<uint64_t, Instruction> Known;
};

// Ends the program with a message.
[[noreturn]] void fail(const char *What, uint64_t Number = 0);

#endif // INSTRUCTION_H
