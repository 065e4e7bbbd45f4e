// RUN: %clang -O0 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// Intent: the runtime hears of every setjmp and getcontext, right before it,
// with its buffer.

#include <setjmp.h>
#include <ucontext.h>

jmp_buf a;
sigjmp_buf b;
int shared;

// CHECK-LABEL: define {{.*}}@plain(
// CHECK:         call void @__atsan_write4(ptr @shared)
// CHECK:         call void @__atsan_setjmp(ptr @a)
// CHECK-NEXT:    {{.*}}call i32 @_setjmp(ptr {{.*}}@a)
int plain(void) {
  shared = 1;
  return setjmp(a);
}

// CHECK-LABEL: define {{.*}}@with_signals(
// CHECK:         call void @__atsan_setjmp(ptr @b)
// CHECK-NEXT:    {{.*}}call i32 @__sigsetjmp(ptr {{.*}}@b, i32 noundef 1)
int with_signals(void) { return sigsetjmp(b, 1); }

// CHECK-LABEL: define {{.*}}@context(
// CHECK:         call void @__atsan_setjmp(ptr @d)
// CHECK-NEXT:    {{.*}}call i32 @getcontext(ptr {{.*}}@d)
ucontext_t d;
int context(void) { return getcontext(&d); }

// Not of the family, although it returns twice.
// CHECK-LABEL: define {{.*}}@other(
// CHECK-NOT:     @__atsan_setjmp
// CHECK:         ret
int vfork(void);
int other(void) { return vfork(); }

// The compiler's own pair: libc hears of neither.
// CHECK-LABEL: define {{.*}}@builtin(
// CHECK:         call void @__atsan_setjmp(ptr @c)
// CHECK-NEXT:    {{.*}}call i32 @llvm.eh.sjlj.setjmp(ptr {{.*}}@c)
// CHECK:         call void @__atsan_builtin_longjmp(ptr @c)
// CHECK-NEXT:    call void @llvm.eh.sjlj.longjmp(ptr {{.*}}@c)
void *c[5];
void leave(void);
void builtin(void) {
  if (!__builtin_setjmp(c))
    leave();
}
__attribute__((noinline)) void leave(void) { __builtin_longjmp(c, 1); }
