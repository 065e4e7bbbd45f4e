// Intent: correct objects are never blamed, with the sanitizer and without;
// more threads and seconds: stress 8 600 [OBJECT].
//
// RUN: %clangxx -std=c++17 -O2 -pthread -I %atsan_source_dir/include -I %S/Inputs %s -o %t.plain
// RUN: %t.plain 4 0.3 | FileCheck %s
// RUN: %clangxx_atsan -std=c++17 -O2 -I %S/Inputs %s -o %t
// RUN: %t 4 0.3 | FileCheck %s
// CHECK: seqlock: {{[0-9]+}} ns
// CHECK: four slots: {{[0-9]+}} ns
// CHECK: hazard slot: {{[0-9]+}} ns
// CHECK: sharded counter: {{[0-9]+}} ns
// CHECK: std::atomic: {{[0-9]+}} ns
#include "stress.h"

int main(int argc, char **argv) {
  all_objects(argc > 1 ? std::stoul(argv[1]) : 4,
              argc > 2 ? std::stod(argv[2]) : 0.3, argc > 3 ? argv[3] : "");
}
