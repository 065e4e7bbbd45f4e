//===-- vector_methods.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The methods of Vector for the driver; its subclass has them too.
//
//===----------------------------------------------------------------------===//
#ifndef VECTOR_METHODS_H
#define VECTOR_METHODS_H

#include "all_pairs.h"
#include "synchronized_vector.h"

// clang-format off
#define VECTOR_METHODS                                                         \
  METHOD("size", false, Self.size()),                                          \
  METHOD("capacity", false, Self.capacity()),                                  \
  METHOD("isEmpty", false, Self.isEmpty()),                                    \
  METHOD("ensureCapacity", false, (Self.ensureCapacity(100), 0)),              \
  METHOD("trimToSize", false, (Self.trimToSize(), 0)),                         \
  METHOD("setSize", false, (Self.setSize(3), 0)),                              \
  METHOD("contains", false, Self.contains(&kSome)),                            \
  METHOD("indexOf", false, uint64_t(Self.indexOf(&kSome))),                    \
  METHOD("lastIndexOf", false, uint64_t(Self.lastIndexOf(&kSome))),            \
  METHOD("get", false, uint64_t(Self.get(2)->Value)),                          \
  METHOD("firstElement", false, uint64_t(Self.firstElement()->Value)),         \
  METHOD("lastElement", false, uint64_t(Self.lastElement()->Value)),           \
  METHOD("set", false, uint64_t(Self.set(1, &kSome)->Value)),                  \
  METHOD("add", false, (Self.add(&kSome), 0)),                                 \
  METHOD("insert", false, (Self.insert(0, &kSome), 0)),                        \
  METHOD("removeAt", false, uint64_t(Self.removeAt(0)->Value)),                \
  METHOD("remove", false, Self.remove(&kSome)),                                \
  METHOD("clear", false, (Self.clear(), 0)),                                   \
  METHOD("toArray", false, Self.toArray().Length),                             \
  METHOD("hash", false, Self.hash()),                                          \
  METHOD("toString", false, Self.toString().size()),                           \
  METHOD("addAll", true, (Self.addAll(Other), 0)),                             \
  METHOD("addAll(index)", true, (Self.addAll(1, Other), 0)),                   \
  METHOD("containsAll", true, (Self.containsAll(Other), 0)),                   \
  METHOD("removeAll", true, (Self.removeAll(Other), 0)),                       \
  METHOD("retainAll", true, (Self.retainAll(Other), 0)),                       \
  METHOD("equals", true, (Self.equals(Other), 0))
// clang-format on

static const Object kSome = {5};

#endif // VECTOR_METHODS_H
