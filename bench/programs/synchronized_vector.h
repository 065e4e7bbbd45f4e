//===-- synchronized_vector.h -----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A growing array all of whose methods are synchronized, after the description
// of java.util.Vector in TSE'06, Fig. 1: the count of elements beside the array
// that holds them, and a count of modifications that iterators look at.
//
// Known bug: methods that take another vector call several of its methods, each
// of them synchronized, and the vector may change from one call to the next.
// The constructor takes the size first and the elements then.
//
//===----------------------------------------------------------------------===//
#ifndef SYNCHRONIZED_VECTOR_H
#define SYNCHRONIZED_VECTOR_H

#include "monitor.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

class Vector : public Monitor {
public:
  using Element = const Object *;

  // An array that knows its length, as Java's do.
  struct Array {
    explicit Array(size_t Length) : Length(Length), At(new Element[Length]()) {}
    size_t Length;
    std::unique_ptr<Element[]> At;
  };

  Vector() : Data(10) {}

  explicit Vector(Vector &Other) : Data(0) {
    SynchronizedWith Lock(*this, Other);
    Count = Other.size();
    Data = Array(Count * 110 / 100);
    // What does not fit goes to an array of its own, which nobody takes.
    Other.toArray(Data);
  }

  // What a client may rely on: there are no null elements.
  bool isValid() {
    Synchronized Lock(*this);
    for (size_t I = 0; I < Count; ++I)
      if (!Data.At[I])
        return false;
    return true;
  }

  // The elements 0, 1, 2...
  void refill(size_t Size) {
    static const Object Objects[] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}};
    Synchronized Lock(*this);
    clear();
    for (size_t I = 0; I < Size; ++I)
      add(&Objects[I % 8]);
  }

  size_t size() {
    Synchronized Lock(*this);
    return Count;
  }
  size_t capacity() {
    Synchronized Lock(*this);
    return Data.Length;
  }
  bool isEmpty() {
    Synchronized Lock(*this);
    return Count == 0;
  }
  void ensureCapacity(size_t Least) {
    Synchronized Lock(*this);
    ++Modifications;
    grow(Least);
  }
  void trimToSize() {
    Synchronized Lock(*this);
    ++Modifications;
    if (Count < Data.Length)
      reallocate(Count);
  }
  void setSize(size_t Size) {
    Synchronized Lock(*this);
    ++Modifications;
    grow(Size);
    for (size_t I = Size; I < Count; ++I)
      Data.At[I] = nullptr;
    Count = Size;
  }

  bool contains(Element E) { return indexOf(E) >= 0; }
  long indexOf(Element E, size_t From = 0) {
    Synchronized Lock(*this);
    for (size_t I = From; I < Count; ++I)
      if (equal(Data.At[I], E))
        return long(I);
    return -1;
  }
  long lastIndexOf(Element E) {
    Synchronized Lock(*this);
    for (size_t I = Count; I-- > 0;)
      if (equal(Data.At[I], E))
        return long(I);
    return -1;
  }
  Element get(size_t Index) {
    Synchronized Lock(*this);
    return Data.At[check(Index)];
  }
  Element firstElement() { return get(0); }
  Element lastElement() {
    Synchronized Lock(*this);
    return get(Count - 1);
  }

  Element set(size_t Index, Element E) {
    Synchronized Lock(*this);
    return std::exchange(Data.At[check(Index)], E);
  }
  void add(Element E) {
    Synchronized Lock(*this);
    ++Modifications;
    grow(Count + 1);
    Data.At[Count++] = E;
  }
  void insert(size_t Index, Element E) {
    Synchronized Lock(*this);
    if (Index > Count)
      throw IndexOutOfBounds();
    ++Modifications;
    open(Index, 1);
    Data.At[Index] = E;
  }
  Element removeAt(size_t Index) {
    Synchronized Lock(*this);
    Element Removed = Data.At[check(Index)];
    ++Modifications;
    Element *At = &Data.At[0];
    std::copy(At + Index + 1, At + Count, At + Index);
    At[--Count] = nullptr;
    return Removed;
  }
  bool remove(Element E) {
    Synchronized Lock(*this);
    long Index = indexOf(E);
    if (Index >= 0)
      removeAt(size_t(Index));
    return Index >= 0;
  }
  void clear() {
    Synchronized Lock(*this);
    ++Modifications;
    for (size_t I = 0; I < Count; ++I)
      Data.At[I] = nullptr;
    Count = 0;
  }

  // Into the array if it is long enough, else into a new one.
  Array toArray(const Array &To) {
    Synchronized Lock(*this);
    if (To.Length < Count)
      return toArray();
    std::copy(&Data.At[0], &Data.At[Count], &To.At[0]);
    if (To.Length > Count)
      To.At[Count] = nullptr;
    return Array(0);
  }
  Array toArray() {
    Synchronized Lock(*this);
    Array New(Count);
    std::copy(&Data.At[0], &Data.At[Count], &New.At[0]);
    return New;
  }
  uint64_t hash() {
    Synchronized Lock(*this);
    uint64_t Hash = 1;
    for (Iterator I(*this); I.hasNext();)
      Hash = Hash * 31 + uint64_t(valueOf(I.next()));
    return Hash;
  }
  std::string toString() {
    Synchronized Lock(*this);
    std::string Text = "[";
    for (Iterator I(*this); I.hasNext();)
      Text += std::to_string(valueOf(I.next())) + ", ";
    return Text + "]";
  }

  void addAll(Vector &Other) {
    SynchronizedWith Lock(*this, Other);
    insertArray(Count, Other.toArray());
  }
  void addAll(size_t Index, Vector &Other) {
    SynchronizedWith Lock(*this, Other);
    insertArray(Index, Other.toArray());
  }
  bool containsAll(Vector &Other) {
    SynchronizedWith Lock(*this, Other);
    for (Iterator I(Other); I.hasNext();)
      if (!contains(I.next()))
        return false;
    return true;
  }
  void removeAll(Vector &Other) { keep(Other, false); }
  void retainAll(Vector &Other) { keep(Other, true); }
  bool equals(Vector &Other) {
    SynchronizedWith Lock(*this, Other);
    Iterator Mine(*this), Others(Other);
    while (Mine.hasNext() && Others.hasNext())
      if (!equal(Mine.next(), Others.next()))
        return false;
    return !Mine.hasNext() && !Others.hasNext();
  }

private:
  // Holds no lock between two calls.
  class Iterator {
  public:
    explicit Iterator(Vector &Of) : Of(Of), Expected(Of.Modifications) {}
    bool hasNext() { return Next != Of.size(); }
    Element next() {
      // Not synchronized, as in the original.
      if (Of.Modifications != Expected)
        throw ConcurrentModification();
      return Of.get(Next++);
    }

  private:
    Vector &Of;
    size_t Next = 0;
    unsigned Expected;
  };

  static int valueOf(Element E) { return E ? E->Value : -1; }

  size_t check(size_t Index) const {
    if (Index >= Count)
      throw IndexOutOfBounds();
    return Index;
  }

  void reallocate(size_t Length) {
    Array New(Length);
    std::copy(&Data.At[0], &Data.At[Count], &New.At[0]);
    Data = std::move(New);
  }
  void grow(size_t Least) {
    if (Least > Data.Length)
      reallocate(std::max(Least, 2 * Data.Length));
  }
  // Makes room for so many elements.
  void open(size_t Index, size_t Elements) {
    grow(Count + Elements);
    Element *At = &Data.At[0];
    std::copy_backward(At + Index, At + Count, At + Count + Elements);
    Count += Elements;
  }
  void insertArray(size_t Index, const Array &New) {
    ++Modifications;
    open(Index, New.Length);
    std::copy(&New.At[0], &New.At[New.Length], &Data.At[Index]);
  }
  // Keeps what the other vector contains, or what it does not.
  void keep(Vector &Other, bool Contained) {
    SynchronizedWith Lock(*this, Other);
    for (size_t I = Count; I-- > 0;)
      if (Other.contains(Data.At[I]) != Contained)
        removeAt(I);
  }

  Array Data;
  size_t Count = 0;
  unsigned Modifications = 0;
};

#endif // SYNCHRONIZED_VECTOR_H
