// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O3 -mavx2 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// Intent: the optimizer, which runs before the instrumentation, adds no reads
// that the program does not make; the marks that stop it are gone in the end.

// CHECK: @shared = {{(dso_local )?(local_unnamed_addr )?}}global i32 0
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

// Of two, the one that is chosen: a global, and what an attribute says exists.
// CHECK-LABEL: define {{.*}}@one_of_two(
// CHECK:         br i1
// CHECK:         load i32, ptr @shared
// CHECK:         ret
int one_of_two(int c) {
  int limit = 3;
  const int *p = c ? &shared : &limit;
  return *p;
}

// CHECK-LABEL: define {{.*}}@one_of_arguments(
// CHECK-NOT:     load i32
// CHECK:         select i1 {{.*}}, ptr %
// CHECK:         ret
int one_of_arguments(int c, const int a[static 1], const int b[static 1]) {
  return *(c ? a : b);
}

// A counter of what is found is not read if nothing is.
// CHECK-LABEL: define {{.*}}@counted(
// CHECK-NOT:     load i32, ptr @shared
// CHECK:         br i1
// CHECK:         load i32, ptr @shared
// CHECK:         ret
void counted(int n, const unsigned char *restrict a) {
  for (int i = 0; i < n; i++)
    if (a[i] > 100)
      shared++;
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
