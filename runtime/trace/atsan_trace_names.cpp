//===-- atsan_trace_names.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Locations, modules and names are put into the stream of the thread that meets
// them first, before the event that needs them. Another thread may use them
// when it sees that they are there: its runs are later then, as for any two
// ordered events (atsan_trace.cpp). Two that meet one at once both put it.
//
//===----------------------------------------------------------------------===//
#include "runtime/location/atsan_location.h"
#include "runtime/trace/atsan_trace_thread.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_dense_map.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {

namespace {

struct ModuleRange {
  uptr begin;
  uptr end;
};

// A bit for each location id, in leaves that are mapped when first needed.
constexpr u32 kLeafBits = 20;
constexpr u32 kLeaves = 1u << (32 - kLeafBits);
constexpr uptr kLeafSize = (1u << kLeafBits) / 8;

// The names that this process has defined: zeros in a child, like TraceFile.
struct State {
  atomic_uintptr_t leaves[kLeaves];

  StaticSpinMutex modules_mutex;
  InternalMmapVectorNoCtor<ModuleRange> modules;
  // Code that is in no module, so that nobody looks for it again and again.
  uptr no_module;

  StaticSpinMutex names_mutex;
  // Maps the hash of a text to its number; names differ where hashes do.
  DenseMap<u64, u64> *region_names;
};
State *state;

atomic_uint8_t *DefinedByte(LocId loc) {
  atomic_uintptr_t *place = &state->leaves[loc >> kLeafBits];
  uptr leaf = atomic_load(place, memory_order_acquire);
  if (UNLIKELY(!leaf)) {
    uptr fresh = reinterpret_cast<uptr>(
        MmapNoReserveOrDie(kLeafSize, "atsan trace locations"));
    if (atomic_compare_exchange_strong(place, &leaf, fresh,
                                       memory_order_acq_rel))
      leaf = fresh;
    else
      UnmapOrDie(reinterpret_cast<void *>(fresh), kLeafSize);
  }
  return reinterpret_cast<atomic_uint8_t *>(leaf) +
         (loc & ((1u << kLeafBits) - 1)) / 8;
}

// --- Modules. ----------------------------------------------------------------

bool IsKnown(uptr pc) {
  for (const ModuleRange &range : state->modules)
    if (pc >= range.begin && pc < range.end)
      return true;
  return pc == state->no_module;
}

void DefineModule(Thread *thr, TraceThread *trace, const LoadedModule &module) {
  uptr begin = ~0ull, end = 0;
  for (const auto &range : module.ranges()) {
    begin = Min(begin, range.beg);
    end = Max(end, range.end);
  }
  if (begin >= end)
    return;
  for (const ModuleRange &range : state->modules)
    if (range.begin == begin && range.end == end)
      return;
  uptr path_size =
      Min(internal_strlen(module.full_name()), format::MaxTextSize);
  uptr id_size = Min<uptr>(module.uuid_size(), format::MaxBuildIdSize);
  if (!TraceBegin(thr, trace, format::Encoder::moduleSize(path_size, id_size)))
    return;
  trace->block.out =
      trace->code.module(trace->block.out, begin, end, module.base_address(),
                         module.full_name(), path_size, module.uuid(), id_size);
  trace->block.Publish();
  state->modules.push_back({begin, end});
}

void DefineModules(Thread *thr, TraceThread *trace, const uptr *pcs, u32 size) {
  SpinMutexLock lock(&state->modules_mutex);
  for (u32 i = 0; i < size; i++) {
    if (IsKnown(pcs[i]))
      continue;
    // The list has no destructor that would give back its memory.
    alignas(ListOfModules) static char storage[sizeof(ListOfModules)];
    static ListOfModules *modules;
    if (!modules)
      modules = new (storage) ListOfModules();
    modules->init();
    for (const LoadedModule &module : *modules)
      DefineModule(thr, trace, module);
    if (!IsKnown(pcs[i]))
      state->no_module = pcs[i];
  }
}

// --- Names. ------------------------------------------------------------------

u64 HashText(const char *text) {
  u64 hash = format::checksum(text, internal_strlen(text));
  return hash >> 2;  // The two largest keys are DenseMap's own.
}

void Define(Thread *thr, TraceThread *trace, format::NameOf of, u64 number,
            const char *text, uptr size) {
  size = Min(size, format::MaxTextSize);
  if (!TraceBegin(thr, trace, format::Encoder::nameSize(size)))
    return;
  trace->block.out = trace->code.name(trace->block.out, of, number, text, size);
  trace->block.Publish();
}

}  // namespace

void TraceDefineLocation(Thread *thr, TraceThread *trace, LocId loc) {
  if (!loc)
    return;
  atomic_uint8_t *byte = DefinedByte(loc);
  u8 bit = 1 << loc % 8;
  if (LIKELY(atomic_load(byte, memory_order_acquire) & bit))
    return;
  BufferedStackTrace *stack = &trace->scratch;
  if (!DescribeStack(loc, stack))
    return;
  u32 size = Min<u32>(stack->size, format::MaxFrames);
  DefineModules(thr, trace, stack->trace_buffer, size);
  if (!TraceBegin(thr, trace, format::Encoder::locationSize(size)))
    return;
  trace->block.out =
      trace->code.location(trace->block.out, loc, stack->trace_buffer, size);
  trace->block.Publish();
  u8 old = atomic_load(byte, memory_order_relaxed);
  while (!atomic_compare_exchange_weak(byte, &old, old | bit,
                                       memory_order_release)) {
  }
}

u64 TraceDefineRegion(Thread *thr, TraceThread *trace, const char *name) {
  SpinMutexLock lock(&state->names_mutex);
  auto *&names = state->region_names;
  if (!names)
    names = new (InternalAlloc(sizeof(*names))) DenseMap<u64, u64>();
  u64 next = names->size() + 1;
  u64 &number = (*names)[HashText(name)];
  if (!number) {
    number = next;
    Define(thr, trace, format::NameOf::Region, number, name,
           internal_strlen(name));
  }
  return number;
}

// Many threads of a program may have the same name, which must not make one of
// them.
void TraceDefineThread(Thread *thr, TraceThread *trace, u32 number,
                       const char *name) {
  char text[64];
  internal_snprintf(text, sizeof(text), "T%u.%s", number, name);
  Define(thr, trace, format::NameOf::Thread, number, text,
         internal_strlen(text));
}

void TraceNamesAfterFork() {
  internal_memset(reinterpret_cast<void *>(state), 0, sizeof(*state));
}

void TraceNamesInit() {
  state =
      static_cast<State *>(MapWipedOnFork(sizeof(State), "atsan trace names"));
}

}  // namespace __atsan
