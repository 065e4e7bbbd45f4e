//===- NetReaderFuzzer.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a text consists of: a reader of nets takes it, or refuses it with
// one line that names the file and the line. What was read is written, and read
// again as the same net. The first byte chooses the format.
//
//===----------------------------------------------------------------------===//

#include "lib/net/Formats.h"
#include <cstdlib>

using namespace atsan::net;

static void require(bool Condition) {
  if (!Condition)
    std::abort();
}

static void requireSame(const Net &A, const Net &B) {
  require(A.Places.size() == B.Places.size() && A.Initial == B.Initial);
  require(A.Transitions.size() == B.Transitions.size());
  for (size_t T = 0; T < A.Transitions.size(); ++T)
    require(A.Transitions[T].Pre == B.Transitions[T].Pre &&
            A.Transitions[T].Post == B.Transitions[T].Post);
}

static void tryOne(const std::string &Text, const std::string &File) {
  Net N;
  try {
    N = readByName(Text, File);
  } catch (const NetError &Error) {
    const std::string Message = Error.what();
    require(Message.rfind(File + ":", 0) == 0);
    require(Message.find('\n') == std::string::npos);
    return;
  }
  if (!N.Places.empty() && !N.Targets.empty())
    requireSame(N, readSpec(writeSpec(N), "written.spec"));
  requireSame(N, readPnml(writePnml(N), "written.pnml"));
  requireSame(N, readLlNet(writeLlNet(N), "written.ll_net"));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (!Size)
    return 0;
  static const char *const Files[] = {"n.spec", "n.pnml", "n.ll_net"};
  const std::string Text(reinterpret_cast<const char *>(Data) + 1, Size - 1);
  tryOne(Text, Files[Data[0] % 3]);
  return 0;
}
