// RUN: not %atsan_driver_clangxx -fsanitize=atomicity -fsanitize=address -c %s 2>&1 | FileCheck -DNAME=address %s
// RUN: not %atsan_driver_clangxx -fsanitize=thread,atomicity -c %s 2>&1 | FileCheck -DNAME=thread %s
// RUN: not %atsan_driver_clangxx -fsanitize=memory,atomicity -c %s 2>&1 | FileCheck -DNAME=memory %s
// RUN: not %atsan_driver_clangxx -fsanitize=hwaddress,atomicity -c %s 2>&1 | FileCheck -DNAME=hwaddress %s
// RUN: not %atsan_driver_clangxx -fsanitize=leak,atomicity -c %s 2>&1 | FileCheck -DNAME=leak %s
// RUN: not %atsan_driver_clangxx -fsanitize=numerical,atomicity -c %s 2>&1 | FileCheck -DNAME=numerical %s
// RUN: not %atsan_driver_clangxx -fsanitize=safe-stack,atomicity -c %s 2>&1 | FileCheck -DNAME=safe-stack %s
// RUN: not %atsan_driver_clangxx -fsanitize=atomicity -fsanitize-recover=atomicity -c %s 2>&1 | FileCheck --check-prefix=RECOVER %s
// RUN: not %atsan_driver_clangxx -fsanitize=atomicity -fmemory-profile -c %s 2>&1 | FileCheck --check-prefix=RUNTIME -DNAME=-fmemory-profile %s
// RUN: not %atsan_driver_clangxx -fsanitize=atomicity -fxray-instrument -c %s 2>&1 | FileCheck --check-prefix=RUNTIME -DNAME=-fxray-instrument %s
// RUN: %atsan_driver_clangxx -### -fsanitize=atomicity -fmemory-profile -fno-memory-profile -c %s
// RUN: touch %t.list
// RUN: %atsan_driver_clangxx -### -fsanitize=atomicity,null -fsanitize-ignorelist=%t.list -c %s
// RUN: %atsan_driver_clangxx -### -fsanitize=atomicity,fuzzer-no-link %s 2>&1 | FileCheck --check-prefix=NOLINK %s
// Intent: tools with a runtime of their own are refused in one sentence with a
// remedy; coverage for libFuzzer works with our runtime instead of UBSan's.

// CHECK: atsan-clang++: error: '-fsanitize=atomicity' cannot be combined with '-fsanitize=[[NAME]]': {{.*}}'-fno-sanitize=[[NAME]]'
// CHECK-NOT: error:
// RECOVER: error: '-fsanitize-recover=atomicity' is not supported: {{.*}}ATSAN_OPTIONS=halt_on_error=0
// RUNTIME: error: '[[NAME]]' cannot be combined with '-fsanitize=atomicity'
// NOLINK-NOT: libclang_rt.ubsan
// NOLINK: libclang_rt.atomicity-x86_64.a"
// NOLINK-NOT: libclang_rt.ubsan
