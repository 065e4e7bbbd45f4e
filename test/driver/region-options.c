// RUN: rm -rf "%t dir" && mkdir "%t dir" && echo 'f' > "%t dir/a.list" && echo '' > %t.none && echo 'g' > %t.out
// RUN: %atsan_driver_clang -### -fsanitize=atomicity "-fatomicity-regions=list:%t dir/a.list" -fatomicity-regions=exported -fatomicity-exclude=%t.out -fsanitize-ignorelist=%t.none -c %s 2>&1 | FileCheck %s
// Intent: what our options say reaches the front end, whatever is in a path, in
// the order of the command line; no argument of ours is left for clang.
//
// CHECK-NOT: unknown argument
// CHECK: "-cc1"
// CHECK-NOT: "-fatomicity
// CHECK-DAG: "-load" "{{[^"]*}}AtomicitySanitizer.so"
// CHECK-DAG: "-mllvm" "-atsan-regions=list:{{[^"]*}} dir/a.list"
// CHECK-DAG: "-mllvm" "-atsan-regions=exported"
// CHECK-DAG: "-mllvm" "-atsan-exclude={{[^"]*}}.out"
// CHECK-DAG: "-mllvm" "-atsan-ignorelist={{[^"]*}}.none"
//
// The list decides, and the output is said to depend on it.
// RUN: %atsan_driver_clang -fsanitize=atomicity "-fatomicity-regions=list:%t dir/a.list" -MD -MF %t.d -S -emit-llvm %s -o - | FileCheck --check-prefix=IR %s
// RUN: FileCheck --check-prefix=DEPENDS %s < %t.d
// IR-LABEL: define {{.*}}@f(
// IR: call void @__atsan_region_begin(
// IR-LABEL: define {{.*}}@g(
// IR-NOT: __atsan_region_begin
// IR: ret void
// DEPENDS: dir/a.list
//
// In response files, with several inputs, for each kind of LTO, up to the link.
// RUN: echo "-fsanitize=atomicity '-fatomicity-regions=list:%t dir/a.list'" > %t.rsp
// RUN: %atsan_driver_clang @%t.rsp -S -emit-llvm %s -o - | FileCheck --check-prefix=IR %s
// RUN: for lto in -fno-lto -flto -flto=thin; do %atsan_driver_clang @%t.rsp $lto -fuse-ld=lld -O2 -Werror %s %S/Inputs/empty.c -o %t.exe && llvm-objdump -d --no-show-raw-insn --disassemble-symbols=f %t.exe | FileCheck --check-prefix=CODE %s || exit 1; done
// CODE: __atsan_region_begin
// RUN: %atsan_driver_clang @%t.rsp -Werror -c %s -o %t.o
// RUN: %atsan_driver_clang @%t.rsp -Werror %t.o -o %t.exe
// RUN: %atsan_driver_clang @%t.rsp -Werror -E %s -o %t.i
// RUN: %atsan_driver_clang @%t.rsp -Werror -fsyntax-only %s
//
// Later options add to earlier ones; "annotations" takes those back.
// RUN: %atsan_driver_clang -### @%t.rsp -fatomicity-regions=annotations -fatomicity-regions=critical-sections -c %s 2>&1 | FileCheck --check-prefix=RESET %s
// RESET-NOT: "-atsan-regions=list
// RESET: "-mllvm" "-atsan-regions=critical-sections"
// RESET-NOT: "-atsan-regions=list
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fsanitize-ignorelist=%t.none -fno-sanitize-ignorelist -c %s 2>&1 | FileCheck --check-prefix=NOTHING %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fatomicity-regions=annotations -c %s 2>&1 | FileCheck --check-prefix=NOTHING %s
// Without the sanitizer they mean nothing, and clang does not hear of them.
// RUN: %atsan_driver_clang -### @%t.rsp -fno-sanitize=atomicity -Werror -c %s 2>&1 | FileCheck --check-prefix=NOTHING %s
// RUN: %atsan_driver_clang -Werror -fatomicity-regions=exported -fatomicity-exclude=%t.none -fsyntax-only %s
// NOTHING: "-cc1"
// NOTHING-NOT: "-load" "{{[^"]*}}/AtomicitySanitizer.so"
// NOTHING-NOT: "-mllvm"
//
// RUN: not %atsan_driver_clang -fsanitize=atomicity -fatomicity-regions=all -c %s -o %t.o 2>&1 | FileCheck --check-prefix=MODE %s
// MODE: error: '-fatomicity-regions=all' has an unknown value; allowed are 'annotations', 'exported', 'critical-sections' and 'list:FILE'
// RUN: not %atsan_driver_clang -fsanitize=atomicity -fatomicity-regions=list: -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NOFILE %s
// NOFILE: error: '-fatomicity-regions=list:' names no file; write '-fatomicity-regions=list:FILE'
// RUN: not %atsan_driver_clang -fsanitize=atomicity -fatomicity-exclude= -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NOEXCLUDE %s
// NOEXCLUDE: error: '-fatomicity-exclude=' names no file; write '-fatomicity-exclude=FILE'
// RUN: not %atsan_driver_clang -fsanitize=atomicity -fatomicity-region=exported -c %s -o %t.o 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: error: '-fatomicity-region=exported' is not known; there are '-fatomicity-regions=', '-fatomicity-exclude=', '-fatomicity-schedule' and '-fatomicity-tsan-annotations'
// A wrong word is one also where the sanitizer is off.
// RUN: not %atsan_driver_clang -fatomicity-region=exported -c %s -o %t.o 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not %atsan_driver_clang -fno-sanitize=atomicity -fatomicity-regions=all -c %s -o %t.o 2>&1 | FileCheck --check-prefix=MODE %s
//
// Files: what is wrong, and where.
// RUN: not %atsan_driver_clang -fsanitize=atomicity -fatomicity-regions=list:%t.missing -c %s -o %t.o 2>&1 | FileCheck --check-prefix=MISSING %s
// MISSING: error: cannot read '{{.*}}.missing', which -fatomicity-regions names: No such file or directory
// MISSING-NOT: error:
// RUN: printf 'fine\n\n# fine\n  fun:foo\nlone\\\n' > %t.bad
// RUN: not %atsan_driver_clang -fsanitize=atomicity -fatomicity-exclude=%t.bad -c %s -o %t.o 2>&1 | FileCheck --check-prefix=BAD %s
// BAD: error: {{.*}}.bad:4: 'fun:foo' begins with a kind, which this list does not have; write the name of the function alone
// BAD: error: {{.*}}.bad:5: 'lone\' ends in a lone '\'; write the character that it is to escape
// RUN: not %atsan_driver_clang -fsanitize=atomicity -fatomicity-exclude=/ -c %s -o %t.o 2>&1 | FileCheck --check-prefix=DIR %s
// DIR: error: cannot read '/', which -fatomicity-exclude names: Is a directory
// RUN: printf 'fun:x\n[atomicity\n' > %t.section
// RUN: not %atsan_driver_clang -fsanitize=atomicity -fsanitize-ignorelist=%t.section -c %s -o %t.o 2>&1 | FileCheck --check-prefix=SECTION %s
// SECTION: error: malformed sanitizer ignorelist: {{.*}}.section': malformed section header on line 2: [atomicity
// RUN: not %atsan_driver_clang -fsanitize=atomicity -fsanitize-ignorelist=%t.missing -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NOLIST %s
// NOLIST: error: no such file or directory: '{{.*}}.missing'

int x;
__attribute__((noinline)) void f(void) { x++; }
void g(void) { x--; }
int main(void) { f(); }
