//===- BinaryNames.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a binary trace says about its numbers: names, and the code that stands
// behind locations.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_BINARYNAMES_H
#define ATSAN_TRACE_BINARYNAMES_H

#include "lib/event/BinaryFormat.h"
#include "lib/event/Event.h"
#include "lib/trace/Symbolizer.h"
#include <map>
#include <unordered_map>

namespace atsan::trace {

/// Not thread-safe.
class BinaryNames final : public Names {
public:
  /// Reads a record behind its Tag; null if it is damaged, or of an unknown
  /// kind.
  const uint8_t *read(uint8_t Tag, const uint8_t *In, const uint8_t *End);

  std::string thread(uint32_t Thread) const override;
  std::string variable(uint64_t Address) const override;
  std::string lock(uint64_t Address) const override;
  std::string region(uint64_t Name) const override;
  std::vector<Frame> stack(uint32_t Location) const override;
  std::string location(uint32_t Location) const override;

  // What was recorded of a module and of a code address, for copies.
  struct Module {
    uint64_t Begin;
    uint64_t End;
    uint64_t Bias;
    std::string Path;
    std::string BuildId; ///< The bytes of the id.
  };
  struct Code {
    uint64_t Address;
    uint32_t Module; ///< An index; NoModule: not known.
  };
  static constexpr uint32_t NoModule = UINT32_MAX;
  const std::vector<Module> &modules() const { return Modules; }
  /// The code of a location; null: not known.
  const std::vector<Code> *code(uint32_t Location) const;
  /// The name of a thing; null: it has no name of its own.
  const std::string *find(binary::NameOf Of, uint64_t Number) const;

private:
  const uint8_t *readName(const uint8_t *In, const uint8_t *End);
  const uint8_t *readModule(const uint8_t *In, const uint8_t *End);
  const uint8_t *readLocation(const uint8_t *In, const uint8_t *End);
  uint32_t moduleAt(uint64_t Address) const;
  std::string nameOf(binary::NameOf Of, uint64_t Address) const;
  bool isAsTraced(const Module &M) const;

  std::unordered_map<uint64_t, std::string> Texts[binary::NumNameKinds];
  std::vector<Module> Modules;
  std::unordered_map<uint32_t, std::vector<Code>> Locations;
  mutable Symbolizer Symbols;
  mutable std::map<std::pair<std::string, std::string>, bool> AsTraced;
  mutable std::unordered_map<uint32_t, std::string> ShortLocations;
  /// What is said of the addresses of variables and locks without a name.
  mutable std::unordered_map<uint64_t, std::string> Globals;
};

} // namespace atsan::trace

#endif // ATSAN_TRACE_BINARYNAMES_H
