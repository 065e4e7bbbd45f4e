//===- LibrarySynchronization.cpp -----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutexes, condition variables and call_once are functions of libc, which the
// runtime knows. The rest of <memory>, <future>, <latch>, ... is atomics in
// headers. The table lists the functions that make these accesses themselves.
// An opt-out is about a function's own code: what such a function calls, such
// as the destructor of the object that a shared_ptr owns or the completion of
// a barrier, stays instrumented. What else threads share within the library
// without the program's doing is here, too. Not in the table are functions that
// are shared with std::atomic and std::atomic_ref, which are the program's
// data.
//
//===----------------------------------------------------------------------===//

#include "pass/selection/LibrarySynchronization.h"

#include "lib/base/NamePattern.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>
#include <string>

using namespace llvm;

namespace atsan {

namespace {

// Names are without parameters and without the function's own template
// arguments.

/// Functions that count the owners of an object.
constexpr const char *kReferenceCounters[] = {
    "__gnu_cxx::__exchange_and_add*",
    "__gnu_cxx::__atomic_add*",
    "std::_Sp_counted_base<*>::_M_add_ref_copy",
    "std::_Sp_counted_base<*>::_M_add_ref_lock_nothrow",
    "std::_Sp_counted_base<*>::_M_get_use_count",
    "std::_Sp_counted_base<*>::_M_release",
    "std::_Sp_counted_base<*>::_M_weak_add_ref",
    "std::stop_token::_Stop_state_t::_M_add_owner",
    "std::stop_token::_Stop_state_t::_M_release_ownership",
    "std::stop_token::_Stop_state_t::_M_add_ssrc",
    "std::stop_token::_Stop_state_t::_M_sub_ssrc",
    "std::__1::__libcpp_atomic_refcount_*",
};

/// All other synchronization.
constexpr const char *kTable[] = {
    // The lock in a stop state, and the callbacks that it guards. That a stop
    // is
    // requested is data: AtomicCalls.cpp tells of _M_try_lock_and_stop.
    "std::stop_token::_Stop_state_t::_M_lock",
    "std::stop_token::_Stop_state_t::_M_unlock",
    "std::stop_token::_Stop_state_t::_M_try_lock",
    "std::stop_token::_Stop_state_t::_M_do_try_lock",
    "std::stop_token::_Stop_state_t::_M_try_lock_and_stop",
    "std::stop_token::_Stop_state_t::_M_register_callback",
    "std::stop_token::_Stop_state_t::_M_remove_callback",
    // The loops by which floating-point numbers are added to. Their calls are
    // operations on data: AtomicCalls.cpp.
    "std::__atomic_impl::__fetch_add_flt",
    "std::__atomic_impl::__fetch_sub_flt",
    "std::__atomic_impl::__add_fetch_flt",
    "std::__atomic_impl::__sub_fetch_flt",
    // The lock in a std::atomic<std::shared_ptr>. The pointer itself, which it
    // guards, is data.
    "std::_Sp_atomic<*>::_Atomic_count::lock",
    "std::_Sp_atomic<*>::_Atomic_count::unlock",
    "std::_Sp_atomic<*>::_Atomic_count::_M_swap_unlock",
    "std::_Sp_atomic<*>::_Atomic_count::_M_wait_unlock",
    // Is a future ready, and was it handed out?
    "std::__atomic_futex_unsigned<*>::_M_load*",
    "std::__atomic_futex_unsigned<*>::_M_store_notify_all",
    "std::__future_base::_State_baseV2::_M_set_retrieved_flag",
    // Latches, semaphores, barriers.
    "std::latch::count_down",
    "std::latch::try_wait",
    "std::__atomic_semaphore::_S_do_try_acquire",
    "std::__atomic_semaphore::_S_get_current",
    "std::__atomic_semaphore::_M_release",
    "std::__tree_barrier*::_M_arrive",
    "std::__tree_barrier*::arrive",
    "std::__tree_barrier*::arrive_and_drop",
    "std::__atomic_ref<std::__barrier_phase_t*>::*",
    // Threads that wait for one of these objects, or for a std::atomic.
    "std::__detail::__waiter_pool_base::_M_enter_wait",
    "std::__detail::__waiter_pool_base::_M_leave_wait",
    "std::__detail::__waiter_pool_base::_M_waiting",
    "std::__detail::__waiter_base<*>::_M_notify",
    "std::__detail::__waiter_base<*>::_S_do_spin*",
    // Facets of locales keep tables that they fill when first asked; reading a
    // number is the runtime's to tell (LibraryCalls.cpp).
    "std::ctype<*>::*",
    "std::num_get<*>::get",
    "std::__1::num_get<*>::get",

    // How many own an object, in libc++. Its futures are in the library, and
    // its
    // latches, semaphores and barriers make their accesses in the functions of
    // std::atomic.
    "std::__1::__libcpp_relaxed_load",
    // Its locks with a limit are in the library, but for these templates.
    "std::__1::timed_mutex::try_lock_until",
    "std::__1::recursive_timed_mutex::try_lock_until",
    "std::__1::shared_timed_mutex::try_lock_until",
    "std::__1::shared_timed_mutex::try_lock_shared_until",
};

/// The program's operations on atomic objects.
constexpr const char *kAtomicOperations[] = {
    "std::atomic<*>::*",         "std::atomic_*",
    "std::__atomic_float<*>::*", "std::__atomic_ref<*>::*",
    "std::__1::atomic<*>::*",    "std::__1::atomic_*",
    "std::__1::__atomic_*",      "std::__1::__cxx_atomic_*",
};

/// The qualified name, such as "ns::Class<X>::f", of a mangled name; or an
/// empty string.
std::string qualifiedName(StringRef LinkageName) {
  const std::string Mangled =
      LinkageName.str(); // The demangler points into it.
  ItaniumPartialDemangler Demangler;
  if (Demangler.partialDemangle(Mangled.c_str()) || !Demangler.isFunction())
    return "";
  char *Context = Demangler.getFunctionDeclContextName(nullptr, nullptr);
  char *Base = Demangler.getFunctionBaseName(nullptr, nullptr);
  std::string Name;
  if (Context && Base)
    Name = std::string(Context) + "::" + Base;
  std::free(Context);
  std::free(Base);
  // An ABI tag is no part of the name in the source.
  return Name.substr(0, Name.find("[abi:"));
}

/// `Name` is a qualified one.
bool isListed(StringRef Name, ArrayRef<const char *> Table) {
  const atsan_names::Text Text{Name.begin(), Name.end()};
  return any_of(Table, [&](const char *Pattern) {
    return atsan_names::Matches(atsan_names::TextOf(Pattern), Text);
  });
}

/// Most functions are none of the library's; demangling is not free.
bool isOfLibrary(StringRef LinkageName) {
  return any_of(ArrayRef<StringRef>{"_ZNSt", "_ZNKSt", "_ZN9__gnu_cxx"},
                [&](StringRef Prefix) {
                  return LinkageName.substr(0, Prefix.size()) == Prefix;
                });
}

} // namespace

bool isLibrarySynchronization(StringRef LinkageName) {
  if (!isOfLibrary(LinkageName))
    return false;
  const std::string Name = qualifiedName(LinkageName);
  return isListed(Name, kReferenceCounters) || isListed(Name, kTable);
}

bool isReferenceCounter(StringRef LinkageName) {
  return isOfLibrary(LinkageName) &&
         isListed(qualifiedName(LinkageName), kReferenceCounters);
}

bool isAtomicOperation(StringRef LinkageName) {
  return isListed(qualifiedName(LinkageName), kAtomicOperations);
}

} // namespace atsan
