//===- BuildId.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/BuildId.h"
#include "lib/trace/BinaryBlocks.h"
#include <cstring>
#include <elf.h>

using namespace atsan::trace;

/// Reads a structure of the file; false if the file ends before.
template <typename T>
static bool readAt(const RandomAccess &File, uint64_t Offset, T &To) {
  return File.read(Offset, &To, sizeof(T)) == sizeof(T);
}

/// Looks for the id in a segment of notes.
static std::string findId(const RandomAccess &File, uint64_t At,
                          uint64_t Size) {
  constexpr auto Aligned = [](uint64_t N) { return (N + 3) / 4 * 4; };
  constexpr uint64_t MostBytes = 256;
  Elf64_Nhdr Note;
  for (const uint64_t End = At + Size; At < End && readAt(File, At, Note);) {
    const uint64_t Name = At + sizeof(Note);
    const uint64_t Id = Name + Aligned(Note.n_namesz);
    char Owner[4];
    if (Note.n_type == NT_GNU_BUILD_ID && Note.n_namesz == sizeof(Owner) &&
        Note.n_descsz <= MostBytes && readAt(File, Name, Owner) &&
        !std::memcmp(Owner, ELF_NOTE_GNU, sizeof(Owner))) {
      std::string Bytes(Note.n_descsz, '\0');
      Bytes.resize(File.read(Id, Bytes.data(), Bytes.size()));
      return Bytes;
    }
    At = Id + Aligned(Note.n_descsz);
  }
  return std::string();
}

std::optional<std::string> atsan::trace::buildIdOf(const std::string &Path) {
  std::string Error;
  const std::unique_ptr<RandomAccess> File = openFile(Path, Error);
  if (!File)
    return std::nullopt;
  std::string Id;
  Elf64_Ehdr Header;
  if (!readAt(*File, 0, Header) ||
      std::memcmp(Header.e_ident, ELFMAG, SELFMAG) != 0 ||
      Header.e_ident[EI_CLASS] != ELFCLASS64)
    return Id;
  Elf64_Phdr Segment;
  for (unsigned I = 0; I < Header.e_phnum && Id.empty(); ++I)
    if (readAt(*File, Header.e_phoff + I * sizeof(Segment), Segment) &&
        Segment.p_type == PT_NOTE)
      Id = findId(*File, Segment.p_offset, Segment.p_filesz);
  return Id;
}
