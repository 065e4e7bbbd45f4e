// RUN: %clang_atsan -O1 -fno-builtin -D_GNU_SOURCE -I%inputs %s -o %t -lpthread
// RUN: %clang -O1 -fno-builtin -D_GNU_SOURCE -I%atsan_include %s -o %t.native -lpthread
// RUN: %run %t.native > %t.native.out
// RUN: %run %t > %t.out && diff %t.native.out %t.out
// Intent: inside a region, where libc's functions are watched, they do what
// they do without us: results, errno, interruption by signals, cancellation.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sanitizer/atsan_interface.h>

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <locale.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define SHOW(expression)                                                       \
  do {                                                                         \
    errno = 0;                                                                 \
    long shown = (long)(expression);                                           \
    printf("%s = %ld, errno %d\n", #expression, shown, errno);                 \
  } while (0)

static char buffer[100], other[100];

void *__memcpy_chk(void *, const void *, size_t, size_t);
wchar_t *__wcsncat_chk(wchar_t *, const wchar_t *, size_t, size_t);
ssize_t __read_chk(int, void *, size_t, size_t);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
int __poll_chk(void *, unsigned long, int, size_t);
char *__fgets_chk(char *, size_t, int, FILE *);
int __getgroups_chk(int, gid_t *, size_t);
char *__getwd_chk(char *, size_t);
char *dirname(char *);
char *__xpg_basename(char *);

/* The signal that ends who overflows a buffer; libc says so on the terminal.
   With `more` there is room for that much more than is needed at least. */
static int overflow(int which, int more) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    FILE *zero = fopen("/dev/zero", "r");
    close(STDERR_FILENO);
    wcscpy((wchar_t *)buffer, L"01");
    switch (which) {
    case 0:
      __memcpy_chk(buffer, other, 50, 49 + more);
      break;
    case 1:
      __wcsncat_chk((wchar_t *)buffer, L"2345", 3, 5 + more);
      break;
    case 2:
      __read_chk(-1, buffer, 50, 49 + more);
      break;
    case 3:
      __fread_chk(buffer, 99 + more, 50, 2, zero);
      break;
    case 4:
      __poll_chk(buffer, 2, 0, 15 + more);
      break;
    case 5:
      __fgets_chk(buffer, 49 + more, 50, zero);
      break;
    case 6:
      __getgroups_chk(2, (gid_t *)buffer, 7 + more);
      break;
    case 7:
      chdir("/");
      __getwd_chk(buffer, 1 + more);
      break;
    }
    _exit(0);
  }
  waitpid(child, &status, 0);
  return WTERMSIG(status);
}

static void strings(void) {
  for (int i = 0; i < 8; i++) {
    SHOW(overflow(i, 0));
    SHOW(overflow(i, 1));
  }
  SHOW(confstr(_CS_GNU_LIBC_VERSION, buffer, sizeof(buffer)));
  printf("%s\n", buffer);
  SHOW(strcmp("abc", "abz"));
  SHOW(memcmp("abc", "abz", 3));
  SHOW(strcasecmp("aBc", "AbZ"));
  SHOW(strncasecmp("\xe4", "\xc4", 1));
  SHOW(strlen(strcpy(buffer, "0123")));
  SHOW(strtok(buffer, "1") - buffer);
  SHOW(strtok(NULL, "1") - buffer);
  SHOW(strtok(NULL, "1"));
  SHOW(strtol("999999999999999999999", NULL, 10));
  SHOW(strtol("1", NULL, 99));
  char *end = buffer; // Which libc leaves alone where there is no such base.
  SHOW(strtoul("1", &end, 1));
  SHOW(end == buffer);
  wchar_t *wide_end = NULL;
  SHOW(wcstoll(L"1", &wide_end, 37));
  SHOW(wide_end == NULL);
  SHOW(strtod("1e9999", NULL) > 1e300);
  SHOW(atoi(" -12x"));
  SHOW(wcstombs(buffer, L"\x1234", 10));
  SHOW(mbstowcs(NULL, "0123", 0));
}

static void formats(void) {
  char *allocated = NULL;
  int number = 0, n = 0;
  SHOW(snprintf(buffer, 5, "%d%s", 1234, "567"));
  puts(buffer);
  SHOW(snprintf(buffer, 50, "%2$*1$d|%3$-5.1f|%%|%c", 5, 42, 1.25, 'x'));
  puts(buffer);
  SHOW(snprintf(buffer, 50, "%s|%.2s|%ls|%Lg|%m", (char *)NULL, "0123", L"wide",
                1.5L));
  puts(buffer);
  SHOW(asprintf(&allocated, "%-3d%hhd", 1, 300));
  puts(allocated);
  free(allocated);
  SHOW(sscanf("12 words 3", "%d %[a-z]%n", &number, buffer, &n));
  printf("%d %s %d\n", number, buffer, n);
  SHOW(sscanf("x", "%d", &number));
  SHOW(sscanf("", "%d", &number));
  SHOW(sscanf("word", "%ms", &allocated));
  puts(allocated);
  free(allocated);
  SHOW(swprintf((wchar_t *)buffer, 3, L"%d", 12345));
  SHOW(strfromd(buffer, 3, "%.2f", 1.5));
  puts(buffer);
  SHOW(ecvt_r(1.5, 9, &number, &n, buffer, 5));
  SHOW(fcvt_r(-0.015, 3, &number, &n, buffer, 50));
  printf("%s %d %d\n", buffer, number, n);
}

static void times(void) {
  struct tm time = {0};
  time.tm_year = 108;
  time.tm_mon = 14;
  SHOW(mktime(&time));
  SHOW(strftime(buffer, 100, "%c %Ex %Od %-5H %^a %Z", &time));
  puts(buffer);
  SHOW(strftime(buffer, 3, "%Y", &time));
  puts(asctime(&time));
}

static void names(void) {
  SHOW(strcmp(dirname(strcpy(buffer, "/a/b//")), "/a"));
  SHOW(strcmp(__xpg_basename(strcpy(buffer, "/a/b//")), "b"));
  SHOW(getenv("ATSAN_NO_SUCH_NAME"));
  SHOW(fnmatch("a[b-d]*", "ace", 0));
  SHOW(inet_addr("1.2.3.4"));
  SHOW(strtol_l("12", NULL, 10, newlocale(LC_ALL_MASK, "C", NULL)));
}

static void files(void) {
  int fds[2];
  FILE *file = tmpfile();
  struct flock lock = {.l_type = F_WRLCK};
  SHOW(fcntl(fileno(file), F_GETLK, &lock));
  SHOW(lock.l_type == F_UNLCK);
  SHOW(fcntl(fileno(file), F_GETFD));
  SHOW(fcntl(-1, F_SETLKW, &lock));
  SHOW(open("/does/not/exist", O_RDONLY));
  SHOW(read(-1, buffer, 1));
  SHOW(write(-1, buffer, 1));
  SHOW(pipe2(fds, O_NONBLOCK));
  SHOW(read(fds[0], buffer, 1));
  SHOW(write(fds[1], NULL, 1));
  SHOW(send(fds[1], "x", 1, 0));
  SHOW(fputs("line\nmore", file) >= 0);
  rewind(file);
  SHOW(fgets(buffer, 50, file) == buffer);
  SHOW(fread(buffer, 3, 5, file));
  SHOW(fgets(buffer, 50, file));
  SHOW(mlock(buffer, 10));
}

static int descending(const void *x, const void *y) {
  return *(const char *)y - *(const char *)x;
}

static void others(void) {
  void *tree = NULL;
  struct timespec none = {0, -1};
  strcpy(other, "31524");
  qsort(other, 5, 1, descending);
  puts(other);
  SHOW(tsearch("key", &tree, descending) != NULL);
  SHOW(tfind("key", (void *const *)&tree, descending) != NULL);
  SHOW(tdelete("key", &tree, descending) != NULL);
  SHOW(tree);
  SHOW(nanosleep(&none, NULL));
  SHOW(getpwnam("no-such-user-as-this"));
  SHOW(getaddrinfo("127.0.0.1", "not-a-service", NULL, (void *)buffer));
  SHOW(waitpid(-1, NULL, 0));
}

/* --- Signals and cancellation. */

static int fds[2];
static void handler(int number) { (void)number; }

static void *reader(void *arg) {
  pthread_cleanup_push((void (*)(void *))puts, "cleaned up");
  __atsan_region_begin("cancelled");
  read(fds[0], buffer, 1);
  puts("not reached");
  __atsan_region_end();
  pthread_cleanup_pop(0);
  return arg;
}

static void interruption(void) {
  struct sigaction action;
  timer_t timer;
  struct sigevent event;
  struct itimerspec often = {{0, 1000000}, {0, 1000000}};
  memset(&action, 0, sizeof(action));
  memset(&event, 0, sizeof(event));
  action.sa_handler = handler;
  SHOW(sigaction(SIGUSR1, &action, NULL));
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  SHOW(timer_create(CLOCK_MONOTONIC, &event, &timer));
  /* It comes again, in case that it came before the call. */
  SHOW(timer_settime(timer, 0, &often, NULL));
  SHOW(read(fds[0], buffer, 1));
  SHOW(timer_delete(timer));
}

static void cancellation(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, reader, NULL);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  SHOW(result == PTHREAD_CANCELED);
}

int main(void) {
  if (pipe(fds))
    return 1;
  setlocale(LC_ALL, "C");
  __atsan_region_begin("all");
  strings();
  formats();
  times();
  names();
  files();
  others();
  interruption();
  cancellation();
  __atsan_region_end();
  return 0;
}
