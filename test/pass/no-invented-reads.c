// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O3 -mavx2 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// Intent: the optimizer, which runs before the instrumentation, adds no reads
// that the program does not make; the marks that stop it are gone in the end.

int shared;

// A branch to the read, not a read and a select.
// CHECK-LABEL: define {{.*}}@conditional(
// CHECK:         br i1
// CHECK:         load i32, ptr @shared
// CHECK:         ret
int conditional(int c) { return c ? shared : 0; }

// Loop-invariant, but not known to be read at all.
// CHECK-LABEL: define {{.*}}@in_loop(
// CHECK-NOT:     load i32, ptr @shared
// CHECK:         icmp
// CHECK:         br i1
// CHECK:         load i32, ptr @shared
// CHECK:         ret
int in_loop(int n, const int *restrict a) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    if (a[i])
      sum += shared;
  return sum;
}

struct Pair {
  int mine, theirs;
};

// Only every second word is read.
// CHECK-LABEL: define {{.*}}@every_second(
// CHECK-NOT:     load <{{[0-9]+}} x i32>
// CHECK:         ret
int every_second(int n, const struct Pair *a) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i].mine;
  return sum;
}

// CHECK-NOT: sanitize_thread
