//===- model_page.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A page about a net or a model, with pictures that graphviz draws. Findings of
// runs have the page of `atsan report`.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_MODEL_PAGE_H
#define ATSAN_TOOLS_ATSAN_MODEL_PAGE_H

#include "lib/net/Unfolding.h"
#include <string>
#include <vector>

namespace atsan::tool {

struct Picture {
  std::string Title;
  std::string Dot; ///< In graphviz' language.
};

/// What \p E has worked on: its prefix, or the net with the steps of the run
/// (null: none) marked.
Picture pictureOf(const net::Net &N, net::Engine E, const net::Prefix &P,
                  const net::Run *Witness);

struct ModelPage {
  std::string Title;
  std::string Text; ///< What is printed, too.
  std::vector<Picture> Pictures;
};

/// Draws the pictures, and writes the page as a whole. Throws InputError if
/// graphviz is missing. What it fails to draw, or has not drawn in a minute, is
/// left out, with a sentence on the page.
void writeModelPage(const std::string &File, const ModelPage &P, bool Replace);

} // namespace atsan::tool

#endif
