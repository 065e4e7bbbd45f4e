// RUN: %atsan_driver_clang -### -fsanitize=atomicity -c %s -o %t.o 2> %t.first
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -c %s -o %t.o 2> %t.second
// RUN: diff %t.first %t.second
// Intent: equal commands stay equal, as compiler caches need it.
