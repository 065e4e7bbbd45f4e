//===- FromReport.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/FromReport.h"
#include "lib/finding/Places.h"
#include "lib/finding/Words.h"
#include "lib/model/TokenStream.h"
#include <algorithm>
#include <map>
#include <set>

using namespace atsan::model;
namespace finding = atsan::finding;

namespace {

/// Names of a program as names of the language, each once.
class NameMaker {
public:
  std::string make(const std::string &From, const std::string &Otherwise);

private:
  std::set<std::string> Used;
};

class ReportModel {
public:
  explicit ReportModel(const finding::Finding &R) : R(R) {}
  Model make();

private:
  /// What one transaction did on the cycle: what the cycle enters it at, and
  /// leaves it at. In the one that the cycle closes in the other way round, as
  /// they came.
  struct Transaction {
    std::vector<const finding::Event *> Events;
  };

  void collect();
  void add(const finding::Event &E, bool Closes);
  void declareVariables();
  void declareThread(uint64_t Id);
  Stmt transaction(const Transaction &T);
  Stmt access(const finding::Event &E, const std::string &Local);
  std::string variable(const finding::Event &E) const;
  std::string object(const finding::Event &E) const;

  const finding::Finding &R;
  Model M;
  NameMaker Names;
  // A step says of two places that they are one variable: which stands for
  // the other.
  std::map<std::string, std::string> Same;
  std::map<std::string, std::string> Variables; // Names, by variable().
  std::vector<std::pair<uint64_t, std::vector<Transaction>>> Threads;
};

} // namespace

std::string NameMaker::make(const std::string &From,
                            const std::string &Otherwise) {
  std::string Name;
  for (const char C : From) {
    const bool IsLetter = (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z');
    const bool IsGood = IsLetter || (C >= '0' && C <= '9' && !Name.empty());
    if (IsGood)
      Name += C;
    else if (!Name.empty() && Name.back() != '_')
      Name += '_';
  }
  while (!Name.empty() && Name.back() == '_')
    Name.pop_back();
  if (Name.empty())
    Name = Otherwise;
  if (isKeyword(Name))
    Name += "_";
  std::string Result = Name;
  for (unsigned Number = 2; !Used.insert(Result).second; ++Number)
    Result = Name + "_" + std::to_string(Number);
  return Result;
}

static bool areEqual(const finding::Stack &A, const finding::Stack &B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](const finding::Frame &F, const finding::Frame &G) {
                      return F.File == G.File && F.Line == G.Line &&
                             F.Column == G.Column && F.Offset == G.Offset;
                    });
}

// A transaction that one access enters and leaves has it twice in the report.
// The one that the cycle closes in has two: they may be at one place.
void ReportModel::add(const finding::Event &E, bool Closes) {
  const uint64_t Id = E.Thread.value_or(UINT64_MAX);
  auto Th = std::find_if(Threads.begin(), Threads.end(),
                         [&](const auto &T) { return T.first == Id; });
  if (Th == Threads.end())
    Th = Threads.insert(Threads.end(), {Id, {}});
  auto Is = [&](const Transaction &T) {
    return T.Events[0]->Transaction == E.Transaction;
  };
  auto Of = std::find_if(Th->second.begin(), Th->second.end(), Is);
  if (Of == Th->second.end())
    Of = Th->second.insert(Th->second.end(), Transaction());
  for (const finding::Event *Known : Of->Events)
    if (!Closes && Known->Address == E.Address && Known->Access == E.Access &&
        Known->Number == E.Number &&
        finding::describeEvent(R, *Known) == finding::describeEvent(R, E) &&
        areEqual(Known->Frames, E.Frames))
      return;
  Of->Events.push_back(&E);
}

void ReportModel::collect() {
  for (const finding::Step &S : R.Steps) {
    if (S.First.Role == "access")
      add(S.First, /*Closes=*/false);
    if (S.Later.Role == "access")
      add(S.Later, /*Closes=*/&S == &R.Steps.back());
    if (S.First.Role == "access" && S.Later.Role == "access")
      Same[variable(S.Later)] = variable(S.First);
  }
}

std::string ReportModel::object(const finding::Event &E) const {
  return E.Memory ? R.Objects[*E.Memory].Label : E.Address;
}

std::string ReportModel::variable(const finding::Event &E) const {
  std::string Place = object(E) + ' ' + E.Address;
  for (auto It = Same.find(Place); It != Same.end() && It->second != Place;
       It = Same.find(Place))
    Place = It->second;
  return Place;
}

void ReportModel::declareVariables() {
  for (const auto &Th : Threads)
    for (const Transaction &T : Th.second)
      for (const finding::Event *E : T.Events) {
        std::string &Name = Variables[variable(*E)];
        if (!Name.empty())
          continue;
        const bool HasName = E->Memory && !R.Objects[*E->Memory].Name.empty();
        Name =
            Names.make(HasName ? R.Objects[*E->Memory].Name : object(*E), "x");
        Top D;
        D.Around.Behind = "// " + object(*E);
        Type Bits;
        Bits.Range.emplace(2);
        (*Bits.Range)[1].Value = 1;
        D.Vars.Of = Bits;
        Item I;
        I.Name = Name;
        D.Vars.Items.push_back(I);
        M.Tops.push_back(std::move(D));
      }
}

Stmt ReportModel::access(const finding::Event &E, const std::string &Local) {
  Expr Shared, Own, One;
  Shared.Is = Own.Is = Expr::Kind::Name;
  Shared.Name = Variables.at(variable(E));
  Own.Name = Local;
  One.Value = 1;
  Stmt S;
  S.Is = Stmt::Kind::Assign;
  const bool IsRead =
      E.Access.find("write") == std::string::npos && E.Access != "free";
  const bool IsBoth = E.Access.find("read-modify-write") != std::string::npos;
  S.Parts =
      IsRead ? std::vector<Expr>{Own, Shared} : std::vector<Expr>{Shared, One};
  std::string Place = E.Access;
  if (const finding::Frame *F = finding::userFrame(E.Frames))
    Place += " at " + finding::Places(".").shortPlace(*F);
  if (!IsBoth) {
    S.Around.Behind = "// " + Place;
    return S;
  }
  // What hardware does at once.
  Stmt Read = S, Step;
  Read.Parts = {Own, Shared};
  Step.Is = Stmt::Kind::Step;
  Step.Blocks.resize(1);
  Step.Blocks[0].Body = {Read, S};
  Step.Around.Before.push_back({"// " + Place, false});
  return Step;
}

Stmt ReportModel::transaction(const Transaction &T) {
  Stmt Region;
  Region.Is = Stmt::Kind::Region;
  Region.Blocks.resize(1);
  for (const finding::Event *E : T.Events)
    Region.Blocks[0].Body.push_back(access(*E, "seen"));
  if (!T.Events[0]->Region) {
    Region.Is = Stmt::Kind::Block;
    if (Region.Blocks[0].Body.size() == 1)
      return Region.Blocks[0].Body[0];
    return Region;
  }
  const finding::Region &In = R.Regions[*T.Events[0]->Region];
  Region.Name = In.Name.empty() ? In.Title : In.Name;
  // Names have no quotes.
  for (char &C : Region.Name)
    if (C == '"' || C == '\n' || C == '\r')
      C = '\'';
  return Region;
}

void ReportModel::declareThread(uint64_t Id) {
  Top T;
  T.Is = Top::Kind::Thread;
  T.Around.BlankBefore = true;
  std::string Called = "T" + std::to_string(Id);
  for (const finding::Thread &Known : R.Threads)
    if (Known.Id == Id)
      Called = !Known.Name.empty()    ? Known.Name
               : !Known.Label.empty() ? Known.Label
               : Id                   ? Called
                                      : "Main";
  T.Name = Names.make(Called, "T");
  Stmt Local;
  Local.Is = Stmt::Kind::Declare;
  Type Bits;
  Bits.Range.emplace(2);
  (*Bits.Range)[1].Value = 1;
  Local.Declared.Of = Bits;
  Item I;
  I.Name = "seen";
  Local.Declared.Items.push_back(I);
  T.Body.Body.push_back(Local);
  for (const auto &Th : Threads)
    if (Th.first == Id)
      for (const Transaction &Of : Th.second)
        T.Body.Body.push_back(transaction(Of));
  M.Tops.push_back(std::move(T));
}

Model ReportModel::make() {
  collect();
  Names.make("seen", "");
  declareVariables();
  for (const auto &Th : Threads)
    declareThread(Th.first);
  const std::string Program = R.Program.empty()
                                  ? "a program"
                                  : R.Program.substr(R.Program.rfind('/') + 1);
  const std::vector<Comment> About = {
      {"// " + finding::messageWords(R), false},
      {"// in " + Program + ", fingerprint " + R.Fingerprint + ".", false},
      {"// To try a fix, write lock m; and acquire(m); ... release(m); where "
       "the program",
       false},
      {"// would lock, and ask atsan model --serializable.", false}};
  if (!M.Tops.empty()) {
    M.Tops[0].Around.Before = About;
    M.Tops[0].Around.BlankBefore = true;
  }
  return std::move(M);
}

std::string atsan::model::orderWithoutConflict(const finding::Finding &R) {
  for (const finding::Step &S : R.Steps)
    for (const finding::Event *E : {&S.First, &S.Later}) {
      if (E->Role != "access")
        return E->Role;
      if (E->Access.find("lock ") != std::string::npos)
        return E->Access;
    }
  return "";
}

Model atsan::model::modelOf(const finding::Finding &R) {
  return ReportModel(R).make();
}
