// Intent: what a test of an object cannot be made of is a sentence that says
// so.
// RUN: not %clangxx -std=c++17 -fsyntax-only -ferror-limit=0 -I %atsan_source_dir/include %s 2>&1 | FileCheck --implicit-check-not=unused %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sanitizer/atsan_linearizable.hpp>

struct Result {};
struct Object {
  Result find() { return {}; }
  void push(int) {}
};
struct Sized {
  explicit Sized(int) {}
};

void not_comparable() {
  atsan::linearizable<Object, Object>(atsan::op("find", &Object::find));
}
// CHECK-DAG: error: {{.*}}what an operation returns on the object is compared with what it returns on the sequential one; give its type an operator ==, or return something else

void no_generator() {
  atsan::linearizable<Object, Object>(
      atsan::op("push", [](auto &object, int value) { object.push(value); }));
}
// CHECK-DAG: error: {{.*}}the function of an operation takes the object, and a value for each generator before it; it is not mutable

void no_function() { atsan::op("push", atsan::fresh()); }
// CHECK-DAG: error: {{.*}}behind the generators there are one or two functions

void no_copies() {
  const atsan::generator<std::unique_ptr<int>> owners = {
      [](unsigned) { return std::make_unique<int>(1); }, 0};
  atsan::op("push", owners, [](auto &object, const std::unique_ptr<int> &p) {
    object.push(*p);
  });
}
// CHECK-DAG: error: {{.*}}an argument can be copied; let the function make one that cannot, of a number

void not_default() {
  atsan::linearizable<Sized, Sized>(atsan::op("nothing", [](auto &) {}));
}
// CHECK-DAG: error: {{.*}}each test begins with a new object of either class: derive a class whose default constructor says how they are made
