//===-- hashtable.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All pairs of methods of a synchronized hash table with chains; see
// all_pairs.h for the driver and its regions.
//
// Known violation (the papers call it benign): methods that take another table
// call several of its methods, each of them synchronized, and the table may
// change from one call to the next.
//
//===----------------------------------------------------------------------===//

#include "all_pairs.h"

#include <memory>
#include <string>
#include <utility>

namespace {

const Object kKeys[] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};

class Hashtable : public Monitor {
public:
  using Reference = const Object *;

  Hashtable() : Buckets(11) {}
  explicit Hashtable(Hashtable &Other) : Buckets(11) {
    SynchronizedWith Lock(*this, Other);
    reserve(2 * Other.size());
    putAll(Other);
  }

  // What a client may rely on: as many entries as counted, each with a value.
  bool isValid() {
    Synchronized Lock(*this);
    size_t Entries = 0;
    for (const auto &Chain : Buckets)
      for (const Entry *E = Chain.get(); E; E = E->Next.get(), ++Entries)
        if (!E->Value)
          return false;
    return Entries == Count;
  }

  // So many keys, each for its own value.
  void refill(size_t Size) {
    static std::vector<Object> Keys = [] {
      std::vector<Object> Values(1024);
      for (int I = 0; I < 1024; ++I)
        Values[size_t(I)].Value = I;
      return Values;
    }();
    Synchronized Lock(*this);
    clear();
    for (size_t I = 0; I < Size; ++I)
      put(&Keys[I % 1024], &Keys[I % 1024]);
  }

  size_t size() {
    Synchronized Lock(*this);
    return Count;
  }
  bool isEmpty() {
    Synchronized Lock(*this);
    return Count == 0;
  }
  bool containsValue(Reference Value) {
    Synchronized Lock(*this);
    for (const auto &Chain : Buckets)
      for (const Entry *E = Chain.get(); E; E = E->Next.get())
        if (equal(E->Value, Value))
          return true;
    return false;
  }
  bool containsKey(Reference Key) {
    Synchronized Lock(*this);
    return *find(Key) != nullptr;
  }
  Reference get(Reference Key) {
    Synchronized Lock(*this);
    const Entry *Found = find(Key)->get();
    return Found ? Found->Value : nullptr;
  }
  Reference put(Reference Key, Reference Value) {
    Synchronized Lock(*this);
    if (Entry *Found = find(Key)->get())
      return std::exchange(Found->Value, Value);
    ++Modifications;
    reserve(Count + 1);
    std::unique_ptr<Entry> &Chain = bucket(Key);
    Chain.reset(new Entry{Key, Value, std::move(Chain)});
    ++Count;
    return nullptr;
  }
  Reference remove(Reference Key) {
    Synchronized Lock(*this);
    std::unique_ptr<Entry> &Found = *find(Key);
    if (!Found)
      return nullptr;
    ++Modifications;
    --Count;
    Reference Value = Found->Value;
    Found = std::move(Found->Next);
    return Value;
  }
  void clear() {
    Synchronized Lock(*this);
    ++Modifications;
    for (auto &Chain : Buckets)
      while (Chain)
        Chain = std::move(Chain->Next);
    Count = 0;
  }
  uint64_t hash() {
    Synchronized Lock(*this);
    uint64_t Hash = 0;
    for (Iterator I(*this); I.hasNext();) {
      Pair Next = I.next();
      Hash += uint64_t(Next.Key->Value ^ Next.Value->Value);
    }
    return Hash;
  }
  std::string toString() {
    Synchronized Lock(*this);
    std::string Text = "{";
    for (Iterator I(*this); I.hasNext();) {
      Pair Next = I.next();
      Text += std::to_string(Next.Key->Value) + '=' +
              std::to_string(Next.Value->Value) + ", ";
    }
    return Text + "}";
  }

  void putAll(Hashtable &Other) {
    SynchronizedWith Lock(*this, Other);
    for (Iterator I(Other); I.hasNext();) {
      Pair Next = I.next();
      put(Next.Key, Next.Value);
    }
  }
  bool equals(Hashtable &Other) {
    SynchronizedWith Lock(*this, Other);
    if (Other.size() != size())
      return false;
    for (Iterator I(*this); I.hasNext();) {
      Pair Next = I.next();
      if (!equal(Other.get(Next.Key), Next.Value))
        return false;
    }
    return true;
  }

private:
  struct Entry {
    Reference Key, Value;
    std::unique_ptr<Entry> Next;
  };
  struct Pair {
    Reference Key, Value;
  };

  // Takes the lock for each step, and none from one to the next. Java's needs
  // none at all: there a removed entry is still an entry.
  class Iterator {
  public:
    explicit Iterator(Hashtable &Of) : Of(Of), Expected(Of.modifications()) {}
    bool hasNext() {
      Synchronized Lock(Of);
      check();
      while (!Next && Bucket < Of.Buckets.size())
        Next = Of.Buckets[Bucket++].get();
      return Next;
    }
    Pair next() {
      Synchronized Lock(Of);
      check();
      return {Next->Key, std::exchange(Next, Next->Next.get())->Value};
    }

  private:
    void check() const {
      if (Of.Modifications != Expected)
        throw ConcurrentModification();
    }
    Hashtable &Of;
    unsigned Expected;
    size_t Bucket = 0;
    const Entry *Next = nullptr;
  };

  unsigned modifications() {
    Synchronized Lock(*this);
    return Modifications;
  }

  std::unique_ptr<Entry> &bucket(Reference Key) {
    return Buckets[uint64_t(Key->Value) * 0x9e3779b9 % Buckets.size()];
  }
  // Where the entry is, or the end of its chain.
  std::unique_ptr<Entry> *find(Reference Key) {
    std::unique_ptr<Entry> *At = &bucket(Key);
    while (*At && !equal((*At)->Key, Key))
      At = &(*At)->Next;
    return At;
  }
  // Three of four buckets may be full.
  void reserve(size_t Entries) {
    if (Entries * 4 <= Buckets.size() * 3)
      return;
    std::vector<std::unique_ptr<Entry>> Old(2 * Entries + 1);
    Old.swap(Buckets);
    for (auto &Chain : Old)
      while (Chain) {
        std::unique_ptr<Entry> Moved = std::move(Chain);
        Chain = std::move(Moved->Next);
        std::unique_ptr<Entry> &To = bucket(Moved->Key);
        Moved->Next = std::move(To);
        To = std::move(Moved);
      }
  }

  std::vector<std::unique_ptr<Entry>> Buckets;
  size_t Count = 0;
  unsigned Modifications = 0;
};

uint64_t valueOf(const Object *Value) {
  return Value ? uint64_t(Value->Value) : ~0ull;
}

} // namespace

int main(int Argc, char **Argv) {
  return runAllPairs<Hashtable>(
      Argc, Argv,
      {
          METHOD("size", false, Self.size()),
          METHOD("isEmpty", false, Self.isEmpty()),
          METHOD("containsValue", false, Self.containsValue(&kKeys[2])),
          METHOD("containsKey", false, Self.containsKey(&kKeys[3])),
          METHOD("get", false, valueOf(Self.get(&kKeys[1]))),
          METHOD("put", false, valueOf(Self.put(&kKeys[8], &kKeys[1]))),
          METHOD("put(again)", false, valueOf(Self.put(&kKeys[0], &kKeys[1]))),
          METHOD("remove", false, valueOf(Self.remove(&kKeys[2]))),
          METHOD("clear", false, (Self.clear(), 0)),
          METHOD("hash", false, Self.hash()),
          METHOD("toString", false, Self.toString().size()),
          METHOD("putAll", true, (Self.putAll(Other), 0)),
          METHOD("equals", true, (Self.equals(Other), 0)),
          METHOD("Hashtable(Map)", true, !Hashtable(Other).isValid()),
      });
}
