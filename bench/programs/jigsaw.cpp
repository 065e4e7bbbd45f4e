//===-- jigsaw.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The resources of a web server. They live in stores, one for each directory,
// which are loaded from their saved form when a request needs them; when too
// many are loaded, the one unused for longest is saved and unloaded. Clients
// send requests as text and read the replies. Locks: the manager's, and one of
// each store. Regions: finding a store, loading it, serving from it, unloading.
//
// Known bug: the number of loaded stores is changed under the lock of the store
// that is loaded or unloaded, and so under no common one.
//
//===----------------------------------------------------------------------===//

#include "common.h"
#include "interleave.h"

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace {

constexpr unsigned kResources = 16; // Of each store.

struct Resource {
  uint64_t Size, Gets, Puts;
};

// One directory. Mutex guards all but Users, which is the manager's.
struct Store {
  std::mutex Mutex;
  std::string Saved;
  bool Loaded = false;
  std::map<std::string, Resource> Resources;
  unsigned Users = 0;
};

// One line for each resource: "name size gets puts".
void load(Store &S) {
  const char *At = S.Saved.c_str();
  while (*At) {
    const char *End = At;
    while (*End != ' ')
      ++End;
    Resource &R = S.Resources[std::string(At, End)];
    char *Rest;
    R.Size = strtoull(End, &Rest, 10);
    R.Gets = strtoull(Rest, &Rest, 10);
    R.Puts = strtoull(Rest, &Rest, 10);
    At = Rest + 1;
  }
  S.Loaded = true;
}

void unload(Store &S) {
  S.Saved.clear();
  for (const auto &Named : S.Resources) {
    const Resource &R = Named.second;
    S.Saved += Named.first;
    for (uint64_t Value : {R.Size, R.Gets, R.Puts})
      S.Saved += ' ' + std::to_string(Value);
    S.Saved += '\n';
  }
  S.Resources.clear();
  S.Loaded = false;
}

class Manager {
public:
  explicit Manager(unsigned Count) : MaxLoaded(Count / 2 + 1) {
    Random Rng(5);
    for (unsigned I = 0; I < Count; ++I) {
      Stores.emplace_back(new Store);
      for (unsigned R = 0; R < kResources; ++R)
        Stores[I]->Saved += "file" + std::to_string(R) + ' ' +
                            std::to_string(64 + Rng.below(192)) + " 0 0\n";
      ByUse.push_back(Stores[I].get());
    }
  }

  // The store is loaded, and nobody unloads it before release().
  Store &acquire(unsigned Directory) {
    Store &S = *Stores[Directory];
    {
      std::lock_guard<std::mutex> Lock(Mutex);
      OperationRegion Region("find store");
      ++S.Users;
      ByUse.remove(&S);
      ByUse.push_front(&S);
    }
    std::lock_guard<std::mutex> Lock(S.Mutex);
    OperationRegion Region("load store");
    if (!S.Loaded) {
      load(S);
      changeLoaded(1);
    }
    return S;
  }

  void release(Store &S) {
    {
      std::lock_guard<std::mutex> Lock(Mutex);
      OperationRegion Region("release store");
      --S.Users;
    }
    while (loaded() > MaxLoaded && unloadOne())
      ;
  }

  // Nobody works any more.
  uint64_t shutDown() {
    uint64_t Sum = 0;
    for (auto &S : Stores) {
      if (S->Loaded) {
        unload(*S);
        changeLoaded(-1);
      }
      for (char C : S->Saved)
        Sum = Sum * 31 + C;
    }
    return Sum * 31 + loaded();
  }

private:
  std::unique_lock<std::mutex> lockLoaded() {
    std::unique_lock<std::mutex> Lock(LoadedMutex, std::defer_lock);
    if (kFixed)
      Lock.lock();
    return Lock;
  }

  void changeLoaded(int By) {
    std::unique_lock<std::mutex> Lock = lockLoaded();
    int Seen = LoadedStores;
    interleave::middle();
    LoadedStores = Seen + By;
    interleave::between();
  }

  int loaded() {
    std::unique_lock<std::mutex> Lock = lockLoaded();
    return LoadedStores;
  }

  bool unloadOne() {
    std::lock_guard<std::mutex> Lock(Mutex);
    OperationRegion Region("unload store");
    for (auto S = ByUse.rbegin(); S != ByUse.rend(); ++S) {
      if ((*S)->Users != 0)
        continue;
      std::lock_guard<std::mutex> StoreLock((*S)->Mutex);
      if (!(*S)->Loaded)
        continue;
      unload(**S);
      changeLoaded(-1);
      return true;
    }
    return false;
  }

  const int MaxLoaded;
  std::vector<std::unique_ptr<Store>> Stores;
  std::mutex Mutex, LoadedMutex;
  std::list<Store *> ByUse; // The latest first.
  int LoadedStores = 0;
};

class Server {
public:
  explicit Server(Manager &Stores) : Stores(Stores) {}

  // "GET /3/file7 HTTP/1.1"
  std::string answer(const std::string &Request) {
    size_t Directory = Request.find('/') + 1;
    size_t Name = Request.find('/', Directory) + 1;
    size_t End = Request.find(' ', Name);
    Store &S = Stores.acquire(atoi(Request.c_str() + Directory));
    std::string Reply = serve(S, Request.substr(Name, End - Name),
                              Request.compare(0, 3, "PUT") == 0);
    Stores.release(S);
    return Reply;
  }

private:
  std::string serve(Store &S, const std::string &Name, bool Put) {
    std::lock_guard<std::mutex> Lock(S.Mutex);
    OperationRegion Region("serve");
    auto Found = S.Resources.find(Name);
    if (Found == S.Resources.end())
      return "HTTP/1.1 404 Not Found\r\n\r\n";
    Resource &R = Found->second;
    if (Put) {
      ++R.Puts;
      return "HTTP/1.1 204 No Content\r\n\r\n";
    }
    ++R.Gets;
    std::string Reply = "HTTP/1.1 200 OK\r\nContent-Length: ";
    Reply += std::to_string(R.Size) + "\r\n\r\n";
    for (uint64_t I = 0; I < R.Size; ++I)
      Reply += char('a' + (R.Size + I) % 26);
    return Reply;
  }

  Manager &Stores;
};

// Returns a sum of the replies.
uint64_t runClient(Server &S, unsigned Self, unsigned Count,
                   uint64_t Requests) {
  Random Rng(Self + 1);
  uint64_t Sum = 0, Directory = Self % Count; // A home page first.
  for (uint64_t I = 0; I < Requests; ++I) {
    std::string Request = Rng.below(8) == 0 ? "PUT /" : "GET /";
    // One name more than there are resources.
    Request += std::to_string(Directory) + "/file" +
               std::to_string(Rng.below(kResources + 1)) +
               " HTTP/1.1\r\nHost: www.example\r\n\r\n";
    for (char C : S.answer(Request))
      Sum = Sum * 31 + C;
    if (Rng.below(4) == 0)
      Directory = Rng.below(Count);
  }
  return Sum;
}

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  unsigned Count = argument(Argc, Argv, 2, "stores");
  uint64_t Requests = argument(Argc, Argv, 3, "requests per thread");

  Manager Stores(Count);
  Server S(Stores);
  std::vector<uint64_t> Sums(Threads);
  runThreads(Threads, [&, Count, Requests](unsigned Self) {
    Sums[Self] = runClient(S, Self, Count, Requests);
  });
  uint64_t Sum = Stores.shutDown();
  for (uint64_t Of : Sums)
    Sum = Sum * 31 + Of;
  return finish("replies and stores", Sum);
}
