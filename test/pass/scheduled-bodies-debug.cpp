// RUN: %clangxx -O1 -g -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -Xclang -mllvm -Xclang -atsan-schedule -S -emit-llvm %s -o %t.ll
// RUN: opt -passes=verify -disable-output %t.ll 2>&1 | count 0
// RUN: FileCheck --implicit-check-not=_Z8dispatchi.atsan_scheduled %s < %t.ll
// RUN: FileCheck --check-prefix=STACK %s < %t.ll
// RUN: %clangxx -O0 -g -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -Xclang -mllvm -Xclang -atsan-schedule -S -emit-llvm %s -o %t.0.ll
// RUN: opt -passes=verify -disable-output %t.0.ll 2>&1 | count 0
// RUN: FileCheck --check-prefix=STACK %s < %t.0.ll
//
// Intent: a scheduled body has a subprogram of its own, in which its lines,
// blocks and variables are; what is inlined keeps its own. A function whose
// blocks are in a table has none: its copy would jump into the other one.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern int shared[8];
struct Big {
  int at[4];
};
void use(Big *);

__attribute__((always_inline)) inline int inlined(int at) {
  int within = shared[at];
  return within + 1;
}
int function(int count) {
  int sum = 0;
  Big local = {{count, 2, 3, 4}};
  use(&local);
  for (int i = 0; i < count; i++) {
    int each = inlined(i);
    sum += each + local.at[i % 4];
  }
  if (sum < 0)
    goto out;
  shared[0] = sum;
out:
  return sum;
}
struct alignas(32) Wide {
  long at[4];
};
void use(Wide *);
long frame(long count) {
  Wide wide = {{count, 2, 3, 4}};
  use(&wide);
  return wide.at[1];
}
// What lies on the stack has its place at the entry, also the table of what is
// where: elsewhere it would move the stack, on which calls align arguments.
// STACK: define {{.*}} @_Z5framel(
// STACK: musttail call
// STACK-NOT: alloca
// STACK: @atsan.variables
// STACK: {{^}}}
int dispatch(int what) {
  static const void *const to[] = {&&first, &&second};
  goto *to[what & 1];
first:
  return shared[1];
second:
  return shared[2];
}

// CHECK: define {{.*}} @_Z8functioni.atsan_scheduled({{.*}} !dbg [[SP:![0-9]+]]
// CHECK: #dbg_value(i32 {{.*}}, [[COUNT:![0-9]+]], !DIExpression(){{.*}}
// CHECK: {{^}}}
// CHECK-DAG: [[SP]] = distinct !DISubprogram(name: "function", linkageName: "_Z8functioni"
// CHECK-DAG: [[COUNT]] = !DILocalVariable(name: "count", arg: 1, scope: [[SP]]
// CHECK-DAG: !DILocalVariable(name: "sum", scope: [[SP]]
// CHECK-DAG: [[BLOCK:![0-9]+]] = !DILexicalBlock(scope: [[SP]]
// CHECK-DAG: !DILocalVariable(name: "i", scope: [[BLOCK]]
