// RUN: %clang -O2 -fPIE -fpass-plugin=%plugin -S %s -o - | FileCheck %s
// RUN: %clang -O2 -fno-pic -fpass-plugin=%plugin -S %s -o - | FileCheck %s
// RUN: %clang -O2 -fPIC -fpass-plugin=%plugin -S %s -o - | FileCheck %s --check-prefix=PIC
// Intent: in code for an executable, the test of the gate is one comparison
// with memory and one jump over the hooks, which stand in place. Code for a
// shared library finds the gate through the global offset table.

// CHECK-LABEL: f:
// CHECK:         cmpl $0, __atsan_gate{{(\(%rip\))?}}
// CHECK-NEXT:    je [[OVER:.LBB.*]]
// CHECK:         call{{.*}}__atsan_write4
// CHECK:       [[OVER]]:
// CHECK-NOT:     jmp
// CHECK:         retq
//
// PIC-LABEL:   f:
// PIC:           movq __atsan_gate@GOTPCREL(%rip), [[GATE:%r.*]]
// PIC-NEXT:      cmpl $0, ([[GATE]])
int f(int *p) {
  *p = 1;
  return 5;
}
