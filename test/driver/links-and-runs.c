// RUN: rm -rf %t && mkdir %t
// RUN: %atsan_driver_clang -fsanitize=atomicity -fPIC -shared %S/Inputs/counter.c -o %t/libcounter.so
// RUN: %atsan_driver_clang -fsanitize=atomicity -fuse-ld=bfd %s %t/libcounter.so -Wl,-rpath,%t -o %t/a && %run %t/a
// RUN: %atsan_driver_clang -fsanitize=atomicity -shared %S/Inputs/counter.c -o %t/libcounter.so
// RUN: %atsan_driver_clang -fsanitize=atomicity %s %t/libcounter.so -Wl,-rpath,%t -o %t/a && %run %t/a
// RUN: %atsan_driver_clang -fsanitize=atomicity -c %s -o %t/a.o
// RUN: %atsan_driver_clang -fsanitize=atomicity -fuse-ld=lld %t/a.o %t/libcounter.so -Wl,-rpath,%t -o %t/a && %run %t/a
// RUN: for linker in bfd gold lld; do \
// RUN:   %atsan_driver_clang -fsanitize=atomicity -fuse-ld=$linker -Wl,--fatal-warnings %t/a.o %t/libcounter.so -Wl,-rpath,%t -o %t/a && %run %t/a || exit 1; done
// RUN: %atsan_driver_clang -fsanitize=atomicity -DOPEN='"%t/libcounter.so"' %s -o %t/a && %run %t/a
// RUN: %atsan_driver_clang -fsanitize=atomicity -r %t/a.o -o %t/b.o
// RUN: %atsan_driver_clang -fsanitize=atomicity %t/b.o %S/Inputs/counter.c -o %t/a && %run %t/a
// RUN: %atsan_driver_clang -fsanitize=atomicity -fPIC -shared -Wl,-z,defs %S/Inputs/counter.c -o %t/libcounter.so
// RUN: %atsan_driver_clang -fsanitize=atomicity %s %t/libcounter.so -Wl,-rpath,%t -o %t/a && %run %t/a
// RUN: %atsan_driver_clang -fsanitize=atomicity -shared-libsan -fPIC -shared -Wl,-z,defs %S/Inputs/counter.c -o %t/libcounter.so
// RUN: %atsan_driver_clang -fsanitize=atomicity -shared-libsan %s %t/libcounter.so -Wl,-rpath,%t -o %t/a && %run %t/a
// RUN: %clang %s %t/libcounter.so -Wl,-rpath,%t -o %t/a && %run %t/a
// RUN: %atsan_driver_clang -fsanitize=atomicity,undefined -fsanitize-trap=undefined %s %S/Inputs/counter.c -o %t/a && %run %t/a
// RUN: %atsan_driver_clang -fsanitize=atomicity,undefined -fsanitize-minimal-runtime %s %S/Inputs/counter.c -o %t/a && %run %t/a
// RUN: %atsan_driver_clang -fsanitize=atomicity,undefined -shared-libsan %s %S/Inputs/counter.c -o %t/a && %run %t/a
// RUN: %atsan_driver_clang -fsanitize=atomicity -fsanitize-coverage=trace-pc-guard %s %S/Inputs/counter.c -o %t/a && %run %t/a
// Intent: the combinations that error messages recommend do link and run, with
// bfd, gold and lld, without a warning, with libraries linked and loaded, built
// with and without -fPIC, with the static and the shared runtime, and with -z
// defs.

#ifdef OPEN
#include <dlfcn.h>
static int count(void) {
  void *Library = dlopen(OPEN, RTLD_NOW);
  return Library ? ((int (*)(void))dlsym(Library, "count"))() : -1;
}
#else
int count(void);
#endif

int main(void) { return count() - 1; }
