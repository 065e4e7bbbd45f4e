//===- OrdersTest.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What decides histories of any object, against all permutations of small ones.
// The oracle shares no code with it: it knows no states, and says what an
// operation returns from the list of those before it.
//
//===----------------------------------------------------------------------===//

#include "include/sanitizer/atsan_linearizable_orders.hpp"
#include "test/unit/Setting.h"
#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <set>

using namespace atsan::detail;

namespace {

struct Op {
  int What, Key, Value; // Which of the object's operations, on what.
  int Result;
  stamp Called, Returned;
};
constexpr int Nothing = -1;

// --- Objects, as users write them; the result of what an operation does. -----

struct Queue : std::deque<int> {
  static constexpr int Operations = 2;
  static constexpr bool HasKeys = false;
  int apply(const Op &O) {
    if (O.What == 0) {
      push_back(O.Value);
      return Nothing;
    }
    if (empty())
      return Nothing;
    const int First = front();
    pop_front();
    return First;
  }
};
struct Stack : std::vector<int> {
  static constexpr int Operations = 2;
  static constexpr bool HasKeys = false;
  int apply(const Op &O) {
    if (O.What == 0) {
      push_back(O.Value);
      return Nothing;
    }
    if (empty())
      return Nothing;
    const int Last = back();
    pop_back();
    return Last;
  }
};
struct Set : std::set<int> {
  static constexpr int Operations = 3;
  static constexpr bool HasKeys = true;
  int apply(const Op &O) {
    return O.What == 0   ? int(insert(O.Key).second)
           : O.What == 1 ? int(erase(O.Key))
                         : int(count(O.Key));
  }
};
struct Map : std::map<int, int> {
  static constexpr int Operations = 3;
  static constexpr bool HasKeys = true;
  int apply(const Op &O) { // put, get, put_if_absent
    const auto Found = find(O.Key);
    const int Before = Found == end() ? Nothing : Found->second;
    if (O.What == 0 || (O.What == 2 && Before == Nothing))
      (*this)[O.Key] = O.Value;
    return Before;
  }
};
// Has no operator ==.
struct Counter {
  static constexpr int Operations = 3;
  static constexpr bool HasKeys = false;
  int Held = 0;
  int apply(const Op &O) { // add, fetch_add, read
    const int Before = Held;
    Held += O.What == 2 ? 0 : O.Value;
    return O.What == 0 ? Nothing : Before;
  }
};
struct Lock {
  static constexpr int Operations = 2;
  static constexpr bool HasKeys = false;
  bool IsHeld = false;
  bool operator==(const Lock &O) const { return IsHeld == O.IsHeld; }
  int apply(const Op &O) { // try_lock, unlock: was it held?
    const bool Before = IsHeld;
    IsHeld = O.What == 0;
    return O.What == 0 ? !Before : Before;
  }
};

// --- The oracle: what an operation returns behind others. --------------------

using Before = std::vector<Op>;

int resultOf(Queue *, const Before &All, const Op &Of) {
  if (Of.What == 0)
    return Nothing;
  // Pops that found nothing take nothing: replay which push each one took.
  size_t Pushed = 0, Taken = 0;
  for (const Op &O : All)
    if (O.What == 0)
      ++Pushed;
    else if (Taken < Pushed)
      ++Taken;
  for (const Op &O : All)
    if (O.What == 0 && Taken-- == 0)
      return O.Value;
  return Nothing;
}
int resultOf(Stack *, const Before &All, const Op &Of) {
  if (Of.What == 0)
    return Nothing;
  // The last push that has no pop behind it of its own.
  int Pops = 0;
  for (size_t I = All.size(); I--;) {
    if (All[I].What == 1)
      ++Pops;
    else if (Pops-- == 0)
      return All[I].Value;
  }
  return Nothing;
}
int resultOf(Set *, const Before &All, const Op &Of) {
  bool Is = false;
  for (const Op &O : All)
    if (O.Key == Of.Key && O.What != 2)
      Is = O.What == 0;
  return Of.What == 0 ? !Is : Is;
}
int resultOf(Map *, const Before &All, const Op &Of) {
  int Value = Nothing;
  for (const Op &O : All)
    if (O.Key == Of.Key && (O.What == 0 || (O.What == 2 && Value == Nothing)))
      Value = O.Value;
  return Value;
}
int resultOf(Counter *, const Before &All, const Op &Of) {
  int Sum = 0;
  for (const Op &O : All)
    Sum += O.What != 2 ? O.Value : 0;
  return Of.What == 0 ? Nothing : Sum;
}
int resultOf(Lock *, const Before &All, const Op &Of) {
  const bool IsHeld = !All.empty() && All.back().What == 0;
  return Of.What == 0 ? !IsHeld : IsHeld;
}

/// Calls back with each order of those operations of which bits are in \p
/// Wanted that their stamps allow.
template <class Function>
void eachOrder(const std::vector<Op> &All, unsigned Wanted, Function Do) {
  std::vector<unsigned> Order;
  for (unsigned I = 0; I != All.size(); ++I)
    if (Wanted >> I & 1)
      Order.push_back(I);
  do {
    bool IsAllowed = true;
    for (size_t I = 0; I != Order.size(); ++I)
      for (size_t J = I + 1; J != Order.size(); ++J)
        IsAllowed &= All[Order[J]].Returned > All[Order[I]].Called;
    if (IsAllowed)
      Do(Order);
  } while (std::next_permutation(Order.begin(), Order.end()));
}

template <class Object>
bool isExplained(const std::vector<Op> &All, const std::vector<unsigned> &Order,
                 stamp Until) {
  Before Done;
  for (const unsigned I : Order) {
    if (All[I].Returned <= Until &&
        resultOf(static_cast<Object *>(nullptr), Done, All[I]) != All[I].Result)
      return false;
    Done.push_back(All[I]);
  }
  return true;
}

/// What returned later than \p Until may be there or not.
template <class Object>
bool isLinearizable(const std::vector<Op> &All, stamp Until) {
  bool Is = false;
  for (unsigned Some = 0; Some != 1u << All.size(); ++Some) {
    bool HasAll = true;
    for (unsigned I = 0; I != All.size(); ++I)
      HasAll &= (Some >> I & 1) || All[I].Returned > Until;
    if (HasAll && !Is)
      eachOrder(All, Some, [&](const std::vector<unsigned> &Order) {
        Is |= isExplained<Object>(All, Order, Until);
      });
  }
  return Is;
}

// --- Random histories. -------------------------------------------------------

template <class Object> class Call final : public observed {
public:
  explicit Call(const Op &Of) : Of(Of) {
    called = Of.Called;
    returned = Of.Returned;
  }
  bool fits(state &On) const override { return apply(On) == Of.Result; }
  std::string returns(state &On) const override {
    return std::to_string(apply(On));
  }
  std::string key() const override {
    return Object::HasKeys ? std::to_string(Of.Key) : std::string();
  }

private:
  int apply(state &On) const {
    return static_cast<state_of<Object> &>(On).object.apply(Of);
  }
  const Op Of;
};

/// Operations that took effect in their order, and one moment in which one of
/// some results is wrong.
template <class Object>
std::vector<Op> randomHistory(std::mt19937 &Random, unsigned Most) {
  const unsigned Count = 1 + Random() % Most;
  std::vector<Op> All;
  Object Real;
  std::vector<std::pair<unsigned, Op *>> Ends;
  for (unsigned I = 0; I != Count; ++I) {
    Op O = {int(Random() % Object::Operations),
            int(Random() % 2),
            int(1 + Random() % 3),
            0,
            0,
            0};
    O.Result = Real.apply(O);
    if (Random() % 8 == 0)
      O.Result = int(Random() % 4) - 1;
    // It is called before the moment 10 * I, and returns behind it.
    O.Called = 1000 + 10 * I - Random() % 25;
    O.Returned = 1000 + 10 * I + 1 + Random() % 25;
    All.push_back(O);
  }
  // Each stamp is taken once.
  std::vector<stamp *> Stamps;
  for (Op &O : All) {
    Stamps.push_back(&O.Called);
    Stamps.push_back(&O.Returned);
  }
  std::sort(Stamps.begin(), Stamps.end(), [](const stamp *A, const stamp *B) {
    return *A != *B ? *A < *B : A < B;
  });
  for (size_t I = 0; I != Stamps.size(); ++I)
    *Stamps[I] = I + 1;
  std::shuffle(All.begin(), All.end(), Random);
  return All;
}

template <class Object> struct History {
  explicit History(const std::vector<Op> &Of) {
    for (const Op &O : Of) {
      Owned.push_back(std::make_unique<Call<Object>>(O));
      All.push_back(Owned.back().get());
    }
  }
  std::vector<std::unique_ptr<Call<Object>>> Owned;
  observed_calls All;
  state_of<Object> Initial;
};

std::string text(const std::vector<Op> &All) {
  std::string Out;
  for (const Op &O : All)
    Out += std::to_string(O.What) + " on " + std::to_string(O.Key) + " with " +
           std::to_string(O.Value) + " -> " + std::to_string(O.Result) + " [" +
           std::to_string(O.Called) + ", " + std::to_string(O.Returned) + "]\n";
  return Out;
}

unsigned histories() {
  return atsan_test::setting("ATSAN_LINEARIZABLE_HISTORIES", 2000);
}

// --- What is compared. -------------------------------------------------------

/// The index of the operation whose return is the first that is too much.
template <class Object> int firstUnexplained(const std::vector<Op> &All) {
  int First = -1;
  for (unsigned I = 0; I != All.size(); ++I) {
    std::vector<Op> Begun;
    for (const Op &O : All)
      if (O.Called < All[I].Returned)
        Begun.push_back(O);
    if (!isLinearizable<Object>(Begun, All[I].Returned) &&
        (First < 0 || All[I].Returned < All[First].Returned))
      First = int(I);
  }
  return First;
}

/// What the operation can return, if all others are as they are.
template <class Object>
std::set<std::string> possibleResults(std::vector<Op> All, unsigned I) {
  std::set<std::string> Out;
  for (int Result = -1; Result != 24; ++Result) {
    All[I].Result = Result;
    if (isLinearizable<Object>(All, ~stamp(0)))
      Out.insert(std::to_string(Result));
  }
  return Out;
}

template <class Object> class Orders : public testing::Test {};
using Objects = testing::Types<Queue, Stack, Set, Map, Counter, Lock>;
TYPED_TEST_SUITE(Orders, Objects);

TYPED_TEST(Orders, AgreeWithPermutations) {
  std::mt19937 Random(11);
  unsigned Violations = 0;
  for (unsigned I = 0; I != histories(); ++I) {
    const std::vector<Op> All = randomHistory<TypeParam>(Random, 6);
    const History<TypeParam> H(All);
    const bool Is = isLinearizable<TypeParam>(All, ~stamp(0));
    Violations += !Is;
    ASSERT_EQ(orders(H.All, H.Initial).exist(), Is) << text(All);
    ASSERT_EQ(decide(H.All, H.Initial),
              Is ? verdict::explained : verdict::unexplained)
        << text(All);
    const stamp Until = Random() % (2 * All.size() + 1);
    ASSERT_EQ(orders(H.All, H.Initial, Until).exist(),
              isLinearizable<TypeParam>(All, Until))
        << "until " << Until << '\n'
        << text(All);
  }
  EXPECT_GT(Violations, histories() / 20);
  EXPECT_GT(histories() - Violations, histories() / 20);
}

TYPED_TEST(Orders, BlameWhatPermutationsBlame) {
  std::mt19937 Random(12);
  for (unsigned I = 0; I != histories() / 4; ++I) {
    const std::vector<Op> All = randomHistory<TypeParam>(Random, 5);
    const History<TypeParam> H(All);
    const int First = firstUnexplained<TypeParam>(All);
    ASSERT_EQ(first_unexplained(H.All, H.Initial),
              First < 0 ? nullptr : H.All[First])
        << text(All);
    if (First < 0)
      continue;
    const unsigned One = Random() % All.size();
    // Open is only what may return anything.
    std::vector<Op> OneOpen = All;
    OneOpen[One].Returned = 1000;
    const History<TypeParam> Opened(OneOpen);
    const std::set<std::string> Possible =
        possibleResults<TypeParam>(OneOpen, One);
    ASSERT_EQ(
        orders(Opened.All, Opened.Initial, 999).results_of(Opened.All[One]),
        std::vector<std::string>(Possible.begin(), Possible.end()))
        << One << '\n'
        << text(All);
  }
}

// Operations on one key look at another one.
struct NotByKey {
  static constexpr bool HasKeys = true;
  int Last = 0;
  int apply(const Op &O) {
    const int Found = Last;
    Last = O.Key;
    return Found;
  }
};

TEST(OrdersByKey, KeysThatAreNotIndependentAreNoViolation) {
  const std::vector<Op> All = {{0, 1, 0, 0, 1, 2}, {0, 2, 0, 1, 3, 4}};
  const History<NotByKey> H(All);
  EXPECT_EQ(decide(H.All, H.Initial), verdict::wrong_keys);
}

/// Many operations that overlap: without a memory of states there are 2^20
/// orders and more.
TEST(OrdersOfMany, StatesAreTriedOnce) {
  std::vector<Op> All;
  for (unsigned I = 0; I != 20; ++I)
    All.push_back({0, 0, 1, 1, I + 1, 100 + I});
  const History<Lock> H(All);
  EXPECT_FALSE(orders(H.All, H.Initial).exist());
}

} // namespace
