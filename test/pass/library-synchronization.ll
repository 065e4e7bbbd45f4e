; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; Intent: synchronization and reference counting of the C++ library are opted
; out by name, with what is inlined into them. What they call, the rest of the
; library, and what only has such a name, are instrumented.

; STATS-DAG: {{^ *}}11 atsan - functions opted out
; STATS-DAG: {{^ *}}11 atsan - C++ synchronization among these

; void __gnu_cxx::__atomic_add_dispatch(int *, int): always_inline is taken
; away, or the access would be its callers'.
; CHECK-LABEL: define void @_ZN9__gnu_cxx21__atomic_add_dispatchEPii(
; CHECK-SAME:    [[OUT:#[0-9]+]]
; CHECK-NEXT:    atomicrmw
; CHECK-NEXT:    ret void
define void @_ZN9__gnu_cxx21__atomic_add_dispatchEPii(ptr %p, i32 %n) alwaysinline {
  atomicrmw add ptr %p, i32 %n acq_rel
  ret void
}

; std::_Sp_counted_base<...>::_M_release(). The object's destructor is kept apart.
; CHECK-LABEL: define void @_ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE10_M_releaseEv(
; CHECK-SAME:    [[OUT]]
; CHECK-NEXT:    store i32 0, ptr %this
; CHECK-NEXT:    call void %dispose(){{$}}
; CHECK-NEXT:    ret void
define void @_ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE10_M_releaseEv(ptr %this, ptr %dispose) {
  store i32 0, ptr %this
  call void %dispose()
  ret void
}

; Its twin runs the destructor and no more.
; CHECK-LABEL: define void @_ZNSt23_Sp_counted_ptr_inplaceI1TSaIvELN9__gnu_cxx12_Lock_policyE2EE10_M_disposeEv(
; CHECK:         call void @__atsan_write4(
define void @_ZNSt23_Sp_counted_ptr_inplaceI1TSaIvELN9__gnu_cxx12_Lock_policyE2EE10_M_disposeEv(ptr %this) {
  store i32 0, ptr %this
  ret void
}

; CHECK-LABEL: define i64 @_ZNKSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE16_M_get_use_countEv(
; CHECK-NOT:     __atsan
; CHECK:         ret
define i64 @_ZNKSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE16_M_get_use_countEv(ptr %this) {
  %v = load atomic i64, ptr %this monotonic, align 8
  ret i64 %v
}

; CHECK-LABEL: define i32 @_ZNSt23__atomic_futex_unsignedILj2147483648EE7_M_loadESt12memory_order(
; CHECK-NOT:     __atsan
; CHECK:         ret
define i32 @_ZNSt23__atomic_futex_unsignedILj2147483648EE7_M_loadESt12memory_order(ptr %this, i32 %order) {
  %v = load atomic i32, ptr %this acquire, align 4
  ret i32 %v
}

; CHECK-LABEL: define void @_ZNSt13__future_base13_State_baseV221_M_set_retrieved_flagEv(
; CHECK-NOT:     __atsan
; CHECK:         ret
define void @_ZNSt13__future_base13_State_baseV221_M_set_retrieved_flagEv(ptr %this) {
  atomicrmw xchg ptr %this, i8 1 seq_cst
  ret void
}

; CHECK-LABEL: define void @_ZNSt5latch10count_downEl(
; CHECK-NOT:     __atsan
; CHECK:         ret
define void @_ZNSt5latch10count_downEl(ptr %this, i64 %n) {
  atomicrmw sub ptr %this, i64 %n release
  ret void
}

; CHECK-LABEL: define void @_ZNSt18__atomic_semaphore10_M_releaseEl(
; CHECK-NOT:     __atsan
; CHECK:         ret
define void @_ZNSt18__atomic_semaphore10_M_releaseEl(ptr %this, i64 %n) {
  atomicrmw add ptr %this, i64 %n release
  ret void
}

; A barrier with a completion of the program's.
; CHECK-LABEL: define i1 @_ZNSt14__tree_barrierI1TE9_M_arriveESt17__barrier_phase_tm(
; CHECK-NOT:     __atsan
; CHECK:         ret
define i1 @_ZNSt14__tree_barrierI1TE9_M_arriveESt17__barrier_phase_tm(ptr %this, i8 %phase, i64 %n) {
  store i64 %n, ptr %this
  ret i1 false
}

; CHECK-LABEL: define i8 @_ZNKSt12__atomic_refISt17__barrier_phase_tLb0ELb0EE4loadESt12memory_order(
; CHECK-NOT:     __atsan
; CHECK:         ret
define i8 @_ZNKSt12__atomic_refISt17__barrier_phase_tLb0ELb0EE4loadESt12memory_order(ptr %this, i32 %order) {
  %v = load atomic i8, ptr %this acquire, align 1
  ret i8 %v
}

; Its twin is what the program makes of std::atomic_ref<T>.
; CHECK-LABEL: define i8 @_ZNKSt12__atomic_refI1TLb0ELb0EE4loadESt12memory_order(
; CHECK:         call {{.*}}@__atsan_atomic_enter
define i8 @_ZNKSt12__atomic_refI1TLb0ELb0EE4loadESt12memory_order(ptr %this, i32 %order) {
  %v = load atomic i8, ptr %this acquire, align 1
  ret i8 %v
}

; CHECK-LABEL: define void @_ZNSt8__detail18__waiter_pool_base13_M_enter_waitEv(
; CHECK-NOT:     __atsan
; CHECK:         ret
define void @_ZNSt8__detail18__waiter_pool_base13_M_enter_waitEv(ptr %this) {
  atomicrmw add ptr %this, i32 1 seq_cst
  ret void
}

; libc++, with an ABI tag.
; CHECK-LABEL: define i64 @_ZNSt3__134__libcpp_atomic_refcount_incrementB8ne190107IlEET_RS1_(
; CHECK-NOT:     __atsan
; CHECK:         ret
define i64 @_ZNSt3__134__libcpp_atomic_refcount_incrementB8ne190107IlEET_RS1_(ptr %p) {
  %v = atomicrmw add ptr %p, i64 1 monotonic
  ret i64 %v
}

; std::__atomic_base<int>::load(), mine::latch::count_down(long), latch.
; CHECK-LABEL: define i32 @_ZNKSt13__atomic_baseIiE4loadESt12memory_order(
; CHECK:         call {{.*}}@__atsan_atomic_enter
define i32 @_ZNKSt13__atomic_baseIiE4loadESt12memory_order(ptr %this, i32 %order) {
  %v = load atomic i32, ptr %this acquire, align 4
  ret i32 %v
}

; CHECK-LABEL: define void @_ZN4mine5latch10count_downEl(
; CHECK:         call {{.*}}@__atsan_atomic_enter
define void @_ZN4mine5latch10count_downEl(ptr %this, i64 %n) {
  atomicrmw sub ptr %this, i64 %n release
  ret void
}

; CHECK-LABEL: define void @latch(
; CHECK:         call {{.*}}@__atsan_atomic_enter
define void @latch(ptr %p) {
  atomicrmw sub ptr %p, i64 1 release
  ret void
}

; CHECK-DAG: attributes [[OUT]] = { "atsan-no-sanitize" {{("no-builtin-[a-z]+" )+}}}
