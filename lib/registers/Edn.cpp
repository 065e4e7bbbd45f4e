//===- Edn.cpp ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Edn.h"

using namespace atsan::registers;

const Edn *Edn::find(std::string_view Key) const {
  for (size_t I = 0; I + 1 < Items.size(); I += 2)
    if (Items[I].Is == Atom && Items[I].Text == Key)
      return &Items[I + 1];
  return nullptr;
}

bool EdnParser::skipBlanks() {
  for (;;) {
    while (!Rest.empty() &&
           std::string_view(" \t,\r\f").find(Rest[0]) != std::string_view::npos)
      take();
    if (!Rest.empty() && Rest[0] != ';')
      return true;
    if (!From.next(Rest))
      return false;
  }
}

static FormatError cut() {
  return FormatError("the file ends within a form; it is cut");
}

bool EdnParser::nextMap(Edn &Out, uint64_t &Line) {
  for (;;) {
    if (!skipBlanks()) {
      if (!Open.empty())
        throw cut();
      return false;
    }
    Line = From.number();
    const char C = peek();
    if (C == '[' || C == '(') {
      Open += C == '[' ? ']' : ')';
      take();
    } else if (!Open.empty() && C == Open.back()) {
      Open.pop_back();
      take();
    } else {
      Out = form(0);
      if (Out.Is == Edn::Map)
        return true;
      throw FormatError("this is no map; a history has maps such as {:process "
                        "0, :type :invoke, :f :read, :value nil}");
    }
    if (Open.size() > Deepest)
      throw FormatError("brackets are nested too deeply; is this a history?");
  }
}

Edn EdnParser::form(unsigned Depth) {
  if (Depth > Deepest)
    throw FormatError("brackets are nested too deeply; is this a history?");
  if (!skipBlanks())
    throw cut();
  Edn Out;
  switch (peek()) {
  case '{':
    Out.Is = Edn::Map;
    items('}', Depth, Out.Items);
    if (Out.Items.size() % 2)
      throw FormatError("a map has a key without a value");
    return Out;
  case '[':
    Out.Is = Edn::Sequence;
    items(']', Depth, Out.Items);
    return Out;
  case '(':
    Out.Is = Edn::Sequence;
    items(')', Depth, Out.Items);
    return Out;
  case '"':
    Out.Is = Edn::String;
    Out.Text = string();
    return Out;
  case '#':
    take();
    if (!Rest.empty() && peek() == '{') { // A set.
      Out.Is = Edn::Sequence;
      items('}', Depth, Out.Items);
      return Out;
    }
    if (!Rest.empty() && peek() == '_') { // The next form does not count.
      take();
      form(Depth + 1);
      return form(Depth + 1);
    }
    atom(); // A tag, which says of what type the next form is.
    return form(Depth + 1);
  default:
    Out.Text = atom();
    return Out;
  }
}

void EdnParser::items(char Close, unsigned Depth, std::vector<Edn> &Out) {
  take();
  for (;;) {
    if (!skipBlanks())
      throw cut();
    if (peek() == Close) {
      take();
      return;
    }
    Out.push_back(form(Depth + 1));
  }
}

std::string EdnParser::string() {
  take();
  std::string Out;
  for (;;) {
    if (Rest.empty()) { // A string may go on in the next line.
      if (!From.next(Rest))
        throw cut();
      Out += '\n';
      continue;
    }
    char C = peek();
    take();
    if (C == '"')
      return Out;
    if (C == '\\' && !Rest.empty()) {
      C = peek();
      take();
      C = C == 'n' ? '\n' : C == 't' ? '\t' : C == 'r' ? '\r' : C;
    }
    Out += C;
  }
}

std::string EdnParser::atom() {
  const size_t End = Rest.find_first_of(" \t,\r\f;{}[]()\"");
  std::string Out(Rest.substr(0, End));
  if (Out.empty())
    throw FormatError(
        Rest.empty() ? std::string("the line ends within a form")
                     : std::string("'") + Rest[0] +
                           "' stands where a form should begin; is a bracket "
                           "missing?");
  Rest.remove_prefix(Out.size());
  return Out;
}
