// Intent: what the C++ library's headers declare `extern template` is compiled
// into the program, used by the library as well as by the program; the
// program's own declarations stand, also of types that are not complete here.
//
// RUN: %clangxx_atsan -std=c++17 -O0 -c %s -o %t.O0.o
// RUN: llvm-nm -C %t.O0.o | FileCheck %s
// RUN: %clangxx_atsan -std=c++17 -O2 -c %s -o %t.O2.o
// RUN: llvm-nm -uC %t.O2.o | FileCheck --check-prefix=REST %s
// REST-NOT: std::__cxx11::basic_string
// REST-NOT: std::ostream::
// CHECK-DAG: W std::__cxx11::basic_string<{{.*}}>::_M_append(char const*, unsigned long)
// CHECK-DAG: V vtable for std::__cxx11::basic_stringbuf<
// CHECK-DAG: W std::__cxx11::basic_stringbuf<{{.*}}>::overflow(int)
// CHECK-DAG: W {{.*}}std::ostream::_M_insert<long>(long)
// CHECK-DAG: W {{.*}}std::endl<
// CHECK-DAG: U {{.*}}std::use_facet<std::ctype<char>
// CHECK-DAG: U {{.*}}std::vector<Own, std::allocator<Own>{{ ?}}>::{{push_back|emplace_back|_M_realloc_insert}}
//
// In a precompiled header, too. A header alone is compiled with the plugin.
// RUN: echo '#include <sstream>' > %t.h
// RUN: %clangxx_atsan -std=c++17 -x c++-header %t.h -o %t.pch
// RUN: %clangxx_atsan -std=c++17 -include-pch %t.pch -c %s -o %t.pch.o
// RUN: llvm-nm -C %t.pch.o | FileCheck %s
//
// With a library that is linked statically, with strings of the old ABI.
// RUN: %clangxx_atsan -std=c++17 -DMAIN %s -o %t && %run %t | FileCheck --check-prefix=OUT %s
// RUN: %clangxx_atsan -std=c++17 -DMAIN -static-libstdc++ %s -o %t && %run %t | FileCheck --check-prefix=OUT %s
// RUN: %clangxx_atsan -std=c++17 -DMAIN -D_GLIBCXX_USE_CXX11_ABI=0 %s -o %t && %run %t | FileCheck --check-prefix=OUT %s
// RUN: %clangxx_atsan -std=c++17 -DMAIN -fvisibility=hidden -D_GLIBCXX_DEBUG %s -o %t && %run %t | FileCheck --check-prefix=OUT %s
// OUT: a1 2.5 a1 7
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <iostream>
#include <list>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

void write(std::string &text, int number) {
  std::ostringstream out;
  out << number << std::endl;
  text += out.str();
}

#ifndef MAIN
struct Own {
  int a;
};
extern template class std::vector<Own>;
void add(std::vector<Own> &some) { some.push_back(Own()); }
#else
int main() {
  std::string text, word;
  text.append("a").append(std::to_string(1));
  std::stringstream stream;
  stream << text << ' ' << 2.5;
  double number;
  stream >> word >> number;
  std::list<int> list = {3, 1, 2};
  list.sort();
  std::map<std::string, int> map;
  std::unordered_map<std::string, int> table;
  for (int i : list)
    table[std::to_string(i)] = map[std::to_string(i)] = i;
  map.erase("2");
  std::cout << text << ' ' << number << ' ' << word << ' '
            << map.rbegin()->second + table["1"] + list.back() << std::endl;
}
#endif
