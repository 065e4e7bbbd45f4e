//===- FormatsTest.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is read from texts, what is refused with which words, and that what was
// written is read as the same net.
//
//===----------------------------------------------------------------------===//

#include "lib/net/Formats.h"
#include "test/unit/net/RandomNet.h"
#include <gtest/gtest.h>

using namespace atsan::net;
using namespace atsan::net::test;

namespace {

/// The message of the reader, empty if it reads.
std::string refusal(Net (*Read)(const std::string &, const std::string &),
                    const std::string &Text) {
  try {
    Read(Text, "f");
    return "";
  } catch (const NetError &Error) {
    return Error.what();
  }
}

const std::string Head = "vars\n  x y\nrules\n";
const std::string Tail = "init\n  x = 1, y >= 2\ntarget\n  y >= 3\n";

TEST(Spec, ReadsGuardsAndEffects) {
  const Net N =
      readSpec(Head + "  x >= 2, y >= 1 -> x' = x - 1, y' = y + 3;\n" +
                   "# a comment\n y >= 1 -> ;\n" + Tail +
                   "  x >= 1, y >= 1\ninvariants\n  x = 1, y = 2\n",
               "f");
  ASSERT_EQ(N.Transitions.size(), 2u);
  EXPECT_EQ(N.Transitions[0].Pre, (Marking{{0, 2}, {1, 1}}));
  EXPECT_EQ(N.Transitions[0].Post, (Marking{{0, 1}, {1, 4}}));
  EXPECT_EQ(N.Transitions[1].Pre, N.Transitions[1].Post);
  EXPECT_EQ(N.Initial, (Marking{{0, 1}, {1, 2}}));
  EXPECT_EQ(N.OrMore, (std::vector<PlaceId>{1}));
  EXPECT_EQ(N.Targets, (std::vector<Marking>{{{1, 3}}, {{0, 1}, {1, 1}}}));
}

TEST(Spec, RefusesWithLineAndRemedy) {
  EXPECT_EQ(refusal(readSpec, Head + "  x = 0 -> y' = y + 1;\n" + Tail),
            "f:4: expected '>=', but found '='; tests for zero are no Petri "
            "nets: only guards of the form 'x >= n' can be decided");
  const std::string Transfer =
      "f:4: transfers and resets are no Petri nets: only effects of the form "
      "'x' = x + n' and 'x' = x - n' can be decided";
  EXPECT_EQ(refusal(readSpec, Head + "  x >= 1 -> y' = x + y + 0;\n" + Tail),
            Transfer);
  EXPECT_EQ(refusal(readSpec, Head + "  x >= 1 -> y' = y + x;\n" + Tail),
            Transfer);
  EXPECT_EQ(refusal(readSpec, Head + "  x >= 1 -> y' = 0;\n" + Tail), Transfer);
  EXPECT_EQ(refusal(readSpec, Head + "  z >= 1 -> ;\n" + Tail),
            "f:4: there is no variable 'z'; declare it behind 'vars'");
  EXPECT_EQ(refusal(readSpec, "vars x x"),
            "f:1: the variable 'x' is declared twice; remove one");
  EXPECT_EQ(refusal(readSpec, ""),
            "f:1: expected the section 'vars', but found the end of the file; "
            "the sections are vars, rules, init, target, invariants");
  EXPECT_EQ(refusal(readSpec, Head + "init\n x = 99999999999\n"),
            "f:5: a number of tokens is larger than 4294967294; use smaller "
            "numbers");
}

TEST(LlNet, ReadsTokensWeightsAndNumbersThatAreLeftOut) {
  const Net N = readLlNet("PEP\nPetriBox\nFORMAT_N\nDPL s7n10@-9\nPL\n"
                          "\"a M7\"1@2b\"M5\"M2m2\n7\"b\"3@4a-1@2\nTR\n"
                          "\"t\"5@6\nTP\n1<7w3J1@2\nPT\n1>1\n",
                          "f");
  EXPECT_EQ(N.Places, (std::vector<std::string>{"a M7", "b"}));
  EXPECT_EQ(N.Initial, (Marking{{0, 2}}));
  ASSERT_EQ(N.Transitions.size(), 1u);
  EXPECT_EQ(N.Transitions[0].Pre, (Marking{{0, 1}}));
  EXPECT_EQ(N.Transitions[0].Post, (Marking{{1, 3}}));
}

TEST(LlNet, RefusesWithLineAndRemedy) {
  EXPECT_EQ(refusal(readLlNet, "PEP\nPTNet\nFORMAT_N\nPL\n1\"a\"\nTR\n1\"t\"\n"
                               "TP\n1<2\n"),
            "f:9: there is no place 2; declare it before its arcs");
  EXPECT_EQ(refusal(readLlNet, "PEP\nPTNet\nFORMAT_N\nPL\n1\"a\"\n1\"b\"\n"),
            "f:6: the number 1 is given twice; number objects differently");
  EXPECT_EQ(refusal(readLlNet, "<pnml/>"),
            "f:1: the file does not begin with 'PEP'; a low-level net of PEP "
            "does");
}

const std::string Pnml =
    "<?xml version='1.0'?>\n<pnml><net id='n' type='ptnet'><page id='g'>\n"
    "<place id='p'><name><text>free</text></name>\n"
    "<initialMarking><text> 2 </text></initialMarking></place>\n"
    "<page id='h'><referencePlace id='r' ref='p'/>\n"
    "<transition id='t'/></page>\n";

TEST(PnmlFormat, ReadsPagesReferencesAndInscriptions) {
  const Net N = readPnml(
      Pnml + "<arc id='a' source='r' target='t'><inscription><text>3</text>"
             "</inscription></arc></page></net></pnml>",
      "f");
  EXPECT_EQ(N.Places, (std::vector<std::string>{"free"}));
  EXPECT_EQ(N.Initial, (Marking{{0, 2}}));
  ASSERT_EQ(N.Transitions.size(), 1u);
  EXPECT_EQ(N.Transitions[0].Pre, (Marking{{0, 3}}));
}

TEST(PnmlFormat, RefusesWithLineAndRemedy) {
  EXPECT_EQ(refusal(readPnml, Pnml + "<arc id='a' source='x' target='t'/>"
                                     "</page></net></pnml>"),
            "f:7: the arc from 'x' to 't' does not join a place and a "
            "transition of the net");
  EXPECT_EQ(refusal(readPnml, Pnml + "<arc id='a' source='p' target='t'>"
                                     "<type value='inhibitor'/></arc>"
                                     "</page></net></pnml>"),
            "f:7: the arc is of type 'inhibitor'; only normal arcs make a "
            "place/transition net");
  EXPECT_NE(refusal(readPnml, "<pnml>\n<net>")
                .find("f:2: this is no "
                      "well-formed XML"),
            std::string::npos);
  EXPECT_EQ(refusal(readPnml, "<html/>"),
            "f:1: the document is <html>; PNML begins with <pnml>");
}

/// Equal but for the names of transitions, which `.spec` does not have.
void expectSame(const Net &A, const Net &B) {
  EXPECT_EQ(A.Places, B.Places);
  EXPECT_EQ(A.Initial, B.Initial);
  ASSERT_EQ(A.Transitions.size(), B.Transitions.size());
  for (size_t T = 0; T < A.Transitions.size(); ++T) {
    EXPECT_EQ(A.Transitions[T].Pre, B.Transitions[T].Pre);
    EXPECT_EQ(A.Transitions[T].Post, B.Transitions[T].Post);
  }
}

TEST(Formats, WhatWasWrittenIsReadAsTheSameNet) {
  for (uint64_t Seed = 0; Seed < 500; ++Seed) {
    std::mt19937_64 Dice(Seed);
    Net N = Seed % 2 ? randomNet(Dice) : randomSafeNet(Dice);
    const Net Spec = readSpec(writeSpec(N), "f");
    expectSame(N, Spec);
    EXPECT_EQ(N.OrMore, Spec.OrMore);
    EXPECT_EQ(N.Targets, Spec.Targets);
    expectSame(N, readPnml(writePnml(N), "f"));
    expectSame(N, readLlNet(writeLlNet(N), "f"));
    if (HasFailure())
      FAIL() << "seed " << Seed << '\n' << writeSpec(N);
  }
}

TEST(Formats, NamesTheRemedyForOthers) {
  EXPECT_EQ(refusal(readByName, "x").substr(0, 41),
            "f: the ending names no format of nets; us");
  Net N;
  N.Places = {"p", "r"};
  addTarget(N, " p >= 2 ,r");
  EXPECT_EQ(N.Targets, (std::vector<Marking>{{{0, 2}, {1, 1}}}));
  EXPECT_THROW(addTarget(N, "p>=2, p>=3"), NetError);
  EXPECT_THROW(addTarget(N, "q"), NetError);
  EXPECT_THROW(addTarget(N, "p>=x"), NetError);
  N.OrMore = {0};
  EXPECT_THROW(writeByName(N, "f.pnml"), NetError);
}

} // namespace
