//===- BinaryDecoder.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/BinaryDecoder.h"

namespace atsan::trace {

using namespace binary;

void BinaryDecoder::start(uint32_t Of, uint64_t FirstRun,
                          const uint8_t *Records, size_t Size) {
  Thread = Of;
  Run = FirstRun;
  Begin = At = Records;
  End = Records + Size;
  Repeats = Many = 0;
  Known.reset();
}

bool BinaryDecoder::fail(const char *Why) {
  Problem = Why;
  return false;
}

bool BinaryDecoder::finish(uint64_t Key, uint64_t Address, uint64_t Size,
                           Event &E) {
  const uint8_t Shape = Predictor::shapeOf(Key);
  const unsigned Kind = Shape & ShapeKind;
  if (Kind >= NumEventKinds)
    return fail("an event of unknown kind");
  E.Address = Address;
  E.Size = Size;
  E.Thread = Thread;
  E.Location = Predictor::locationOf(Key);
  E.Kind = static_cast<EventKind>(Kind);
  E.IsAtomic = Shape & ShapeAtomic;
  E.IsStack = !isAccess(E.Kind) && (Shape & ShapeStack);
  E.IsFailedExchange =
      E.Kind == EventKind::Read && (Shape & ShapeFailedExchange);
  return true;
}

bool BinaryDecoder::predicted(Event &E) {
  const uint64_t Key = Known.predictedKey();
  if (!Key)
    return fail("an event that follows from nothing before");
  Predictor::Site &S = Known.enter(Key);
  const uint64_t Address = S.Address + S.Step;
  Known.update(S, Address, S.Size);
  return finish(Key, Address, S.Size, E);
}

bool BinaryDecoder::readEvent(uint8_t Tag, Event &E) {
  const char *const Cut = "an event that is cut";
  uint64_t Key = Known.predictedKey();
  if (Tag & HasSite) {
    uint64_t N;
    if (!takeNumber(At, End, &N))
      return fail(Cut);
    const uint64_t Location = Known.lastLocation() + unzigzag(N >> ShapeBits);
    if (Location > UINT32_MAX)
      return fail("a location of more than 32 bits");
    Key = Predictor::keyOf(static_cast<uint32_t>(Location),
                           N & ((1 << ShapeBits) - 1));
  }
  if (!Key)
    return fail("an event that follows from nothing before");
  const uint64_t LastAddress = Known.lastAddress();
  Predictor::Site &S = Known.enter(Key);
  uint64_t Size = S.Size, Address = S.Address + S.Step, Difference;
  if (Tag & HasSize) {
    if (!takeNumber(At, End, &Difference))
      return fail(Cut);
    Size += unzigzag(Difference);
  }
  if (Tag & AddressMask) {
    if (!takeNumber(At, End, &Difference))
      return fail(Cut);
    Address = (Tag & AddressMask) == AddressFromLast ? LastAddress : S.Address;
    Address += unzigzag(Difference);
  }
  Known.update(S, Address, Size);
  return finish(Key, Address, Size, E);
}

bool BinaryDecoder::readMany(Event &E) {
  const char *const Cut = "a loop's accesses that are cut";
  uint64_t Count, Difference;
  if (!takeNumber(At, End, &Count) || !takeNumber(At, End, &Difference) ||
      At == End)
    return fail(Cut);
  if (!Count || Count > MaxMany)
    return fail("a loop of none, or too many, accesses");
  Many = Count - 1;
  Step = unzigzag(Difference);
  const uint8_t Tag = *At++;
  if (Tag && Tag <= MaxRepeat)
    return Tag == 1 ? predicted(E) : fail("a loop of more than one event");
  if ((Tag & 0xc0) != EventTag)
    return fail("a loop without an event");
  return readEvent(Tag, E);
}

bool BinaryDecoder::readRun(uint8_t Tag) {
  uint64_t More = Tag - RunTag + 1u;
  if (Tag == LongRunTag && !takeNumber(At, End, &More))
    return fail("the number of a run that is cut");
  if (!More || Run + More < Run)
    return fail("the number of a run that is not above the former");
  Run += More;
  return true;
}

BinaryDecoder::Stop BinaryDecoder::decode(std::vector<Event> &Out, size_t Limit,
                                          BinaryNames &Names) {
  Event E;
  for (;;) {
    for (; Repeats && Out.size() < Limit; --Repeats) {
      if (!predicted(E)) {
        --At;
        return Stop::Damage;
      }
      Out.push_back(E);
    }
    for (; Many && Out.size() < Limit; --Many) {
      Next.Address += Step;
      Out.push_back(Next);
    }
    if (Out.size() >= Limit)
      return Stop::Full;
    if (At == End)
      return Stop::BlockEnd;
    const uint8_t *const Record = At;
    const uint8_t Tag = *At++;
    bool Good;
    if (Tag && Tag <= MaxRepeat) {
      Repeats = Tag;
      continue;
    }
    if ((Tag & 0xc0) == EventTag) {
      Good = readEvent(Tag, E);
      if (Good)
        Out.push_back(E);
    } else if ((Tag & 0xc0) == RunTag) {
      Good = readRun(Tag);
      if (Good)
        return Stop::Run;
    } else if (Tag == ManyTag) {
      Good = readMany(Next);
      if (Good)
        Out.push_back(Next);
    } else {
      At = Names.read(Tag, At, End);
      Good = At || fail("a name, module or location that is cut or unknown");
    }
    if (!Good) {
      At = Record;
      return Stop::Damage;
    }
  }
}

} // namespace atsan::trace
