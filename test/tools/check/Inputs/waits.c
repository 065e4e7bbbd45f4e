/* A region, then it says so and waits until stdin ends; then another one. */
#include <sanitizer/atsan_interface.h>
#include <unistd.h>

int x;

static void region(void) {
  __atomic_begin();
  x++;
  __atomic_end();
}

int main(void) {
  char c;
  region();
  if (write(STDOUT_FILENO, "on\n", 3) != 3)
    return 1;
  while (read(STDIN_FILENO, &c, 1) > 0) {
  }
  region();
  return 0;
}
