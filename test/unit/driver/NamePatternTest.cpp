//===- NamePatternTest.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists of names as the pass and the runtime read them.
//
//===----------------------------------------------------------------------===//

#include "lib/base/NamePattern.h"
#include "gtest/gtest.h"
#include <random>
#include <string>
#include <vector>

using namespace atsan_names;

namespace {

Text text(const std::string &S) { return {S.data(), S.data() + S.size()}; }

bool matches(const std::string &Pattern, const std::string &Name) {
  return Matches(text(Pattern), text(Name));
}

std::string plain(const std::string &Name) {
  Text T = WithoutParameters(text(Name));
  return {T.begin, T.end};
}

std::vector<std::pair<unsigned, std::string>> lines(const std::string &List) {
  std::vector<std::pair<unsigned, std::string>> Result;
  for (Lines L(text(List)); L.Next();)
    Result.push_back({L.number, std::string(L.pattern.begin, L.pattern.end)});
  return Result;
}

TEST(NamePattern, MatchesTheWholeName) {
  EXPECT_TRUE(matches("a", "a"));
  EXPECT_FALSE(matches("a", "ab"));
  EXPECT_FALSE(matches("a", "ba"));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_TRUE(matches("", ""));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b*c", "a--b-b-c"));
  EXPECT_FALSE(matches("a*b*c", "a--b-c-"));
  EXPECT_TRUE(matches("f?", "fx"));
  EXPECT_FALSE(matches("f?", "f"));
  EXPECT_TRUE(matches("operator[](int*)", "operator[](int*)"));
  EXPECT_TRUE(matches("f(int\\*)", "f(int*)"));
  EXPECT_FALSE(matches("f(int\\*)", "f(int, int)"));
  EXPECT_TRUE(matches("\\?", "?"));
  EXPECT_FALSE(matches("\\?", "x"));
  EXPECT_FALSE(matches("a\\", "a\\"));
}

// What a pattern means, by trying everything.
bool oracle(const char *P, const char *N) {
  if (!*P)
    return !*N;
  if (*P == '*')
    return oracle(P + 1, N) || (*N && oracle(P, N + 1));
  if (*P == '\\')
    return P[1] && *N == P[1] && oracle(P + 2, N + 1);
  return *N && (*P == '?' || *P == *N) && oracle(P + 1, N + 1);
}

TEST(NamePattern, MatchesWhatTryingEverythingDoes) {
  std::mt19937 Random(1);
  auto Word = [&](const char *Letters, unsigned Count, unsigned Max) {
    std::string S;
    for (unsigned I = Random() % (Max + 1); I; --I)
      S += Letters[Random() % Count];
    return S;
  };
  unsigned Found = 0;
  for (int I = 0; I < 200000; ++I) {
    const std::string Pattern = Word("ab*?\\", 5, 7), Name = Word("ab*", 3, 7);
    const bool Expected = oracle(Pattern.c_str(), Name.c_str());
    Found += Expected;
    ASSERT_EQ(matches(Pattern, Name), Expected) << Pattern << " on " << Name;
  }
  EXPECT_GT(Found, 1000u);
}

std::string untyped(const std::string &Name) {
  Text T = WithoutReturnType(text(Name));
  return {T.begin, T.end};
}

TEST(NamePattern, KnowsWhereTheReturnTypeEnds) {
  EXPECT_EQ(untyped("f"), "f");
  EXPECT_EQ(untyped("void f<int>"), "f<int>");
  EXPECT_EQ(untyped("std::map<int, long> *ns::f<a b>"), "*ns::f<a b>");
  EXPECT_EQ(untyped("unsigned long (anonymous namespace)::f<int>"),
            "(anonymous namespace)::f<int>");
  EXPECT_EQ(untyped("(anonymous namespace)::f"), "(anonymous namespace)::f");
  EXPECT_EQ(untyped("S::operator unsigned long"), "S::operator unsigned long");
  EXPECT_EQ(untyped("bool operator< <int>"), "operator< <int>");
  EXPECT_EQ(untyped("operator new"), "operator new");
  EXPECT_EQ(untyped(""), "");
}

TEST(NamePattern, MatchesFunctionsMadeFromTemplates) {
  const auto Is = [](const std::string &Pattern, const std::string &Name) {
    return MatchesName(text(Pattern), text(Name));
  };
  for (const char *Pattern :
       {"testing::*", "testing::Run<int>", "testing::Run<int>(int)",
        "void testing::Run<int>", "void testing::Run<int>(int)"})
    EXPECT_TRUE(Is(Pattern, "void testing::Run<int>(int)")) << Pattern;
  EXPECT_FALSE(Is("Run*", "void testing::Run<int>(int)"));
  EXPECT_FALSE(Is("testing::*", "void Call<testing::Test>(testing::Test)"));
}

TEST(NamePattern, KnowsWhereParametersBegin) {
  EXPECT_EQ(plain("f"), "f");
  EXPECT_EQ(plain("f(int)"), "f");
  EXPECT_EQ(plain("f(int (*)(long)) const"), "f");
  EXPECT_EQ(plain("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
  EXPECT_EQ(plain("ns::S::operator()(int) const"), "ns::S::operator()");
  EXPECT_EQ(plain("f(int) [clone .cold]"), "f");
  EXPECT_EQ(plain("(x)"), "(x)");
  EXPECT_EQ(plain("f)"), "f)");
  EXPECT_EQ(plain(""), "");
}

TEST(NamePattern, GoesThroughLines) {
  using Found = std::vector<std::pair<unsigned, std::string>>;
  EXPECT_EQ(lines(""), Found{});
  EXPECT_EQ(lines("\n # a\n\t\r\n"), Found{});
  EXPECT_EQ(lines("a\n\n  b c \r\n#d\nlast"),
            (Found{{1, "a"}, {3, "b c"}, {5, "last"}}));
  EXPECT_EQ(lines("\\#a\nb\\ \nc\\\\ \n"),
            (Found{{1, "\\#a"}, {2, "b\\ "}, {3, "c\\\\"}}));
}

TEST(NamePattern, TakesCallersApart) {
  const auto Parts = [](const std::string &Line) {
    std::vector<std::string> Out;
    for (Text Rest = text(Line); Rest.Size();) {
      const Text Part = atsan_names::TakeCallee(&Rest);
      Out.emplace_back(Part.begin, Part.end);
    }
    return Out;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(Parts("lock"), Names{"lock"});
  EXPECT_EQ(Parts("lock <- f(int) <- ns::*"),
            (Names{"lock", "f(int)", "ns::*"}));
  EXPECT_EQ(Parts("lock  <-\t f"), (Names{"lock", "f"}));
  for (const char *One : {"operator<-", "a<- b", "a <-b", "a <-"})
    EXPECT_EQ(Parts(One), Names{One});
}

TEST(NamePattern, TellsWhatIsWrong) {
  for (const char *Good : {"f", "std::fun", "fun::f", "function", "src\\:x",
                           "a*", "operator\\\\", "tickets.cpp:31", "\xc3\xa4"})
    EXPECT_EQ(Problem(text(Good)), nullptr) << Good;
  for (const char *Bad : {"fun:f", "src:", "library:x", "a\\", "a\x01", "a <-",
                          "<- a", "<-", "a <- <- b", "a <- fun:b"})
    EXPECT_NE(Problem(text(Bad)), nullptr) << Bad;
}

} // namespace
