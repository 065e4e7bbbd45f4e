//===- ChangedReads.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/predict/ChangedReads.h"
#include "lib/predict/Times.h"
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

using namespace atsan;
using namespace atsan::predict;
using check::Finding;
using check::NumberedEvent;

namespace {

/// Bytes that each write writes all of or none of.
struct Piece {
  uint64_t Begin, Last;
  NumberedEvent Write; ///< The last one, whoever made it.
  std::unordered_map<uint32_t, NumberedEvent> WriteOf; ///< By thread.
};

/// Bytes that are read. The first reading finds who writes them, and where
/// writes begin and end; the second the writes.
struct Range {
  uint64_t Begin, Last;
  std::set<uint32_t> Writers = {};
  std::set<uint64_t> Cuts = {}; ///< Where further pieces begin.
  std::vector<Piece> Pieces = {};

  void see(const trace::Event &Write) {
    Writers.insert(Write.Thread);
    const uint64_t LastWritten = Write.Address + Write.Size - 1;
    if (Write.Address > Begin)
      Cuts.insert(Write.Address);
    if (LastWritten < Last)
      Cuts.insert(LastWritten + 1);
  }
  void cut() {
    uint64_t Next = Begin;
    for (const uint64_t C : Cuts) {
      Pieces.push_back({Next, C - 1, {}, {}});
      Next = C;
    }
    Pieces.push_back({Next, Last, {}, {}});
  }
  void take(const NumberedEvent &Write) {
    const uint64_t LastWritten = Write.What.Address + Write.What.Size - 1;
    auto P = std::partition_point(
        Pieces.begin(), Pieces.end(),
        [&](const Piece &Each) { return Each.Last < Write.What.Address; });
    for (; P != Pieces.end() && P->Begin <= LastWritten; ++P)
      P->Write = P->WriteOf[Write.What.Thread] = Write;
  }
};

/// The ranges, by the granules of 8 bytes that they are in.
class Ranges {
public:
  size_t add(const trace::Event &Read) {
    const uint64_t Last = Read.Address + Read.Size - 1;
    const auto Is = Known.try_emplace({Read.Address, Last}, All.size());
    const size_t Number = Is.first->second;
    if (!Is.second)
      return Number;
    All.push_back({Read.Address, Last});
    if (isLong(Read))
      Long.push_back(Number);
    else
      for (uint64_t G = Read.Address / 8; G <= Last / 8; ++G)
        At[G].push_back(Number);
    return Number;
  }
  Range &operator[](size_t Number) { return All[Number]; }
  std::vector<Range> &all() { return All; }

  template <typename Function>
  void forEachWritten(const trace::Event &E, Function F) {
    if (!trace::writes(E.Kind) || !E.Size)
      return;
    const uint64_t Last = E.Address + E.Size - 1;
    const auto Written = [&](Range &R) {
      if (R.Begin <= Last && E.Address <= R.Last)
        F(R);
    };
    if (isLong(E)) {
      for (Range &R : All)
        Written(R);
      return;
    }
    for (const size_t I : Long)
      Written(All[I]);
    for (uint64_t G = E.Address / 8; G <= Last / 8; ++G)
      if (const auto It = At.find(G); It != At.end())
        for (const size_t I : It->second)
          Written(All[I]);
  }

private:
  static bool isLong(const trace::Event &E) { return E.Size > 4096; }

  std::vector<Range> All;
  std::map<std::pair<uint64_t, uint64_t>, size_t> Known;
  std::unordered_map<uint64_t, std::vector<size_t>> At;
  std::vector<size_t> Long;
};

/// For each of some reads, the last writes before it: in the run, and in the
/// schedule of its finding. A thread's writes come in the order of the run in
/// each schedule; so of each thread that writes there the last one up to some
/// event is asked for.
class LastWrites {
public:
  explicit LastWrites(std::vector<Finding> &Findings) {
    for (Finding &F : Findings)
      if (!F.Schedule.empty())
        add(F);
  }
  bool empty() const { return Reads.empty(); }

  /// Takes an event of the run, for the first time.
  void takeFirst(const trace::Event &E) {
    Bytes.forEachWritten(E, [&](Range &R) { R.see(E); });
  }
  /// Behind the last event, before the run comes again.
  void ask() {
    for (Range &R : Bytes.all())
      R.cut();
    for (size_t I = 0; I != Reads.size(); ++I)
      askFor(I);
    std::sort(
        Questions.begin(), Questions.end(),
        [](const Question &A, const Question &B) { return A.UpTo < B.UpTo; });
  }
  void take(uint64_t Number, const trace::Event &E) {
    answer(Number);
    Bytes.forEachWritten(E, [&](Range &R) { R.take({Number, E}); });
  }
  void finish() {
    answer(~uint64_t(0));
    for (const ReadOfFinding &R : Reads) {
      const auto Changed = std::find_if(R.Pieces.begin(), R.Pieces.end(),
                                        [](const WritesOfPiece &W) {
                                          return W.Was.Number != W.Would.Number;
                                        });
      if (Changed != R.Pieces.end())
        R.Of->ChangedReads.push_back({R.Is, Changed->Was, Changed->Would});
    }
  }

private:
  struct WritesOfPiece {
    NumberedEvent Was, Would;
    Times::Time When; ///< When Would happens.
  };
  struct ReadOfFinding {
    Finding *Of;
    NumberedEvent Is;
    const Times *Order;
    size_t Range;
    std::vector<WritesOfPiece> Pieces;
  };
  /// Asks for the last writes up to an event, of a thread or of all.
  struct Question {
    uint64_t UpTo;
    size_t Read;
    std::optional<uint32_t> Thread;
  };

  void add(Finding &F) {
    Orders.push_back(std::make_unique<Times>(F.Schedule));
    std::set<uint64_t> Seen;
    for (const NumberedEvent &E : F.Order)
      if (trace::reads(E.What.Kind) && E.What.Size &&
          Seen.insert(E.Number).second)
        Reads.push_back({&F, E, Orders.back().get(), Bytes.add(E.What), {}});
  }
  void askFor(size_t Of) {
    ReadOfFinding &R = Reads[Of];
    R.Pieces.resize(Bytes[R.Range].Pieces.size());
    Questions.push_back({R.Is.Number - 1, Of, {}});
    const Times::Time When = R.Order->of(R.Is.What.Thread, R.Is.Number);
    for (const uint32_t Writer : Bytes[R.Range].Writers)
      if (const uint64_t Last = R.Order->lastBefore(Writer, When))
        Questions.push_back({Last, Of, Writer});
  }
  /// Answers what is asked of the events before one.
  void answer(uint64_t Before) {
    for (; Next != Questions.size() && Questions[Next].UpTo < Before; ++Next) {
      const Question &Q = Questions[Next];
      ReadOfFinding &R = Reads[Q.Read];
      for (size_t I = 0; I != R.Pieces.size(); ++I)
        answer(R, Bytes[R.Range].Pieces[I], Q.Thread, R.Pieces[I]);
    }
  }
  static void answer(const ReadOfFinding &R, const Piece &P,
                     std::optional<uint32_t> Thread, WritesOfPiece &Of) {
    if (!Thread) {
      Of.Was = P.Write;
      return;
    }
    const auto Last = P.WriteOf.find(*Thread);
    if (Last == P.WriteOf.end())
      return;
    const Times::Time When = R.Order->of(*Thread, Last->second.Number);
    if (Of.When < When) {
      Of.When = When;
      Of.Would = Last->second;
    }
  }

  std::vector<std::unique_ptr<Times>> Orders;
  Ranges Bytes; ///< That are read.
  std::vector<ReadOfFinding> Reads;
  std::vector<Question> Questions; ///< By event.
  size_t Next = 0;
};

} // namespace

void atsan::predict::findChangedReads(
    std::vector<Finding> &Findings,
    const std::function<std::unique_ptr<trace::Source>()> &Open) {
  LastWrites Writes(Findings);
  if (Writes.empty())
    return;
  const auto ForEach = [&](const auto &Take) {
    uint64_t Number = 0;
    const std::unique_ptr<trace::Source> Run = Open();
    for (auto Span = Run->next(); !Span.empty(); Span = Run->next())
      for (const trace::Event &E : Span)
        Take(++Number, E);
  };
  ForEach([&](uint64_t, const trace::Event &E) { Writes.takeFirst(E); });
  Writes.ask();
  ForEach([&](uint64_t N, const trace::Event &E) { Writes.take(N, E); });
  Writes.finish();
}
