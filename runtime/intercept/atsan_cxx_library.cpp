//===-- atsan_cxx_library.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In front of functions of the C++ libraries that are no templates: the nodes
// of libstdc++'s lists and trees, hash tables, conversions. The pass calls them
// with the real function first (pass/accesses/LibraryCalls.cpp). While no
// region is active, they only do what that does.
//
// Lists and trees are worked on here, by code that tells each access to a node
// that it makes. All that it shares with the library is what their headers say:
// the layout of a node and what the header of a tree points to.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_cxx_library.h"

using namespace __atsan;

namespace {

// --- Nodes. ------------------------------------------------------------------

struct ListNode {
  ListNode *next;
  ListNode *previous;
};

enum { kLeft, kRight };
enum Color : u32 { kRed, kBlack };

// A node of a tree. The header, which is no element, has the root for its
// parent (and is the root's) and the first element and the last for its
// children.
struct TreeNode {
  Color color;
  TreeNode *parent;
  TreeNode *child[2];
};

// Memory whose accesses are told; that of Untold is not. Code for nodes is
// written once for both. All accesses of a call are at one place, so each kind
// and size has one location.
class Told {
 public:
  explicit Told(const AccessRecorder &recorder) : recorder_(recorder) {}
  template <class T>
  T Get(T *from) const {
    Tell<AccessKind::kRead>(from);
    return *from;
  }
  template <class T>
  void Set(T *to, T value) const {
    Tell<AccessKind::kWrite>(to);
    *to = value;
    // Mostly a pointer. NOLINTBEGIN(bugprone-sizeof-expression)
    if (sizeof(T) == sizeof(uptr))
      recorder_.Pointers(to, sizeof(T));
    // NOLINTEND(bugprone-sizeof-expression)
  }

 private:
  template <AccessKind kKind, class T>
  void Tell(T *object) const {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): mostly a pointer.
    constexpr uptr kSize = sizeof(T);
    recorder_.AtOnePlace<kKind, kSize>(
        reinterpret_cast<uptr>(object),
        &locs_[kKind == AccessKind::kWrite][kSize == sizeof(uptr)]);
  }

  const AccessRecorder &recorder_;
  mutable LocId locs_[2][2] = {};
};

class Untold {
 public:
  template <class T>
  ALWAYS_INLINE T Get(T *from) const {
    return *from;
  }
  template <class T>
  ALWAYS_INLINE void Set(T *to, T value) const {
    *to = value;
  }
};

// --- Lists. ------------------------------------------------------------------

template <class Memory>
ALWAYS_INLINE void Link(const Memory &m, ListNode *a, ListNode *b) {
  m.Set(&a->next, b);
  m.Set(&b->previous, a);
}

// Puts a node in front of another.
template <class Memory>
ALWAYS_INLINE void ListHook(const Memory &m, ListNode *node, ListNode *before) {
  Link(m, m.Get(&before->previous), node);
  Link(m, node, before);
}

template <class Memory>
ALWAYS_INLINE void ListUnhook(const Memory &m, ListNode *node) {
  ListNode *next = m.Get(&node->next);
  Link(m, m.Get(&node->previous), next);
}

// Moves the nodes from `first` to before `last` in front of `before`.
template <class Memory>
ALWAYS_INLINE void ListTransfer(const Memory &m, ListNode *before,
                                ListNode *first, ListNode *last) {
  if (before == last)
    return;
  ListNode *end = m.Get(&last->previous);
  Link(m, m.Get(&first->previous), last);
  Link(m, m.Get(&before->previous), first);
  Link(m, end, before);
}

template <class Memory>
ALWAYS_INLINE void ListReverse(const Memory &m, ListNode *header) {
  ListNode *node = header;
  do {
    ListNode *next = m.Get(&node->next);
    m.Set(&node->next, m.Get(&node->previous));
    m.Set(&node->previous, next);
    node = next;
  } while (node != header);
}

// The first and the last node of a list; `last` is nullptr if it is empty.
struct Ends {
  ListNode *first;
  ListNode *last;
};
template <class Memory>
ALWAYS_INLINE Ends EndsOf(const Memory &m, ListNode *header) {
  Ends ends = {m.Get(&header->next), nullptr};
  if (ends.first != header)
    ends.last = m.Get(&header->previous);
  return ends;
}
template <class Memory>
ALWAYS_INLINE void SetEnds(const Memory &m, ListNode *header,
                           const Ends &ends) {
  // The header of an empty list is its own neighbour.
  Link(m, header, ends.last ? ends.first : header);
  if (ends.last)
    Link(m, ends.last, header);
}
template <class Memory>
ALWAYS_INLINE void ListSwap(const Memory &m, ListNode *a, ListNode *b) {
  Ends of_a = EndsOf(m, a), of_b = EndsOf(m, b);
  if (!of_a.last && !of_b.last)
    return;
  SetEnds(m, a, of_b);
  SetEnds(m, b, of_a);
}

// --- Trees. ------------------------------------------------------------------

template <class Memory>
ALWAYS_INLINE TreeNode *Outermost(const Memory &m, TreeNode *node, int side) {
  while (TreeNode *child = m.Get(&node->child[side]))
    node = child;
  return node;
}

// The next element on the given side; behind the last one, the header.
template <class Memory>
ALWAYS_INLINE TreeNode *TreeNeighbour(const Memory &m, TreeNode *node,
                                      int side) {
  if (TreeNode *child = m.Get(&node->child[side]))
    return Outermost(m, child, !side);
  TreeNode *up = m.Get(&node->parent);
  while (node == m.Get(&up->child[side])) {
    node = up;
    up = m.Get(&up->parent);
  }
  // Where `node` was the last one and the root, the loop went on to the header,
  // which is `node` now: the root is at its right.
  return side == kLeft || m.Get(&node->child[kRight]) != up ? up : node;
}

template <class Memory>
ALWAYS_INLINE TreeNode *TreeDecrement(const Memory &m, TreeNode *node) {
  // Only the header is red and the parent of its parent.
  if (m.Get(&node->color) == kRed) {
    TreeNode *up = m.Get(&node->parent);
    if (m.Get(&up->parent) == node)
      return m.Get(&node->child[kRight]);
  }
  return TreeNeighbour(m, node, kLeft);
}

// Puts `other` where `node` hangs.
template <class Memory>
void Replace(const Memory &m, TreeNode *header, TreeNode *node, TreeNode *up,
             TreeNode *other) {
  if (m.Get(&header->parent) == node)
    m.Set(&header->parent, other);
  else
    m.Set(&up->child[m.Get(&up->child[kLeft]) == node ? kLeft : kRight], other);
}

// Moves `node` down to that side, and its child on the other side up.
template <class Memory>
void Rotate(const Memory &m, TreeNode *header, TreeNode *node, int side) {
  TreeNode *child = m.Get(&node->child[!side]);
  TreeNode *inner = m.Get(&child->child[side]);
  TreeNode *up = m.Get(&node->parent);
  m.Set(&node->child[!side], inner);
  if (inner)
    m.Set(&inner->parent, node);
  m.Set(&child->parent, up);
  Replace(m, header, node, up, child);
  m.Set(&child->child[side], node);
  m.Set(&node->parent, child);
}

template <class Memory>
void TreeInsert(const Memory &m, bool left, TreeNode *node, TreeNode *up,
                TreeNode *header) {
  m.Set(&node->parent, up);
  m.Set(&node->child[kLeft], static_cast<TreeNode *>(nullptr));
  m.Set(&node->child[kRight], static_cast<TreeNode *>(nullptr));
  m.Set(&node->color, kRed);
  const int side = left ? kLeft : kRight;
  m.Set(&up->child[side], node);
  if (up == header) {
    m.Set(&header->parent, node);
    m.Set(&header->child[!side], node);
  } else if (up == m.Get(&header->child[side])) {
    m.Set(&header->child[side], node);
  }
  for (TreeNode *at = node;;) {
    if (at == m.Get(&header->parent))
      break;
    TreeNode *parent = m.Get(&at->parent);
    if (m.Get(&parent->color) == kBlack)
      break;
    TreeNode *grandparent = m.Get(&parent->parent);
    const int s = parent == m.Get(&grandparent->child[kLeft]) ? kLeft : kRight;
    TreeNode *uncle = m.Get(&grandparent->child[!s]);
    if (uncle && m.Get(&uncle->color) == kRed) {
      m.Set(&parent->color, kBlack);
      m.Set(&uncle->color, kBlack);
      m.Set(&grandparent->color, kRed);
      at = grandparent;
      continue;
    }
    if (at == m.Get(&parent->child[!s])) {
      Rotate(m, header, parent, s);
      parent = at;
    }
    m.Set(&parent->color, kBlack);
    m.Set(&grandparent->color, kRed);
    Rotate(m, header, grandparent, !s);
    break;
  }
  m.Set(&m.Get(&header->parent)->color, kBlack);
}

// Repairs the tree where below `up`, at `at` (which may be no node), there is
// one black node too few.
template <class Memory>
void RepairAfterErase(const Memory &m, TreeNode *header, TreeNode *at,
                      TreeNode *up) {
  while (at != m.Get(&header->parent) && (!at || m.Get(&at->color) == kBlack)) {
    const int s = at == m.Get(&up->child[kLeft]) ? kLeft : kRight;
    TreeNode *sibling = m.Get(&up->child[!s]);
    if (m.Get(&sibling->color) == kRed) {
      m.Set(&sibling->color, kBlack);
      m.Set(&up->color, kRed);
      Rotate(m, header, up, s);
      sibling = m.Get(&up->child[!s]);
    }
    TreeNode *near = m.Get(&sibling->child[s]);
    TreeNode *far = m.Get(&sibling->child[!s]);
    const bool far_is_red = far && m.Get(&far->color) == kRed;
    if (!far_is_red && (!near || m.Get(&near->color) == kBlack)) {
      m.Set(&sibling->color, kRed);
      at = up;
      up = m.Get(&up->parent);
      continue;
    }
    if (!far_is_red) {
      m.Set(&near->color, kBlack);
      m.Set(&sibling->color, kRed);
      Rotate(m, header, sibling, !s);
      sibling = m.Get(&up->child[!s]);
      far = m.Get(&sibling->child[!s]);
    }
    m.Set(&sibling->color, m.Get(&up->color));
    m.Set(&up->color, kBlack);
    m.Set(&far->color, kBlack);
    Rotate(m, header, up, s);
    break;
  }
  if (at)
    m.Set(&at->color, kBlack);
}

template <class Memory>
void TreeErase(const Memory &m, TreeNode *node, TreeNode *header) {
  TreeNode *left = m.Get(&node->child[kLeft]);
  TreeNode *right = m.Get(&node->child[kRight]);
  TreeNode *up = m.Get(&node->parent);
  Color lost = m.Get(&node->color);
  // The node that fills the gap, and the node above it.
  TreeNode *at, *at_up;
  if (left && right) {
    // The next element takes the place of `node`.
    TreeNode *next = Outermost(m, right, kLeft);
    at = m.Get(&next->child[kRight]);
    at_up = next;
    if (next != right) {
      at_up = m.Get(&next->parent);
      m.Set(&at_up->child[kLeft], at);
      if (at)
        m.Set(&at->parent, at_up);
      m.Set(&next->child[kRight], right);
      m.Set(&right->parent, next);
    }
    m.Set(&next->child[kLeft], left);
    m.Set(&left->parent, next);
    Replace(m, header, node, up, next);
    m.Set(&next->parent, up);
    Color color = m.Get(&next->color);
    m.Set(&next->color, lost);
    lost = color;
  } else {
    at = left ? left : right;
    at_up = up;
    if (at)
      m.Set(&at->parent, up);
    Replace(m, header, node, up, at);
    for (int side = kLeft; side <= kRight; side++)
      if (m.Get(&header->child[side]) == node)
        m.Set(&header->child[side], at ? Outermost(m, at, side) : up);
  }
  if (lost == kBlack)
    RepairAfterErase(m, header, at, at_up);
}

}  // namespace

// A function of its own, so that the usual way saves no registers.
template <class Work>
NOINLINE auto WorkInSight(const Work &work, const AccessPoint &at) {
  AccessRecorder recorder(at);
  return recorder.Wanted() ? work(Told(recorder)) : work(Untold());
}

#define ATSAN_CXX_NODES(work) \
  return MayBypass() ? work(Untold()) : WorkInSight(work, ATSAN_CALLER_POINT())

ATSAN_CXX(void, list_hook, void *, ListNode *node, ListNode *before) {
  auto work = [&](const auto &m) { ListHook(m, node, before); };
  ATSAN_CXX_NODES(work);
}

ATSAN_CXX(void, list_unhook, void *, ListNode *node) {
  auto work = [&](const auto &m) { ListUnhook(m, node); };
  ATSAN_CXX_NODES(work);
}

ATSAN_CXX(void, list_transfer, void *, ListNode *before, ListNode *first,
          ListNode *last) {
  auto work = [&](const auto &m) { ListTransfer(m, before, first, last); };
  ATSAN_CXX_NODES(work);
}

ATSAN_CXX(void, list_reverse, void *, ListNode *header) {
  auto work = [&](const auto &m) { ListReverse(m, header); };
  ATSAN_CXX_NODES(work);
}

ATSAN_CXX(void, list_swap, void *, ListNode *a, ListNode *b) {
  auto work = [&](const auto &m) { ListSwap(m, a, b); };
  ATSAN_CXX_NODES(work);
}

ATSAN_CXX(TreeNode *, tree_increment, void *, TreeNode *node) {
  auto work = [&](const auto &m) { return TreeNeighbour(m, node, kRight); };
  ATSAN_CXX_NODES(work);
}

ATSAN_CXX(TreeNode *, tree_decrement, void *, TreeNode *node) {
  auto work = [&](const auto &m) { return TreeDecrement(m, node); };
  ATSAN_CXX_NODES(work);
}

ATSAN_CXX(void, tree_insert, void *, bool left, TreeNode *node, TreeNode *up,
          TreeNode *header) {
  auto work = [&](const auto &m) { TreeInsert(m, left, node, up, header); };
  ATSAN_CXX_NODES(work);
}

// Returns the node that is out of the tree: the one that was given.
ATSAN_CXX(TreeNode *, tree_erase, void *, TreeNode *node, TreeNode *header) {
  auto work = [&](const auto &m) {
    TreeErase(m, node, header);
    return node;
  };
  ATSAN_CXX_NODES(work);
}

// --- Hash tables. ------------------------------------------------------------

namespace {
struct RehashPolicy {
  float max_load_factor;
  uptr next_resize;
};
struct NeedRehash {
  bool needed;
  uptr buckets;
};
}  // namespace

ATSAN_CXX(NeedRehash, need_rehash,
          NeedRehash (*real)(RehashPolicy *, uptr, uptr, uptr),
          RehashPolicy *policy, uptr buckets, uptr elements, uptr added) {
  ATSAN_CXX_ENTER(policy, buckets, elements, added);
  recorder.ReadObject(&policy->next_resize);
  if (elements + added > policy->next_resize) {
    recorder.ReadObject(&policy->max_load_factor);
    recorder.WriteObject(&policy->next_resize);
  }
  return real(policy, buckets, elements, added);
}

ATSAN_CXX(uptr, next_bkt, uptr (*real)(RehashPolicy *, uptr),
          RehashPolicy *policy, uptr buckets) {
  ATSAN_CXX_ENTER(policy, buckets);
  if (buckets) {
    recorder.ReadObject(&policy->max_load_factor);
    recorder.WriteObject(&policy->next_resize);
  }
  return real(policy, buckets);
}

ATSAN_CXX(uptr, hash, uptr (*real)(const void *, uptr, uptr), const void *data,
          uptr size, uptr seed) {
  ATSAN_CXX_ENTER(data, size, seed);
  recorder.Read(data, size);
  return real(data, size, seed);
}

// --- Numbers. ----------------------------------------------------------------

// std::sort of numbers in libc++: reads all and writes all, as qsort does.
ATSAN_CXX(void, sort, void (*real)(char *, char *, void *), char *first,
          char *last, void *compare) {
  ATSAN_CXX_ENTER(first, last, compare);
  recorder.Read(first, last - first);
  real(first, last, compare);
  recorder.Write(first, last - first);
}

// Called behind std::to_chars. Tells only what was written if it succeeded:
// nobody knows what a failed call has written.
ATSAN_CXX(void, to_chars, char *end, u32 error, char *first, char *, void *,
          uptr) {
  if (MayBypass() || error)
    return;
  ATSAN_CXX_RECORDER();
  recorder.Write(first, end - first);
}

// Called behind std::from_chars. The character that ended the number is read,
// too.
ATSAN_CXX(void, from_chars, const char *end, u32 error, const char *first,
          const char *last, void *value, uptr size) {
  if (MayBypass())
    return;
  ATSAN_CXX_RECORDER();
  recorder.Read(first, end - first + (end != last));
  if (!error)
    recorder.Write(value, size);
}
