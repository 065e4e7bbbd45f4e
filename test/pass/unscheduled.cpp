// RUN: %clangxx -O1 -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -Xclang -mllvm -Xclang -atsan-schedule -S -emit-llvm %s -o %t.ll
// RUN: FileCheck --implicit-check-not='define {{.*}}{{made|only_there}}{{.*}}.atsan_scheduled' %s < %t.ll
//
// Intent: what our headers do before and behind a test has no second body, nor
// has what only it calls. What a test calls, too, has one, and so has what is
// called by a pointer, whoever took it.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

int shared;
#define APART __attribute__((noinline)) inline

template <class T> APART void only_there(T v) { shared += v; }
template <class T> APART void both(T v) { shared -= v; }
template <class T> APART void pointed(T v) { shared = v; }
void take(void (*)(int));

namespace atsan {
namespace detail {
inline namespace unscheduled {
struct made {
  APART int again() const {
    only_there(1L);
    both(2);
    take(pointed);
    return [&] {
      only_there('3');
      return shared;
    }();
  }
};
} // namespace unscheduled
struct tried {
  APART int by_schedule() const { return shared; }
};
} // namespace detail
inline namespace unscheduled {
APART int made_again() { return detail::made().again(); }
} // namespace unscheduled
} // namespace atsan

void test() { both(1); }
int all() { return atsan::made_again() + atsan::detail::tried().by_schedule(); }

// CHECK-DAG: define {{.*}} @_Z4testv.atsan_scheduled(
// CHECK-DAG: define {{.*}} @_Z4bothIiEvT_.atsan_scheduled(
// CHECK-DAG: define {{.*}} @_Z7pointedIiEvT_.atsan_scheduled(
// CHECK-DAG: define {{.*}} @_ZNK5atsan6detail5tried11by_scheduleEv.atsan_scheduled(
