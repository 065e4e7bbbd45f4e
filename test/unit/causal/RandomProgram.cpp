//===- RandomProgram.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/causal/RandomProgram.h"

namespace atsan::causal::test {

namespace {

class Generator {
public:
  explicit Generator(std::mt19937_64 &Dice) : Dice(Dice) {}

  std::string program(const std::string &Count, bool MaySelf, bool MaySync) {
    Text = "int x; int y; int a[2]; lock l; lock m;\n";
    HasSync = MaySync;
    if (HasSync)
      Text += "sync int[0..2] s; sync bool b[2];\n";
    HasSelf = MaySelf;
    thread("T" + Count);
    HasSelf = false;
    thread("U");
    if (upTo(7) == 0)
      thread("V");
    return Text;
  }

private:
  std::mt19937_64 &Dice;
  std::string Text;
  bool HasSelf = false, HasSync = false;
  bool InBlock = false;

  uint64_t upTo(uint64_t Most) { return Dice() % (Most + 1); }

  void thread(const std::string &Name) {
    Text += "thread " + Name + " {\nint[0..2] k;\n";
    const bool Loops = upTo(3) == 0;
    if (Loops)
      Text += "while (true) {\n";
    body(2, 2);
    if (Loops)
      Text += "}\n";
    Text += "}\n";
  }

  void body(unsigned Most, unsigned Depth) {
    const uint64_t Count = 1 + upTo(Most - 1);
    for (uint64_t I = 0; I < Count; ++I)
      statement(Depth);
  }

  std::string variable() {
    static const char *const Names[] = {"x", "y", "x", "a[0]", "a[1]"};
    if (HasSelf && upTo(1))
      return upTo(1) ? "a[self]" : "a[1 - self]";
    // Which element is data: any.
    if (upTo(11) == 0)
      return "a[x]";
    return Names[upTo(4)];
  }

  const char *lock() { return upTo(3) ? "l" : "m"; }

  void nested(const std::string &Head, unsigned Depth,
              const std::string &Tail = "}\n") {
    Text += Head;
    body(2, Depth - 1);
    Text += Tail;
  }

  /// What only makes sense where values are kept.
  void syncStatement(unsigned Depth) {
    switch (upTo(Depth ? 6 : 3)) {
    case 0:
      Text += "s := " + std::to_string(upTo(2)) + ";\n";
      return;
    case 1:
      Text += "k := s; s := (k + 1) % 3;\n";
      return;
    case 2:
      Text += "cas(s, " + std::to_string(upTo(2)) + ", " +
              std::to_string(upTo(2)) + ");\n";
      return;
    case 3:
      Text += upTo(1) ? "assume(s != k);\n"
                      : "step { k := s; s := (s + k) % 3; }\n";
      return;
    case 4:
      return nested("if (b[k % 2]) {\n", Depth);
    case 5:
      Text += "b[0] := !b[1];\n";
      return;
    default:
      return nested("while (s != 1) {\n", Depth);
    }
  }

  void statement(unsigned Depth) {
    if (HasSync && upTo(2) == 0)
      return syncStatement(Depth);
    switch (upTo(Depth ? 13 : 5)) {
    case 0:
    case 1:
      Text += variable() + " := 1;\n";
      return;
    case 2:
      Text += "if (" + variable() + " == 0) { skip; }\n";
      return;
    case 3:
      Text += variable() + " := " + variable() + " + 1;\n";
      return;
    case 4:
      Text += "step { " + variable() + " := " + variable() + "; " +
              (upTo(1) ? variable() + " := 2; " : "") + "}\n";
      return;
    case 5:
      if (upTo(1))
        Text +=
            std::string(upTo(1) ? "acquire(" : "release(") + lock() + ");\n";
      else
        Text += InBlock && upTo(2) == 0 ? "if (choose) { restart; }\n"
                                        : "cas(x, 0, 1);\n";
      return;
    case 6:
    case 7:
    case 8: {
      const std::string L = lock();
      nested("acquire(" + L + ");\n", Depth, "release(" + L + ");\n");
      return;
    }
    case 9:
      nested("if (choose) {\n", Depth);
      return;
    case 10:
      nested("while (choose) {\n", Depth);
      return;
    default: {
      const bool Outer = InBlock;
      InBlock = true;
      nested("atomic {\n", Depth);
      InBlock = Outer;
    }
    }
  }
};

} // namespace

std::string randomProgram(std::mt19937_64 &Dice, const std::string &Count,
                          bool MaySelf, bool MaySync) {
  return Generator(Dice).program(Count, MaySelf, MaySync);
}

} // namespace atsan::causal::test
