// Intent: what a signal, a post of a semaphore or an annotation lets go on
// comes after it in any other schedule, too: what was written before is no
// violation of the region behind, what is written after it is one. Without the
// hand-over, prediction could not tell the two apart.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx_atsan -O0 %s -o %t/a
// RUN: for how in signal post annotation; do \
// RUN:   for when in before after; do \
// RUN:     env ATSAN_OPTIONS=trace=%t/$how.$when %t/a $how $when || exit 1; \
// RUN:   done; \
// RUN:   %atsan predict --fail-on=potential %t/$how.before || exit 1; \
// RUN:   %atsan predict --fail-on=potential %t/$how.after; test $? = 66 || exit 1; \
// RUN:   done
// RUN: %atsan trace print %t/signal.after \
// RUN:   | FileCheck %s --check-prefix=SIGNAL
// RUN: %atsan trace print %t/annotation.after \
// RUN:   | FileCheck %s --check-prefix=ANNOTATION
// SIGNAL: wait
// SIGNAL: signal
// SIGNAL: woken
// ANNOTATION: happens-before
// ANNOTATION: happens-after

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <sanitizer/atsan.hpp>
#include <semaphore.h>
#include <thread>

extern "C" void AnnotateHappensBefore(const char *, int, void *);
extern "C" void AnnotateHappensAfter(const char *, int, void *);

static int Data, Sum;
static std::mutex Lock;
static std::condition_variable Condition;
static bool IsWaiting, IsReady;
static sem_t Semaphore;
static std::atomic<bool> Flag;

// Waits until the other thread does, so that it is woken by the signal.
static void signal() {
  for (;;) {
    std::lock_guard<std::mutex> Guard(Lock);
    if (IsWaiting)
      break;
  }
  std::lock_guard<std::mutex> Guard(Lock);
  IsReady = true;
  Condition.notify_one();
}

static void tell(const char *How) {
  if (!std::strcmp(How, "signal")) {
    signal();
  } else if (!std::strcmp(How, "post")) {
    sem_post(&Semaphore);
  } else {
    AnnotateHappensBefore(__FILE__, __LINE__, &Flag);
    Flag = true;
  }
}

static void hear(const char *How) {
  if (!std::strcmp(How, "signal")) {
    std::unique_lock<std::mutex> Guard(Lock);
    IsWaiting = true;
    Condition.wait(Guard, [] { return IsReady; });
  } else if (!std::strcmp(How, "post")) {
    sem_wait(&Semaphore);
  } else {
    while (!Flag)
      std::this_thread::yield();
    AnnotateHappensAfter(__FILE__, __LINE__, &Flag);
  }
}

int main(int, char **Args) {
  const bool IsLate = !std::strcmp(Args[2], "after");
  sem_init(&Semaphore, 0, 0);
  std::thread Reader([&] {
    hear(Args[1]);
    atsan::atomic_region Region("sum");
    Sum = Data;
    Sum += Data;
  });
  std::thread Writer([&] {
    if (!IsLate)
      Data = 1;
    tell(Args[1]);
    if (IsLate)
      Data = 1;
  });
  Reader.join();
  Writer.join();
}
