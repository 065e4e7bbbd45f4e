//===-- memcached_client.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What asks memcached, for bench/real.py; it is not measured. Each thread has a
// connection and keys of its own, so that every answer is known; a counter that
// all share makes them meet. Requests are sent in batches: what is measured is
// the server's own work rather than the kernel's.
//
//===----------------------------------------------------------------------===//

#define REGIONS 0
#include "common.h"

#include <csignal>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

constexpr uint64_t kKeys = 2000;
constexpr uint64_t kBatch = 50;

pid_t Server;

// Nothing of the run counts then.
[[noreturn]] void fail(const char *What, const std::string &Detail = "") {
  fprintf(stderr, "memcached_client: %s %s\n", What, Detail.c_str());
  kill(Server, SIGKILL);
  _exit(1);
}

class Connection {
public:
  explicit Connection(const char *Path) {
    sockaddr_un Address = {};
    Address.sun_family = AF_UNIX;
    if (strlen(Path) >= sizeof(Address.sun_path))
      fail("the socket's name is too long:", Path);
    strcpy(Address.sun_path, Path);
    // The server may still be starting: up to 30 s.
    for (int Try = 0; Try < 3000; ++Try) {
      Socket = socket(AF_UNIX, SOCK_STREAM, 0);
      if (connect(Socket, (sockaddr *)&Address, sizeof(Address)) == 0)
        return;
      close(Socket);
      usleep(10000);
    }
    fail("no server at", Path);
  }
  ~Connection() { close(Socket); }

  void add(const std::string &Request) { Requests += Request + "\r\n"; }

  void send() {
    for (size_t Sent = 0; Sent < Requests.size();) {
      ssize_t N = write(Socket, &Requests[Sent], Requests.size() - Sent);
      if (N <= 0)
        fail("the server does not listen");
      Sent += N;
    }
    Requests.clear();
  }

  // Without its end of line.
  std::string line() {
    size_t End;
    while ((End = Answers.find("\r\n", Begin)) == std::string::npos)
      receive();
    std::string Line = Answers.substr(Begin, End - Begin);
    Begin = End + 2;
    return Line;
  }

private:
  void receive() {
    char Buffer[1 << 16];
    ssize_t N = read(Socket, Buffer, sizeof(Buffer));
    if (N <= 0)
      fail("the server does not answer");
    Answers.erase(0, Begin).append(Buffer, N);
    Begin = 0;
  }

  int Socket;
  std::string Requests, Answers;
  size_t Begin = 0;
};

// Of different lengths, so that they are in different slabs.
std::string valueOf(uint64_t Version) {
  std::string Value = std::to_string(Version);
  Value.resize(20 + Version % 7 * 60, '.');
  return Value;
}

struct Request {
  enum Kind { Set, Get, Delete, Count } What;
  uint64_t Key;
  uint64_t Version; // Of a get: what must come, 0: nothing.
  bool Deletes;
};

void check(Connection &C, const Request &R) {
  std::string Line = C.line();
  switch (R.What) {
  case Request::Set:
    if (Line != "STORED")
      fail("a set was answered with", Line);
    return;
  case Request::Delete:
    if (Line != (R.Deletes ? "DELETED" : "NOT_FOUND"))
      fail("a delete was answered with", Line);
    return;
  case Request::Count:
    if (strtoull(Line.c_str(), nullptr, 10) == 0)
      fail("an incr was answered with", Line);
    return;
  case Request::Get:
    if (R.Version == 0) {
      if (Line != "END")
        fail("a get of a deleted key was answered with", Line);
    } else if (Line.rfind("VALUE ", 0) != 0 || C.line() != valueOf(R.Version) ||
               C.line() != "END") {
      fail("a get was answered wrongly:", Line);
    }
  }
}

// Returns the sum of what the thread's keys hold at the end.
uint64_t work(const char *Path, unsigned Thread, uint64_t Requests) {
  Connection C(Path);
  std::vector<uint64_t> Known(kKeys, 0); // 0: not there.
  Random Rng(Thread + 1);
  for (uint64_t Done = 0; Done < Requests;) {
    std::vector<Request> Batch;
    while (Batch.size() < kBatch && Done < Requests) {
      const uint64_t Key = Rng.below(kKeys), Choice = Rng.below(10);
      char Name[32];
      snprintf(Name, sizeof(Name), "own-%u-%06u", Thread, unsigned(Key));
      ++Done;
      if (Choice < 3) {
        Batch.push_back({Request::Set, Key, Done, false});
        const std::string Value = valueOf(Done);
        C.add(std::string("set ") + Name + " 0 0 " +
              std::to_string(Value.size()) + "\r\n" + Value);
        Known[Key] = Done;
      } else if (Choice == 3) {
        Batch.push_back({Request::Delete, Key, 0, Known[Key] != 0});
        C.add(std::string("delete ") + Name);
        Known[Key] = 0;
      } else if (Choice == 4) {
        Batch.push_back({Request::Count, 0, 0, false});
        C.add("incr shared 1");
      } else {
        Batch.push_back({Request::Get, Key, Known[Key], false});
        C.add(std::string("get ") + Name);
      }
    }
    C.send();
    for (const Request &R : Batch)
      check(C, R);
  }
  uint64_t Sum = 0;
  for (uint64_t Version : Known)
    Sum += Version;
  return Sum;
}

} // namespace

// Arguments: the server's socket and process, threads, requests per thread.
int main(int Argc, char **Argv) {
  Server = argument(Argc, Argv, 2, "process of the server");
  const unsigned Threads = argument(Argc, Argv, 3, "threads");
  const uint64_t Requests = argument(Argc, Argv, 4, "requests per thread");
  const char *Path = Argv[1];
  Connection Shared(Path);
  Shared.add("set shared 0 0 1\r\n0");
  Shared.send();
  check(Shared, {Request::Set, 0, 0, false});
  std::vector<uint64_t> Sums(Threads);
  runThreads(Threads, [&](unsigned I) { Sums[I] = work(Path, I, Requests); });
  uint64_t Sum = 0;
  for (uint64_t One : Sums)
    Sum += One;
  // Every count must be there.
  Shared.add("get shared");
  Shared.send();
  Shared.line();
  Sum += strtoull(Shared.line().c_str(), nullptr, 10);
  const int Code = finish("sum", Sum);
  fflush(stdout);
  kill(Server, SIGINT);
  return Code;
}
