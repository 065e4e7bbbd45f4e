//===- card_terminal.h - Makes the order of events certain ------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first customer's card terminal answers only after the second customer has
// been served: bad luck on a real day, here on every run.
//
//===----------------------------------------------------------------------===//

#ifndef CARD_TERMINAL_H
#define CARD_TERMINAL_H

#include <cstdio>
#include <unistd.h>

class CardTerminal {
public:
  CardTerminal() {
    if (pipe(InUse) || pipe(Answer))
      perror("pipe");
  }
  /// Returns when the terminal has answered.
  void slowPayment() {
    char Byte = 'x';
    if (write(InUse[1], &Byte, 1) != 1 || read(Answer[0], &Byte, 1) != 1)
      perror("card terminal");
  }
  void waitUntilInUse() {
    char Byte;
    if (read(InUse[0], &Byte, 1) != 1)
      perror("card terminal");
  }
  void answer() {
    if (write(Answer[1], "x", 1) != 1)
      perror("card terminal");
  }

private:
  int InUse[2], Answer[2];
};

#endif
