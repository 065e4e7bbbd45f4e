//===-- sanitizer/atsan_register_monitor.h ----------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides, while a program runs, whether the operations on a register are
// linearizable (Herlihy and Wing, 1990). What <sanitizer/atsan_history.hpp> is
// made of, and the runtime, too: it needs no library, and no memory but its
// own.
//
// Events are decided in their order, once it is known what the operations that
// are open return: so late by the longest of them. If too many wait, callers
// should wait a little, too: a thread that was preempted within an operation
// returns from it soon. If it does not, the oldest open operation is taken as
// one that may take effect at any time, or never, until it returns. That can
// hide a violation; it cannot invent one.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REGISTER_MONITOR_H
#define ATSAN_REGISTER_MONITOR_H

namespace atsan {
namespace detail {

using word = unsigned long long;

enum class operation : unsigned char {
  read,
  write,
  exchange,
  cas,
  fetch_add,
  add, // Nobody is told what it found.
};

// An operation on the register, from its call to the decision on its return.
struct monitored {
  word argument; // What it leaves; of an addition: what it adds.
  word expected; // cas: what it needs. Once it has returned: what it found.
  word site;     // Whatever stands for the place of the call.
  word call;     // The number of its call among all calls and returns.
  word ret;      // The number of its return; 0: there is none yet.
  unsigned thread;
  unsigned char slot;
  operation what;
  bool changes;  // Once it has returned: has it left a value?
  bool is_maybe; // It may never take effect.
  bool is_lost;  // A read that was open for too long.
  bool is_entered;
};

// What the register can hold, and which open operations have taken effect then.
struct possibility {
  word done; // A bit for each slot.
  word held;
  bool is_any; // Any value: `held` says nothing.

  bool operator==(const possibility &other) const {
    return done == other.done && is_any == other.is_any &&
           (is_any || held == other.held);
  }
};

// A set of at most `Most`, which keeps the order of insertion.
template <unsigned Most> class possibilities {
public:
  enum result { is_new, is_known, is_full };

  result insert(const possibility &p) {
    const unsigned at = place(p);
    if (table[at])
      return is_known;
    if (count == Most)
      return is_full;
    items[count] = p;
    table[at] = static_cast<unsigned short>(++count);
    return is_new;
  }
  void clear() {
    // From the last one on: what another one stood in the way of is found.
    while (count) {
      const unsigned at = place(items[count - 1]);
      table[at] = 0;
      --count;
    }
  }
  unsigned size() const { return count; }
  const possibility &operator[](unsigned i) const { return items[i]; }

private:
  unsigned place(const possibility &p) const {
    word h = (p.done ^ (p.is_any ? ~0ull : p.held * 0x9e3779b97f4a7c15ull)) *
             0xbf58476d1ce4e5b9ull;
    unsigned at = static_cast<unsigned>((h ^ h >> 29) % size_of_table);
    while (table[at] && !(items[table[at] - 1] == p))
      at = (at + 1) % size_of_table;
    return at;
  }

  static constexpr unsigned size_of_table = 2 * Most;
  possibility items[Most];
  unsigned short table[size_of_table] = {};
  unsigned count = 0;
};

// Not thread-safe: calls and returns are numbered in the order in which they
// are told, so whoever tells them holds a lock, from within which they happen
// in that order for everybody.
class register_monitor {
public:
  static constexpr unsigned no_operation = ~0u;
  static constexpr unsigned most_recent = 16;
  // How long a caller waits where is_full(): so often, with pauses so long.
  static constexpr unsigned most_waits = 200, wait_microseconds = 50;

  // `mask`: the bits of a value, for additions that wrap.
  void reset(word initial, word mask_of_values) {
    mask = mask_of_values;
    now = decided = given_up = 0;
    head = tail = 0;
    used = observers = 0;
    is_off = has_violation = false;
    current.clear();
    current.insert({0, initial & mask, false});
    for (unsigned i = 0; i < most_operations; i++)
      free_list[i] = static_cast<unsigned short>(most_operations - 1 - i);
    free_count = most_operations;
  }

  // Whether call() would take the oldest open operation as one of which nothing
  // is known.
  bool is_full() const { return !is_off && has_no_room() && head != tail; }

  // Before the operation. Returns its name for ret(), or no_operation: too many
  // have been open at once, and the register is not looked at any more.
  unsigned call(unsigned thread, operation what, word argument, word expected,
                word site) {
    while (has_no_room() && head != tail && !has_violation)
      force();
    if (has_no_room())
      turn_off();
    if (is_off)
      return no_operation;
    const unsigned name = free_list[--free_count];
    monitored &o = all[name];
    o = monitored();
    o.argument = argument & mask;
    o.expected = expected & mask;
    o.site = site;
    o.call = ++now;
    o.thread = thread;
    o.what = what;
    push(name, false);
    return name;
  }

  // After the operation: `found` is the value that it found, where it tells;
  // `changed`: a cas that took effect. False: what was told so far is not
  // linearizable. The operation that is too much is in violation() then, and
  // the monitor goes on with any value.
  bool ret(unsigned name, word found, bool changed) {
    if (name == no_operation)
      return true;
    monitored &o = all[name];
    o.ret = ++now;
    settle(o, found & mask, changed);
    push(name, true);
    drain();
    return !take_violation();
  }

  // No more operations will come, and open ones do not return. False: what was
  // told is not linearizable.
  bool finish() {
    drain();
    while (head != tail && !has_violation)
      force();
    return !take_violation();
  }

  const monitored &violation() const { return bad; }
  // What the register can have held while that was open; at most this many.
  unsigned possible_values(word *values, unsigned most) const {
    unsigned n = 0;
    for (unsigned i = 0; i < seen.size(); i++) {
      bool is_known = seen[i].is_any;
      for (unsigned j = 0; j < n; j++)
        is_known |= values[j] == seen[i].held;
      if (!is_known && n < most)
        values[n++] = seen[i].held;
    }
    return n;
  }
  // The last operations that have returned; 0 is the last one. Null: no more.
  const monitored *recent(unsigned i) const {
    return i < most_recent && i < decided
               ? &recent_ring[(decided - 1 - i) % most_recent]
               : nullptr;
  }
  // The last one that returned before the violation was called, and showed that
  // the register held another value than that needs. Null: it is forgotten.
  const monitored *contradiction() const {
    const monitored *best = nullptr;
    for (unsigned i = 0; const monitored *o = recent(i); i++)
      if (o->ret < bad.call && o->what != operation::add &&
          shows(*o) != needs(bad) && (!best || o->ret > best->ret))
        best = o;
    return best;
  }
  // Have too many operations been open at once?
  bool is_turned_off() const { return is_off; }
  // How often the monitor began anew, since there were too many possibilities.
  word times_given_up() const { return given_up; }
  word operations_decided() const { return decided; }

private:
  static constexpr unsigned most_operations = 256;
  static constexpr unsigned most_events = 1024;
  static constexpr unsigned most_slots = 64;

  struct event {
    unsigned short name;
    bool is_return;
  };

  static word needs(const monitored &o) { return o.expected; }
  static word shows(const monitored &o) {
    return o.changes ? o.argument : o.expected;
  }

  bool has_no_room() const {
    return !free_count || tail - head >= most_events - most_operations;
  }
  void push(unsigned name, bool is_return) {
    events[tail++ % most_events] = {static_cast<unsigned short>(name),
                                    is_return};
  }

  // Says of an operation what it has found and left.
  void settle(monitored &o, word found, bool changed) {
    o.changes =
        o.what != operation::read && (o.what != operation::cas || changed);
    if (o.what == operation::fetch_add)
      o.argument = (o.argument + found) & mask;
    if (o.what != operation::write && !(o.what == operation::cas && changed))
      o.expected = found;
  }

  // Up to a violation: what was possible before it is still there then.
  void drain() {
    while (head != tail && !has_violation) {
      const event e = events[head % most_events];
      monitored &o = all[e.name];
      if (!e.is_return && !o.ret)
        return; // What it returns is not known yet.
      head++;
      if (e.is_return)
        leave(e.name);
      else
        enter(e.name);
    }
  }
  // Takes the oldest open operation as one of which nothing is known.
  void force() {
    const unsigned name = events[head++ % most_events].name;
    monitored &o = all[name];
    o.is_lost = o.what == operation::read;
    o.is_maybe = o.what != operation::write && o.what != operation::add;
    if (!o.is_lost)
      enter(name);
    drain();
  }
  bool take_violation() {
    const bool had = has_violation;
    has_violation = false;
    return had && !is_off;
  }

  bool observes(const monitored &o) const { return o.ret && !o.changes; }

  void enter(unsigned name) {
    monitored &o = all[name];
    if (!~used)
      return turn_off();
    unsigned slot = 0;
    while (used >> slot & 1)
      slot++;
    o.slot = static_cast<unsigned char>(slot);
    o.is_entered = true;
    name_of[slot] = static_cast<unsigned short>(name);
    used |= bit(slot);
    if (observes(o)) {
      observers |= bit(slot);
      rewrite([&](possibility &p) { absorb(p, slot); });
    }
  }

  void leave(unsigned name) {
    monitored &o = all[name];
    // One of which nothing was known has taken effect by now, or had before
    // the monitor began anew: both stay possible.
    const bool is_decided = o.is_entered && (!o.is_maybe || o.changes);
    if (is_decided && !search(o.slot, o.is_maybe)) {
      has_violation = true;
      bad = o;
    }
    if (o.is_entered) {
      const word others = ~bit(o.slot);
      rewrite([&](possibility &p) { p.done &= others; });
      used &= others;
      observers &= others;
    }
    if (!o.is_lost)
      recent_ring[decided++ % most_recent] = o;
    free_list[free_count++] = static_cast<unsigned short>(name);
  }

  static word bit(unsigned slot) { return 1ull << slot; }
  monitored &at(unsigned slot) { return all[name_of[slot]]; }

  // An operation that leaves the value takes effect as soon as it fits.
  void absorb(possibility &p, unsigned slot) {
    if (!(p.done & bit(slot)) && !p.is_any && at(slot).expected == p.held)
      p.done |= bit(slot);
  }

  // Lets the operation take effect in every possibility, after others if need
  // be; one that may be skipped leaves what was possible, too. Without any way
  // to do so, the monitor begins anew with any value.
  bool search(unsigned slot, bool may_skip) {
    seen.clear();
    next.clear();
    bool is_full = false;
    for (unsigned i = 0; i < current.size(); i++) {
      is_full |= reach(current[i], slot);
      is_full |= may_skip && next.insert(current[i]) == next.is_full;
    }
    for (unsigned i = 0; i < seen.size() && !is_full; i++) {
      const possibility from = seen[i];
      for (word left = used & ~from.done; left; left &= left - 1) {
        const unsigned s = static_cast<unsigned>(__builtin_ctzll(left));
        possibility to = from;
        if (step(to, s, slot))
          is_full |= reach(to, slot);
      }
    }
    if (is_full || !next.size()) {
      begin_anew();
      given_up += is_full;
      return is_full;
    }
    current.clear();
    for (unsigned i = 0; i < next.size(); i++)
      current.insert(next[i]);
    return true;
  }

  bool reach(const possibility &p, unsigned slot) {
    if (p.done & bit(slot))
      return next.insert(p) == next.is_full;
    return seen.insert(p) == seen.is_full;
  }

  // Lets the operation in slot s take effect. False: it cannot, or need not.
  bool step(possibility &p, unsigned s, unsigned wanted) {
    const monitored &o = at(s);
    if (observers & bit(s)) {
      // It fits nothing but any value, and only that it is looked for for.
      if (!p.is_any || s != wanted)
        return false;
      p.is_any = false;
      p.held = o.expected;
    } else if (!take_effect(o, p)) {
      return false;
    }
    p.done |= bit(s);
    for (word left = observers & ~p.done; left; left &= left - 1)
      absorb(p, static_cast<unsigned>(__builtin_ctzll(left)));
    return true;
  }
  bool take_effect(const monitored &o, possibility &p) const {
    if (o.ret && !o.changes)
      return false; // A cas that was refused.
    if (o.what == operation::add ||
        (o.what == operation::fetch_add && !o.ret)) {
      p.held = (p.held + o.argument) & mask;
      return true;
    }
    const bool needs_value =
        o.what == operation::cas || (o.ret && o.what != operation::write);
    if (needs_value && !p.is_any && p.held != o.expected)
      return false;
    p.held = o.argument;
    p.is_any = false;
    return true;
  }

  template <class Function> void rewrite(Function change) {
    next.clear();
    for (unsigned i = 0; i < current.size(); i++) {
      possibility p = current[i];
      change(p);
      next.insert(p);
    }
    current.clear();
    for (unsigned i = 0; i < next.size(); i++)
      current.insert(next[i]);
  }

  // What is open may have taken effect or not.
  void begin_anew() {
    for (word left = used; left; left &= left - 1)
      at(static_cast<unsigned>(__builtin_ctzll(left))).is_maybe = true;
    current.clear();
    current.insert({0, 0, true});
  }
  void turn_off() {
    is_off = true;
    has_violation = false;
  }

  word mask = ~0ull;
  word now = 0, decided = 0, given_up = 0;
  unsigned long head = 0, tail = 0; // The events that wait.
  word used = 0, observers = 0;     // Slots.
  bool is_off = false, has_violation = false;
  unsigned free_count = 0;
  monitored bad = {};
  monitored all[most_operations] = {};
  event events[most_events] = {};
  unsigned short free_list[most_operations] = {};
  unsigned short name_of[most_slots] = {};
  monitored recent_ring[most_recent] = {};
  possibilities<512> current, next;
  possibilities<1024> seen;
};

} // namespace detail
} // namespace atsan

#endif // ATSAN_REGISTER_MONITOR_H
