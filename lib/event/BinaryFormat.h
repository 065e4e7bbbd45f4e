//===- BinaryFormat.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What binary traces are made of (docs/trace-format.md): the headers, numbers,
// and the predictor that both sides keep. Without a library, since the runtime
// has none: the traced program, the hosted writer and the reader share this.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_EVENT_BINARYFORMAT_H
#define ATSAN_EVENT_BINARYFORMAT_H

#include "lib/event/EventKind.h"
#include <stddef.h>
#include <stdint.h>

namespace atsan::trace::binary {

// --- The file: a header, then blocks, one after the other. -------------------

constexpr char FileMagic[8] = {'A', 't', 'S', 'a', 'n', 'T', 'r', '1'};
constexpr uint32_t ByteOrderMark = 0x01020304;
constexpr uint32_t Version = 3;
/// The oldest version that is read. It lacks the kinds of events behind Wait;
/// the next one that behind HappensAfter.
constexpr uint32_t OldestVersion = 1;
/// The header's room: the first block begins behind it.
constexpr size_t FileHeaderSize = 4096;

/// Why a file does not have all events of the run.
enum class Ending : uint64_t {
  None,      ///< The file has all, up to the program's end or death.
  SizeLimit, ///< trace_size_limit was reached.
  NoSpace,   ///< The disk was full.
};

struct FileHeader {
  char Magic[8];
  uint32_t ByteOrder;
  uint32_t FormatVersion;
  uint64_t Process; ///< The number of the process; 0: none.
  /// When the process began, in the kernel's ticks since boot.
  uint64_t StartTime;
  uint64_t Checksum; ///< Checksum of the bytes before.
  // End and How change while the trace is recorded.
  uint64_t End; ///< How many bytes belong to the file.
  Ending How;
};

constexpr uint64_t BlockMagic = 0x6b636f6c42745341; // "AStBlock"
constexpr size_t MaxBlockSize = 1 << 20;

enum class BlockState : uint64_t {
  /// The block is being written, or nobody finished it.
  Open = 0x4f504f504f504f50,
  Full = 0x2b4655464c464c2b,  ///< The thread's next block continues the block.
  Last = 0x214c4153544c4121u, ///< The thread has no later block.
};

struct BlockHeader {
  uint64_t Magic;
  uint32_t Size; ///< Size of the block with its header, a multiple of 8.
  uint32_t Thread;
  uint64_t Checksum; ///< Checksum of the bytes before.
  // The members below change while the block is written.
  uint64_t FirstRun; ///< The run of the first record; 0: there is none yet.
  uint64_t Used;     ///< How many bytes of records follow the header.
  BlockState State;
  /// Checksum of FirstRun, Used, State and the records; 0 while Open.
  uint64_t RecordsChecksum;
  uint64_t Unused;
};
static_assert(sizeof(BlockHeader) == 64, "in files");

/// FNV-1a over 8 bytes at a time, the last ones filled with zeros. Each step is
/// one-to-one, so any damage within 8 bytes is found for certain.
inline uint64_t checksum(const void *Data, size_t Size, uint64_t Seed = 0) {
  constexpr uint64_t Prime = 0x100000001b3;
  uint64_t Hash = 0xcbf29ce484222325 ^ Seed;
  const auto *P = static_cast<const unsigned char *>(Data);
  for (; Size >= 8; P += 8, Size -= 8) {
    uint64_t Word;
    __builtin_memcpy(&Word, P, 8);
    Hash = (Hash ^ Word) * Prime;
  }
  uint64_t Word = 0;
  for (size_t I = 0; I < Size; ++I)
    Word |= static_cast<uint64_t>(P[I]) << (8 * I);
  return (Hash ^ Word) * Prime;
}

inline uint64_t recordsChecksum(const BlockHeader &H, const void *Records) {
  const uint64_t Changing[] = {H.FirstRun, H.Used,
                               static_cast<uint64_t>(H.State)};
  return checksum(Records, H.Used, checksum(Changing, sizeof(Changing)));
}

// --- Records. ----------------------------------------------------------------

/// The first byte of a record. 0 is no tag: the rest of a block is zeros.
enum RecordTag : uint8_t {
  /// 1 to MaxRepeat: this many events as predicted.
  MaxRepeat = 0x3f,
  /// An event of which something is not as predicted: EventParts are added.
  EventTag = 0x40,
  /// 0x80 to 0xbe: the run is the thread's former one plus 1 to 63.
  RunTag = 0x80,
  MaxShortRun = 63,
  LongRunTag = 0xbf, ///< The run is the former one plus a number that follows.
  LocationTag = 0xc0,
  ModuleTag = 0xc1,
  NameTag = 0xc2,
  ManyTag = 0xc3,
};

enum EventParts : uint8_t {
  HasSite = 1,      ///< A number follows: difference of location, and shape.
  HasSize = 2,      ///< A difference to the site's last size follows.
  AddressMask = 12, ///< The bits of one of the Address values below.
  AddressPredicted = 0,
  /// A difference to the address of the event before follows.
  AddressFromLast = 4,
  AddressFromSite = 8, ///< A difference to the site's last address follows.
};

/// The things that have names. Their numbers are in files.
enum class NameOf : uint8_t { Thread, Variable, Lock, Region, Location };
constexpr unsigned NumNameKinds = static_cast<unsigned>(NameOf::Location) + 1;

constexpr size_t MaxNumberSize = 10;
constexpr size_t MaxEventSize = 1 + 3 * MaxNumberSize;
/// The size of a stamp, ManyTag with its numbers, and the event.
constexpr size_t MaxRecordSize = 4 + 3 * MaxNumberSize + MaxEventSize;
constexpr uint64_t MaxMany = 1 << 24;
constexpr size_t MaxTextSize = 4096;
constexpr size_t MaxBuildIdSize = 64;
constexpr size_t MaxFrames = 255;

// Writes a number with seven bits a byte, the lowest first; the highest bit
// says that more follows.
inline uint8_t *putNumber(uint8_t *Out, uint64_t N) {
  for (; N >= 0x80; N >>= 7)
    *Out++ = static_cast<uint8_t>(N | 0x80);
  *Out++ = static_cast<uint8_t>(N);
  return Out;
}

/// Reads a number. Null if it does not end before End, or has more than 64
/// bits.
inline const uint8_t *getNumber(const uint8_t *In, const uint8_t *End,
                                uint64_t *N) {
  uint64_t Result = 0;
  for (unsigned Shift = 0; In != End && Shift < 64; Shift += 7) {
    const uint8_t Byte = *In++;
    if (Shift == 63 && Byte > 1)
      return nullptr;
    Result |= static_cast<uint64_t>(Byte & 0x7f) << Shift;
    if (!(Byte & 0x80)) {
      *N = Result;
      return In;
    }
  }
  return nullptr;
}

/// Reads a number, and moves In behind it; false if In is null now.
inline bool takeNumber(const uint8_t *&In, const uint8_t *End, uint64_t *N) {
  In = getNumber(In, End, N);
  return In != nullptr;
}

// Makes differences, in 64 bits that wrap around, short if they are small, with
// either sign.
constexpr uint64_t zigzag(uint64_t D) {
  return D << 1 ^ static_cast<uint64_t>(static_cast<int64_t>(D) >> 63);
}
constexpr uint64_t unzigzag(uint64_t N) { return N >> 1 ^ -(N & 1); }

/// An event as a record has it: without its thread.
struct Item {
  uint64_t Address;
  uint64_t Size;
  uint32_t Location;
  uint8_t Shape;
};

constexpr uint8_t ShapeKind = 0x1f;
constexpr uint8_t ShapeAtomic = 0x20;
// One bit, with a meaning for births and deaths, and another one for reads.
constexpr uint8_t ShapeStack = 0x40;
constexpr uint8_t ShapeFailedExchange = 0x40;
constexpr unsigned ShapeBits = 7;

constexpr uint8_t shapeOf(EventKind K, bool IsAtomic = false,
                          bool IsStack = false, bool IsFailedExchange = false) {
  return static_cast<uint8_t>(static_cast<unsigned>(K) |
                              (IsAtomic ? ShapeAtomic : 0u) |
                              (IsStack ? ShapeStack : 0u) |
                              (IsFailedExchange ? ShapeFailedExchange : 0u));
}

/// Tells what the next event will probably be. A site is a location with a
/// shape. It has a successor, and its address goes on by the same step. Writer
/// and reader keep one predictor for each block and update it alike.
class Predictor {
public:
  struct Site {
    uint64_t Key; ///< 0: the site is empty.
    uint64_t Next;
    uint64_t Address;
    uint64_t Size;
    uint64_t Step;     ///< The step that is expected.
    uint64_t LastStep; ///< The step that is expected once it has come twice.
  };

  void reset() { __builtin_memset(this, 0, sizeof(*this)); }

  /// The key of a site; never 0.
  static uint64_t keyOf(uint32_t Location, uint8_t Shape) {
    return static_cast<uint64_t>(Location) << 8 | 0x80 | Shape;
  }
  static uint32_t locationOf(uint64_t Key) {
    return static_cast<uint32_t>(Key >> 8);
  }
  static uint8_t shapeOf(uint64_t Key) { return Key & 0x7f; }

  /// The key of the next event's site; 0: no prediction.
  uint64_t predictedKey() const { return Sites[Current].Next; }
  uint32_t lastLocation() const { return locationOf(Sites[Current].Key); }
  uint64_t lastAddress() const { return LastAddress; }

  /// Goes to the site of the next event. Its members are for the decoding of
  /// the event's address and size; then update() must be called.
  Site &enter(uint64_t Key) {
    Sites[Current].Next = Key;
    Current = Key * 0x9e3779b97f4a7c15 >> (64 - Bits);
    Site &S = Sites[Current];
    if (S.Key != Key)
      S = {Key, 0, LastAddress, 0, 0, 0};
    return S;
  }
  void update(Site &S, uint64_t Address, uint64_t Size) {
    const uint64_t Step = Address - S.Address;
    if (Step == S.LastStep)
      S.Step = Step;
    S.LastStep = Step;
    S.Address = LastAddress = Address;
    S.Size = Size;
  }

private:
  static constexpr unsigned Bits = 8;
  Site Sites[1 << Bits];
  uint64_t Current;
  uint64_t LastAddress;
};

/// Puts the records of one thread into blocks. The caller sees to room:
/// MaxRecordSize for an event. Zero-initialized memory is a fresh one.
class Encoder {
public:
  /// To be called at the begin of a block.
  void reset() {
    Known.reset();
    Repeat = nullptr;
  }

  /// Tells that what was put is elsewhere now.
  void moved() { Repeat = nullptr; }

  uint8_t *run(uint8_t *Out, uint64_t Former, uint64_t Run) {
    Repeat = nullptr;
    const uint64_t More = Run - Former;
    if (More <= MaxShortRun) {
      *Out++ = static_cast<uint8_t>(RunTag + More - 1);
      return Out;
    }
    *Out++ = LongRunTag;
    return putNumber(Out, More);
  }

  /// Puts `Count` events, of which the second one is at Address + Step.
  uint8_t *many(uint8_t *Out, const Item &First, uint64_t Count,
                uint64_t Step) {
    Repeat = nullptr;
    *Out++ = ManyTag;
    Out = putNumber(Out, Count);
    Out = putNumber(Out, zigzag(Step));
    Out = event(Out, First);
    Repeat = nullptr;
    return Out;
  }

  uint8_t *event(uint8_t *Out, const Item &I) {
    const uint64_t Key = Predictor::keyOf(I.Location, I.Shape);
    const uint64_t Predicted = Known.predictedKey();
    const uint32_t LastLocation = Known.lastLocation();
    const uint64_t LastAddress = Known.lastAddress();
    Predictor::Site &S = Known.enter(Key);
    uint8_t Parts = EventTag;
    uint64_t AddressPart = 0;
    if (Key != Predicted)
      Parts |= HasSite;
    if (I.Size != S.Size)
      Parts |= HasSize;
    if (I.Address != S.Address + S.Step) {
      const uint64_t FromLast = zigzag(I.Address - LastAddress);
      const uint64_t FromSite = zigzag(I.Address - S.Address);
      Parts |= FromLast <= FromSite ? AddressFromLast : AddressFromSite;
      AddressPart = FromLast <= FromSite ? FromLast : FromSite;
    }
    if (Parts == EventTag) {
      if (Repeat && *Repeat < MaxRepeat) {
        // One store is enough: the program may be killed at any time.
        __atomic_store_n(Repeat, static_cast<uint8_t>(*Repeat + 1),
                         __ATOMIC_RELAXED);
      } else {
        Repeat = Out;
        *Out++ = 1;
      }
    } else {
      Repeat = nullptr;
      *Out++ = Parts;
      if (Parts & HasSite)
        Out = putNumber(Out,
                        zigzag(static_cast<uint64_t>(I.Location) - LastLocation)
                                << ShapeBits |
                            I.Shape);
      if (Parts & HasSize)
        Out = putNumber(Out, zigzag(I.Size - S.Size));
      if (Parts & AddressMask)
        Out = putNumber(Out, AddressPart);
    }
    Known.update(S, I.Address, I.Size);
    return Out;
  }

  // The functions below put what numbers stand for. They need more room than
  // events: sizes are below.

  uint8_t *name(uint8_t *Out, NameOf Of, uint64_t Number, const char *Text,
                size_t Size) {
    Repeat = nullptr;
    *Out++ = NameTag;
    *Out++ = static_cast<uint8_t>(Of);
    Out = putNumber(Out, Number);
    return putBytes(Out, Text, Size);
  }
  /// Puts code addresses, innermost first; as return addresses, so that the
  /// address before each is in the code that is meant.
  template <class Address>
  uint8_t *location(uint8_t *Out, uint32_t Number, const Address *Code,
                    size_t Count) {
    Repeat = nullptr;
    *Out++ = LocationTag;
    Out = putNumber(Out, Number);
    *Out++ = static_cast<uint8_t>(Count);
    uint64_t Former = 0;
    for (size_t I = 0; I < Count; ++I) {
      Out = putNumber(Out, zigzag(Code[I] - Former));
      Former = Code[I];
    }
    return Out;
  }
  /// Says that addresses Begin to End are of the file Path; minus Bias they are
  /// those in the file's own headers.
  uint8_t *module(uint8_t *Out, uint64_t Begin, uint64_t End, uint64_t Bias,
                  const char *Path, size_t PathSize, const void *BuildId,
                  size_t BuildIdSize) {
    Repeat = nullptr;
    *Out++ = ModuleTag;
    Out = putNumber(Out, Begin);
    Out = putNumber(Out, End - Begin);
    Out = putNumber(Out, zigzag(Begin - Bias));
    Out = putBytes(Out, Path, PathSize);
    return putBytes(Out, BuildId, BuildIdSize);
  }
  static constexpr size_t locationSize(size_t Frames) {
    return 2 + MaxNumberSize * (1 + Frames);
  }
  static constexpr size_t nameSize(size_t Text) {
    return 2 + 2 * MaxNumberSize + Text;
  }
  static constexpr size_t moduleSize(size_t Path, size_t BuildId) {
    return 1 + 5 * MaxNumberSize + Path + BuildId;
  }

private:
  static uint8_t *putBytes(uint8_t *Out, const void *Bytes, size_t Size) {
    Out = putNumber(Out, Size);
    const auto *From = static_cast<const uint8_t *>(Bytes);
    for (size_t I = 0; I < Size; ++I)
      *Out++ = From[I];
    return Out;
  }

  Predictor Known;
  uint8_t *Repeat; ///< The record before, if it counts predicted events.
};

} // namespace atsan::trace::binary

#endif // ATSAN_EVENT_BINARYFORMAT_H
