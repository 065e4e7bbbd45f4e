// RUN: printf '# by any name\n_Z5givenv\nby_source\nns::by_*\nns::Class::method(int) const\nby?letter\n' > %t.list
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-regions=list:%t.list -O1 -S -emit-llvm %s -o - | FileCheck --check-prefixes=CHECK,LIST %s
// RUN: printf '*\n' > %t.all
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-regions=list:%t.all -fatomicity-exclude=%t.list -O1 -S -emit-llvm %s -o - | FileCheck --check-prefixes=CHECK,REST,EXCLUDED %s
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-regions=critical-sections -O1 -S -emit-llvm %s -o - | FileCheck --check-prefixes=CHECK,SECTIONS %s
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -O1 -S -emit-llvm %s -o - | FileCheck --check-prefixes=CHECK,NONE %s
// Intent: functions are regions by the names that a list has for them, and are
// none by those of an exclusion; the runtime is told of it.

#define ATSAN_ATOMIC __attribute__((annotate("atsan_atomic")))
#define KEEP __attribute__((used, noinline))

int x;

// EXCLUDED: @atsan.excluded = {{.*}}c"_Z5givenv\0Aby_source\0Ans::by_*\0Ans::Class::method(int) const\0Aby?letter\0A\00"

// CHECK-LABEL: define {{.*}}@_Z5givenv(
// LIST:          call void @__atsan_region_begin
// REST-NOT:      __atsan_region_begin
// SECTIONS-NOT:  __atsan_region_begin
// NONE-NOT:      __atsan_region_begin
// CHECK:         ret
KEEP void given() { x++; }

// CHECK-LABEL: define {{.*}}@_ZL9by_sourcei(
// LIST:          call void @__atsan_region_begin
// REST-NOT:      __atsan_region_begin
// CHECK:         ret
KEEP static void by_source(int) { x++; }

namespace ns {

// CHECK-LABEL: define {{.*}}@_ZN2ns4by_aEv(
// LIST:          call void @__atsan_region_begin
// REST-NOT:      __atsan_region_begin
// CHECK:         ret
KEEP void by_a() { x++; }

struct Class {
  void method(int) const;
  void method();
};

// CHECK-LABEL: define {{.*}}@_ZNK2ns5Class6methodEi(
// LIST:          call void @__atsan_region_begin
// REST-NOT:      __atsan_region_begin
// CHECK:         ret
KEEP void Class::method(int) const { x++; }

// CHECK-LABEL: define {{.*}}@_ZN2ns5Class6methodEv(
// LIST-NOT:      __atsan_region_begin
// REST:          call void @__atsan_region_begin
// CHECK:         ret
KEEP void Class::method() { x++; }

} // namespace ns

// CHECK-LABEL: define {{.*}}@by_letter(
// LIST:          call void @__atsan_region_begin
// REST-NOT:      __atsan_region_begin
// CHECK:         ret
extern "C" KEEP void by_letter() { x++; }

// Its letters are to match in full.
// CHECK-LABEL: define {{.*}}@_Z14by_source_elsev(
// LIST-NOT:      __atsan_region_begin
// REST:          call void @__atsan_region_begin
// CHECK:         ret
KEEP void by_source_else() { x++; }

// What the source says holds as well.
// CHECK-LABEL: define {{.*}}@_Z9annotatedv(
// CHECK:         call void @__atsan_region_begin
// CHECK:         ret
ATSAN_ATOMIC KEEP void annotated() { x++; }

// EXCLUDED:    define internal void @atsan.regions_ctor
// EXCLUDED:      call void @__atsan_exclude_regions(ptr {{.*}}@atsan.excluded)
// SECTIONS:    define internal void @atsan.regions_ctor
// SECTIONS-NEXT: call void @__atsan_critical_sections()
// NONE-NOT:    @atsan.regions_ctor
// LIST-NOT:    @atsan.regions_ctor
