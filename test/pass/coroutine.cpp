// RUN: %clangxx -std=c++20 -O0 -fpass-plugin=%plugin -Xclang -llvm-verify-each -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -std=c++20 -O2 -fpass-plugin=%plugin -Xclang -llvm-verify-each -S -emit-llvm -o - %s | FileCheck %s
// Intent: of a coroutine, the functions that it is split into are instrumented.

#include <coroutine>
#include <exception>

struct Task {
  struct promise_type {
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

extern int shared;

// CHECK-LABEL: define {{.*}}@_Z5twicev.resume(
// CHECK:         call void @__atsan_write4(ptr @shared)
// CHECK:         call void @__atsan_write4(ptr @shared)
Task twice() {
  shared = 1;
  co_await std::suspend_always();
  shared = 2;
}
