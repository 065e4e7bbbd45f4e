/* A child that does nothing, one with a region, one by vfork; then a region. */
#include <sanitizer/atsan_interface.h>
#include <sys/wait.h>
#include <unistd.h>

int x;

static void region(void) {
  __atomic_begin();
  x++;
  __atomic_end();
}

int main(void) {
  region();
  if (!fork())
    _exit(0);
  if (!fork()) {
    region();
    region();
    _exit(0);
  }
  if (!vfork())
    _exit(0);
  while (wait(NULL) > 0) {
  }
  region();
  return 0;
}
