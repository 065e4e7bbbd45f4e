//===- model_json.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the JSON of analyses of nets and blocks has in common
// (schema/atsan-model-1.schema.json). Analyses of runs write the JSON of
// `atsan check`.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_MODEL_JSON_H
#define ATSAN_TOOLS_ATSAN_MODEL_JSON_H

#include <nlohmann/json.hpp>

namespace atsan::tool {

/// The begin of the object.
inline nlohmann::ordered_json modelJson(const std::string &File,
                                        const char *Analysis) {
  nlohmann::ordered_json J;
  J["schema"] = "atsan-model-1";
  J["version"] = ATSAN_VERSION;
  J["file"] = File;
  J["analysis"] = Analysis;
  return J;
}

} // namespace atsan::tool

#endif
