// RUN: %clang_atsan -O1 -fno-builtin -fno-strict-aliasing -D_GNU_SOURCE -I%inputs %s -o %t -lpthread -lm
// RUN: %run %t
// Intent: of each function of the table, exactly the bytes that it reads and
// writes are accesses, and their neighbours are none.
//
// For every byte on either side of each border there are runs, each in a
// process of its own: in the middle of a region that accesses the byte before
// the call, another thread writes or only reads it. The call makes a cycle if
// it accesses the byte, or writes it. One run is enough where the other one
// follows: what is written is accessed, what is not accessed is not written.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <fnmatch.h>
#include <iconv.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <mntent.h>
#include <mqueue.h>
#include <netdb.h>
#include <obstack.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <syslog.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <uchar.h>
#include <utime.h>
#include <wchar.h>

/* Other names. */
char *__stpcpy(char *, const char *);
ssize_t __read(int, void *, size_t);
void __libc_free(void *);

/* <libgen.h> has another basename than <string.h>. */
char *dirname(char *);
char *__xpg_basename(char *);

const char *__atsan_default_options(void) {
  return "symbolize=0:handle_ioctl=1";
}

/* The buffers that the functions work on, also as wide characters. */
enum { SIZE = 320 };
static char a[SIZE] __attribute__((aligned(16)));
static char b[SIZE] __attribute__((aligned(16)));
#define aw ((wchar_t *)a)
#define bw ((wchar_t *)b)

/* What a call is expected to do to each byte: */
enum { NOTHING = 0, READS = 1, WRITES = 2 };
static char expected_a[SIZE], expected_b[SIZE];

static void expect(char *expected, int begin, int end, int what) {
  int i;
  for (i = begin; i < end; i++)
    if (expected[i] < what)
      expected[i] = what;
}
/* Bytes from begin to before end. */
#define RA(begin, end) expect(expected_a, begin, end, READS)
#define WA(begin, end) expect(expected_a, begin, end, WRITES)
#define RB(begin, end) expect(expected_b, begin, end, READS)
#define WB(begin, end) expect(expected_b, begin, end, WRITES)

static char *byte; /* The one that both threads access. */
static int other_writes;

/* For the functions. */
static int fds[2], sockets[2], listener, epoll;
static timer_t timer;
static mqd_t queue;
static FILE *stream;
static iconv_t converter;
static locale_t locale;
static sem_t semaphore;
static pthread_attr_t attributes;
static const char *text = "0123456789";
static int groups, host_length;
static volatile long none; /* 0, but the optimizer does not know. */

ATSAN_TEST_HELPER void set(char *to, const char *from) {
  volatile char *out = to;
  while ((*out++ = *from++)) {
  }
}

ATSAN_TEST_HELPER void set_wide(wchar_t *to, const char *from) {
  volatile wchar_t *out = to;
  while ((*out++ = *from++)) {
  }
}

ATSAN_TEST_HELPER void watch(int fd) {
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

/* A message of one part. */
ATSAN_TEST_HELPER void address(char *message, char *part, char *data,
                               size_t size) {
  struct iovec vector = {data, size};
  struct msghdr header = {.msg_iov = (struct iovec *)part, .msg_iovlen = 1};
  memcpy(part, &vector, sizeof(vector));
  memcpy(message, &header, sizeof(header));
}

/* An object of 8 bytes at `base` that has room for 4 more there. */
static char *more_room(size_t size) {
  (void)size;
  return b;
}
ATSAN_TEST_HELPER void grow(char *stack, char *base) {
  struct obstack object = {.object_base = base,
                           .next_free = base + 8,
                           .chunk_limit = base + 12,
                           .chunk_size = 100,
                           .alignment_mask = 15,
                           .maybe_empty_object = 1};
  object.chunkfun = (struct _obstack_chunk * (*)(void *, long)) more_room;
  memcpy(stack, &object, sizeof(object));
}

ATSAN_TEST_HELPER void end_child(void) {
  siginfo_t info;
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  waitid(P_PID, child, &info, WEXITED | WNOWAIT);
}

static void convert(char *from, size_t size, char *to) {
  size_t room = 16;
  iconv(converter, &from, &size, &to, &room);
}

ATSAN_TEST_HELPER void connect_to_listener(void) {
  struct sockaddr_un name;
  socklen_t size = sizeof(name);
  getsockname(listener, (void *)&name, &size);
  connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&name, size);
}

ATSAN_TEST_HELPER void make_timer(void) {
  struct sigevent event = {.sigev_notify = SIGEV_NONE};
  timer_create(CLOCK_MONOTONIC, &event, &timer);
}

ATSAN_TEST_HELPER void *nothing(void *arg) { return arg; }
ATSAN_TEST_HELPER int nothing_11(void *arg) { return !arg; }

static void touch(int writes) {
  char value = *byte;
  __asm__ volatile("" : "+r"(value)); /* Else there is no write. */
  if (writes)
    *byte = value;
}

static void *other(void *arg) {
  (void)arg;
  STEP(2) touch(other_writes);
  return NULL;
}

typedef struct {
  const char *name;
  void (*prepare)(void);
  void (*call)(void);
  void (*ranges)(void);
} Case;

/* What libc keeps for itself is set up before: buffers, tables, locales. */
static int finds_cycle(const Case *c) {
  int status, null;
  pid_t child = fork();
  if (child == 0) {
    pthread_t thread;
    null = open("/dev/null", O_WRONLY);
    dup2(null, 2);
    dup2(null, 1);
    rewind(stream);
    c->prepare();
    pthread_create(&thread, NULL, other, NULL);
    __atsan_region_begin(c->name);
    STEP(1) touch(!other_writes);
    STEP(3) c->call();
    __atsan_region_end();
    pthread_join(thread, NULL);
    _exit(0);
  }
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status) == 66 ? 1 : WEXITSTATUS(status) == 0 ? 0 : -1;
}

static int check_byte(const Case *c, char *buffer, const char *expected,
                      int i) {
  int failures = 0;
  byte = &buffer[i];
  for (other_writes = 0; other_writes < 2; other_writes++) {
    int least = other_writes ? READS : WRITES, found;
    if (expected[i] == (other_writes ? WRITES : NOTHING))
      continue;
    found = finds_cycle(c);
    if (found == (expected[i] >= least))
      continue;
    printf("%s: byte %d of %s: %s%s\n", c->name, i, buffer == a ? "a" : "b",
           found < 0 ? "the run failed"
           : found   ? "unexpected "
                     : "missed ",
           found < 0      ? ""
           : other_writes ? "access"
                          : "write");
    failures++;
  }
  return failures;
}

static int check_buffer(const Case *c, char *buffer, const char *expected) {
  int i, failures = 0;
  for (i = 0; i < SIZE; i++)
    if ((i > 0 && expected[i] != expected[i - 1]) ||
        (i + 1 < SIZE && expected[i] != expected[i + 1]))
      failures += check_byte(c, buffer, expected, i);
  return failures;
}

static int compare(const void *x, const void *y) {
  (void)x;
  (void)y;
  return 0;
}

static int differ(const void *x, const void *y) { return !compare(x, y); }

#ifndef CASES
#define CASES "Inputs/ranges.inc"
#endif
#undef fread_unlocked /* In libc's headers it is also a loop. */
#ifdef FORTIFIED
#include "Inputs/fortified.inc"
#endif
#define CASE(name, prepare, call, ranges)                                      \
  static void name##_prepare(void) { prepare; }                                \
  static void name##_call(void) { call; }                                      \
  static void name##_ranges(void) { ranges; }
#include CASES
#undef CASE

#define CASE(name, prepare, call, ranges)                                      \
  {#name, name##_prepare, name##_call, name##_ranges},
static const Case cases[] = {
#include CASES
};

int main(int argc, char **argv) {
  size_t i;
  int failures = 0, checked = 0;
  stream = tmpfile();
  fputs("012345\n78901234567890", stream);
  char host[100];
  gethostname(host, sizeof(host));
  host_length = strlen(host);
  groups = getgroups(0, NULL);
  epoll = epoll_create1(0);
  converter = iconv_open("UTF-32LE", "UTF-8");
  locale = newlocale(LC_ALL_MASK, "C", NULL);
  sem_init(&semaphore, 0, 3);
  hcreate(9);
  if (!stream || epoll < 0 || converter == (iconv_t)-1 || pipe(fds) ||
      socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
    return 2;
  char name[50];
  struct mq_attr attributes_of_queue = {.mq_maxmsg = 4, .mq_msgsize = 16};
  snprintf(name, sizeof(name), "/atsan-ranges-%d", getpid());
  queue =
      mq_open(name, O_CREAT | O_RDWR | O_NONBLOCK, 0600, &attributes_of_queue);
  mq_unlink(name);
  if (queue == (mqd_t)-1)
    return 2;
  struct sockaddr_un own_choice = {.sun_family = AF_UNIX};
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, (void *)&own_choice, sizeof(own_choice.sun_family)) ||
      listen(listener, 9))
    return 2;
  for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    const Case *c = &cases[i];
    if (argc > 1 && strcmp(argv[1], c->name))
      continue;
    memset(expected_a, 0, SIZE);
    memset(expected_b, 0, SIZE);
    c->ranges();
    failures += check_buffer(c, a, expected_a);
    failures += check_buffer(c, b, expected_b);
    checked++;
    fflush(stdout);
  }
  printf("%d functions, %d failures\n", checked, failures);
  return !checked || failures ? 1 : 0;
}
