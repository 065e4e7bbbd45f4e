//===-- hedc.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A web crawler without a network: workers take tasks from a pool, each fetches
// a page (made up from its number), looks for dates and for links in the text,
// adds what it found to the request's results, and puts a task for every page
// that nobody has visited into the pool. Regions: fetching and reading a page,
// and each operation on the pool, the visited pages and the results.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>

namespace {

// What a task finds in one page.
struct Findings {
  std::vector<std::string> Links;
  std::map<std::string, uint64_t> Dates; // How often.
};

struct Task {
  std::string Address;
};

class Pool {
public:
  void put(std::unique_ptr<Task> T) {
    std::lock_guard<std::mutex> Lock(Mutex);
    OperationRegion Region("put task");
    Tasks.push_back(std::move(T));
    ++Unfinished;
    Changed.notify_one();
  }

  // Null: all tasks are done, and nobody can put another one.
  std::unique_ptr<Task> take() {
    std::unique_lock<std::mutex> Lock(Mutex);
    while (Tasks.empty() && Unfinished != 0)
      Changed.wait(Lock);
    OperationRegion Region("take task");
    if (Tasks.empty())
      return nullptr;
    std::unique_ptr<Task> T = std::move(Tasks.front());
    Tasks.pop_front();
    return T;
  }

  void finished() {
    std::lock_guard<std::mutex> Lock(Mutex);
    OperationRegion Region("finish task");
    if (--Unfinished == 0)
      Changed.notify_all();
  }

private:
  std::mutex Mutex;
  std::condition_variable Changed;
  std::deque<std::unique_ptr<Task>> Tasks;
  uint64_t Unfinished = 0;
};

class Visited {
public:
  // Is this the first visit?
  bool add(const std::string &Address) {
    std::lock_guard<std::mutex> Lock(Mutex);
    OperationRegion Region("visit");
    return Addresses.insert(Address).second;
  }

private:
  std::mutex Mutex;
  std::unordered_set<std::string> Addresses;
};

class Results {
public:
  void add(const Findings &Found) {
    std::lock_guard<std::mutex> Lock(Mutex);
    OperationRegion Region("add results");
    ++Pages;
    for (const auto &D : Found.Dates)
      Dates[D.first] += D.second;
  }

  uint64_t sum() const {
    uint64_t Sum = Pages;
    for (const auto &D : Dates) {
      for (char C : D.first)
        Sum = Sum * 31 + C;
      Sum = Sum * 31 + D.second;
    }
    return Sum;
  }

private:
  std::mutex Mutex;
  uint64_t Pages = 0;
  std::map<std::string, uint64_t> Dates;
};

class Web {
public:
  explicit Web(uint64_t Pages) : Pages(Pages) {}

  static std::string address(uint64_t Page) {
    return "http://archive.example/page/" + std::to_string(Page);
  }

  std::string fetch(const std::string &Address) const {
    uint64_t Page = strtoull(Address.c_str() + Address.rfind('/') + 1, 0, 10);
    Random Rng(Page + 1);
    std::string Text = "<html><title>Flares</title>\n";
    for (unsigned Line = 0; Line < 40; ++Line)
      switch (Rng.below(6)) {
      case 0:
        link(Text, Rng.below(Pages));
        break;
      case 1:
        Text += "observed on 19" + std::to_string(90 + Rng.below(10)) + "-0" +
                std::to_string(1 + Rng.below(9)) + "\n";
        break;
      default:
        Text += "a bright spot in the north of the disk, class ";
        Text += char('A' + Rng.below(26));
        Text += '\n';
      }
    // A tree, so that every page can be found.
    for (uint64_t Child : {2 * Page + 1, 2 * Page + 2})
      if (Child < Pages)
        link(Text, Child);
    return Text + "</html>\n";
  }

private:
  static void link(std::string &Text, uint64_t Page) {
    Text += "<a href=\"" + address(Page) + "\">see also</a>\n";
  }

  const uint64_t Pages;
};

bool startsAt(const std::string &Text, size_t At, const char *Word) {
  for (; *Word; ++At, ++Word)
    if (At >= Text.size() || Text[At] != *Word)
      return false;
  return true;
}

Findings read(const std::string &Text) {
  Findings Found;
  for (size_t At = 0; At < Text.size(); ++At) {
    if (startsAt(Text, At, "href=\"")) {
      size_t End = Text.find('"', At + 6);
      Found.Links.push_back(Text.substr(At + 6, End - At - 6));
      At = End;
    } else if (startsAt(Text, At, "observed on ")) {
      ++Found.Dates[Text.substr(At + 12, 7)];
    }
  }
  return Found;
}

class Crawler {
public:
  explicit Crawler(uint64_t Pages) : Pages(Pages) { visit(Web::address(0)); }

  void work() {
    while (std::unique_ptr<Task> T = Pending.take()) {
      Findings Found = run(*T);
      Collected.add(Found);
      for (const std::string &Link : Found.Links)
        visit(Link);
      Pending.finished();
    }
  }

  uint64_t sum() const { return Collected.sum(); }

private:
  Findings run(const Task &T) const {
    OperationRegion Region("run task");
    return read(Pages.fetch(T.Address));
  }

  void visit(const std::string &Address) {
    if (Seen.add(Address))
      Pending.put(std::unique_ptr<Task>(new Task{Address}));
  }

  const Web Pages;
  Pool Pending;
  Visited Seen;
  Results Collected;
};

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  uint64_t Pages = argument(Argc, Argv, 2, "pages");

  Crawler C(Pages);
  runThreads(Threads, [&](unsigned) { C.work(); });
  return finish("pages and dates", C.sum());
}
