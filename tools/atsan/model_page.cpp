//===- model_page.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A page about a net or a model.
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/model_page.h"

#include "lib/net/Dot.h"
#include "lib/report/Files.h"
#include "lib/report/Markup.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/child_process.h"
#include "tools/atsan/output_file.h"
#include "tools/atsan/scratch_folder.h"

namespace atsan::tool {

using report::escape;

namespace {

constexpr double SecondsToDraw = 60;

constexpr char Style[] = R"(
body { font: 15px/1.45 system-ui, sans-serif; max-width: 75rem;
  margin: 2rem auto; padding: 0 1rem; color: #1b1f24; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; }
pre { background: #f6f8fa; border: 1px solid #d0d7de; border-radius: 6px;
  padding: .6rem; overflow-x: auto; font-size: .85em; }
.picture { overflow-x: auto; }
)";

/// Returns the picture as an element of a page, or a sentence why there is
/// none.
std::string draw(const Picture &P, const ScratchFolder &In) {
  const std::string Dot = In.file("picture.dot"), Svg = In.file("picture.svg");
  writeWhole(Dot, P.Dot, true);
  RunResult Drawn;
  try {
    Drawn = waitFor(
        startCommand({"dot", "-Tsvg", "-o", Svg, Dot}, "", In.file("messages")),
        SecondsToDraw);
  } catch (const InputError &) {
    throw InputError("there is no graphviz to draw with; install it (Debian: "
                     "graphviz), or take --dot=FILE");
  }
  std::string Text;
  const size_t Begin = !Drawn.ExitCode && !Drawn.Signal && !Drawn.TimedOut &&
                               report::readFile(Svg, Text)
                           ? Text.find("<svg")
                           : std::string::npos;
  if (Begin == std::string::npos)
    return "<p>graphviz has not drawn it, for which it has a minute; "
           "--dot=FILE "
           "writes what it was to draw.</p>\n";
  return "<div class=\"picture\">\n" + Text.substr(Begin) + "</div>\n";
}

} // namespace

Picture pictureOf(const net::Net &N, net::Engine E, const net::Prefix &P,
                  const net::Run *Witness) {
  if (E == net::Engine::Unfolding)
    return {"Unfolding", net::dotOfPrefix(N, P)};
  return {"Net", net::dotOfNet(N, Witness)};
}

void writeModelPage(const std::string &File, const ModelPage &P, bool Replace) {
  const ScratchFolder Scratch;
  std::string Page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                     "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                     "content=\"width=device-width\">\n<title>" +
                     escape(P.Title) + "</title>\n<style>" + Style +
                     "</style>\n</head>\n<body>\n<main>\n<h1>" +
                     escape(P.Title) + "</h1>\n<pre>" + escape(P.Text) +
                     "</pre>\n";
  for (const Picture &Of : P.Pictures)
    Page += "<h2>" + escape(Of.Title) + "</h2>\n" + draw(Of, Scratch);
  writeWhole(File, Page + "</main>\n</body>\n</html>\n", Replace);
}

} // namespace atsan::tool
