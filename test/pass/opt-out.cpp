// RUN: %clangxx -O0 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -O1 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -O2 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -O3 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// Intent: an opt-out is about the function's own code at every optimization
// level: it is not inlined into instrumented code, instrumented code is not
// inlined into it, and its loads are not moved to its callers.

#define NO_SANITIZE __attribute__((annotate("atsan_no_sanitize")))

extern "C" {

int shared;

// CHECK-LABEL: define {{.*}}@small(
// CHECK-NOT:     @__atsan
// CHECK:         ret
NO_SANITIZE int small(int *p) { return ++*p; }

// CHECK-LABEL: define {{.*}}@caller(
// CHECK:         call {{.*}}@small(
// CHECK:         ret
int caller() { return small(&shared); }

// CHECK-LABEL: define {{.*}}@disabled(
// CHECK-NOT:     @__atsan
// CHECK:         ret
__attribute__((disable_sanitizer_instrumentation)) int disabled() {
  return ++shared;
}

// CHECK-LABEL: define {{.*}}@disabled_caller(
// CHECK:         call {{.*}}@disabled(
int disabled_caller() { return disabled(); }

// CHECK-LABEL: define {{.*}}@instrumented(
// CHECK:         call void @__atsan_read4(
// CHECK:         ret
int instrumented(int *p) { return *p; }

// CHECK-LABEL: define {{.*}}@outer(
// CHECK-NOT:     @__atsan
// CHECK:         call {{.*}}@instrumented(
// CHECK-NOT:     @__atsan
// CHECK:         ret
NO_SANITIZE int outer(int *p) { return instrumented(p); }

// Argument promotion would pass *p.
// CHECK-LABEL: define {{.*}}@local_caller(
// CHECK-NOT:     @__atsan_read
// CHECK:         ret
static NO_SANITIZE int local(int *p) { return *p + 1; }
int local_caller(int *p) { return local(p) + local(p + 1); }

// So it is where the source asks for more: no vector of what it reads and
// writes is made in its caller.
// CHECK-LABEL: define {{.*}}@always_caller(
// CHECK-NOT:     @__atsan_{{read|write}}
// CHECK:         call {{.*}}@{{.*}}always
// CHECK-NOT:     @__atsan_read
// CHECK:         call void @__atsan_write4(
// CHECK-NOT:     @__atsan_read
// CHECK:         ret
NO_SANITIZE __attribute__((always_inline)) inline int
always(int *__restrict p, const int *__restrict q, int n) {
  for (int i = 0; i < n; i++)
    p[i] += q[i];
  return *p;
}
void always_caller(int *p, int *q, int n) { *q = always(p, q, n); }

// What must be inlined, such as assembly that asks for constants, is. Its own
// accesses stay opted out, also in another form: as another type, or in place
// of a copy.
// CHECK-LABEL: define {{.*}}@in_another_form(
// CHECK-NOT:     @__atsan_{{read|write|mem}}
// CHECK-NOT:     call i32 @{{.*}}always_copy
// CHECK:         ret
typedef long Longs __attribute__((vector_size(16), may_alias));
typedef char Chars __attribute__((vector_size(16)));
struct Pair {
  int first, second;
};
NO_SANITIZE __attribute__((always_inline)) inline int
always_copy(const Longs *p, const Pair *from, Pair *to) {
  asm("" ::"r"(&to));
  Chars x = (Chars)*p;
  Pair y = *from;
  *to = y;
  return x[3] + y.second;
}
int in_another_form(const Longs *p, const Pair *from, Pair *to) {
  return always_copy(p, from, to);
}
}
