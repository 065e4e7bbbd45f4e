//===-- atsan_report_memory.cpp -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says what an address is: a variable on a stack, a heap block, a global, or
// thread-local storage. Only for reports; may be slow.
//
//===----------------------------------------------------------------------===//
#include <link.h>

#include "runtime/memory/atsan_heap.h"
#include "runtime/report/atsan_report.h"
#include "runtime/report/atsan_report_threads.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_stackdepot.h"

namespace __atsan {

static char *Copy(const char *string) {
  return string && string[0] ? internal_strdup(string) : nullptr;
}

static void CopyFile(ReportMemory *item, const char *file, uptr line) {
  // "??": the symbolizer does not know it. An old llvm-symbolizer says nothing,
  // of which its parser makes an empty line.
  if (file && file[0] != '\n' && internal_strcmp(file, "??") != 0) {
    item->file = Copy(file);
    item->line = line;
  }
}

static bool DescribeRecorded(ReportMemory *item, uptr pc, uptr fp) {
  uptr begin;
  const auto *variable = FindRecordedVariable(pc, fp, item->addr, &begin);
  if (!variable)
    return false;
  item->begin = begin;
  item->size = variable->size;
  item->name = Copy(variable->name);
  item->function = Copy(variable->function);
  CopyFile(item, variable->file, variable->line);
  return true;
}

uptr FunctionStart(uptr pc) {
  DataInfo data;
  uptr start = 0;
  if (Symbolizer::GetOrInit()->SymbolizeData(
          StackTrace::GetPreviousInstructionPc(pc), &data))
    start = data.start;
  data.Clear();
  return start;
}

enum class Local { kNone, kNamed, kSeveral };

// Looks among the variables that are known at the code. Those of scopes that
// exclude each other may have one place, and of some it is not known: a name is
// only told if the address can be of no other.
static Local DescribeLocalAt(ReportMemory *item, uptr code, uptr fp) {
  FrameInfo frame;
  if (!code || !Symbolizer::GetOrInit()->SymbolizeFrame(code, &frame))
    return Local::kNone;
  const LocalInfo *found = nullptr;
  bool others = false;
  for (const LocalInfo &local : frame.locals) {
    if (!local.has_size)
      continue;
    if (!local.has_frame_offset) {
      // It may be anywhere, but for what fits into registers.
      others |= local.size > 2 * sizeof(uptr);
    } else if (item->addr - (fp + local.frame_offset) < local.size) {
      others |= found != nullptr;
      found = &local;
    }
  }
  Local result = found ? Local::kSeveral : Local::kNone;
  if (found && !others) {
    item->begin = fp + found->frame_offset;
    item->size = found->size;
    item->name = Copy(found->name);
    item->function = Copy(found->function_name);
    CopyFile(item, found->decl_file, found->decl_line);
    result = Local::kNamed;
  }
  frame.Clear();
  return result;
}

// Looks for the variable of the frame (pc, fp) in which item->addr lies. Of
// inlined code the symbolizer knows its own variables only; where the function
// starts, all of them.
static bool DescribeLocal(ReportMemory *item, uptr pc, uptr fp) {
  if (!fp)
    return false;
  Local how =
      DescribeLocalAt(item, StackTrace::GetPreviousInstructionPc(pc), fp);
  if (how == Local::kNone)
    how = DescribeLocalAt(item, FunctionStart(pc), fp);
  return how == Local::kNamed;
}

// The thread's frames are known if it runs this very code, or waits in one of
// our interceptors, or (from its begin mark up) if it is inside a region.
static void DescribeStack(ReportMemory *item, const StackOwner &owner) {
  item->kind = MemoryKind::kStack;
  item->tid = owner.tid;
  // Locals lie below the frame pointer, arguments above it. So the address
  // belongs to the first frame above it, or to the last one below.
  for (u32 i = 0; i < owner.num_frames; i++) {
    if (owner.frames[i] <= item->addr)
      continue;
    if (DescribeLocal(item, owner.pcs[i], owner.frames[i]) ||
        (i && DescribeLocal(item, owner.pcs[i - 1], owner.frames[i - 1])) ||
        DescribeRecorded(item, owner.pcs[i], owner.frames[i]))
      return;
    // Below the innermost frame that we know lies a frame that we do not.
    if (!i && !owner.innermost_known)
      return;
    SymbolizedStackHolder code(Symbolizer::GetOrInit()->SymbolizePC(
        StackTrace::GetPreviousInstructionPc(owner.pcs[i])));
    if (code.get())
      item->function = Copy(code.get()->info.function);
    return;
  }
}

static bool DescribeHeap(ReportMemory *item) {
  HeapBlock block;
  if (!HeapBlockFind(item->addr, &block))
    return false;
  item->kind = MemoryKind::kHeap;
  item->begin = block.begin;
  item->size = block.size;
  item->tid = block.alloc_tid;
  item->freed = block.freed;
  item->alloc_stack = SymbolizeStack(StackDepotGet(block.alloc_stack_id));
  return true;
}

// The symbolizer knows all files of /proc/self/maps as modules.
bool IsInLoadedModule(uptr addr) {
  struct Search {
    uptr addr;
    bool found;
  } search = {addr, false};
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *arg) {
        auto *s = static_cast<Search *>(arg);
        for (u32 i = 0; i < info->dlpi_phnum; i++) {
          const auto &segment = info->dlpi_phdr[i];
          s->found |=
              segment.p_type == PT_LOAD &&
              s->addr - info->dlpi_addr - segment.p_vaddr < segment.p_memsz;
        }
        return static_cast<int>(s->found);
      },
      &search);
  return search.found;
}

// The kernel calls what has no file by these names.
static bool HasFile(const char *name) {
  static const char *const kNoFiles[] = {"/dev/zero", "/SYSV", "/memfd:"};
  for (const char *none : kNoFiles)
    if (!internal_strncmp(name, none, internal_strlen(none)))
      return false;
  return true;
}

static void DescribeMapped(ReportMemory *item, const LoadedModule &module) {
  item->kind = MemoryKind::kMapped;
  if (HasFile(module.full_name()))
    item->name = Copy(StripModuleName(module.full_name()));
}

static void DescribeGlobal(ReportMemory *item) {
  const LoadedModule *module =
      Symbolizer::GetOrInit()->FindModuleForAddress(item->addr);
  if (!module || module->full_name()[0] == '[')  // [heap], [stack]: no file.
    return;
  if (!IsInLoadedModule(item->addr)) {
    DescribeMapped(item, *module);
    return;
  }
  item->kind = MemoryKind::kGlobal;
  DataInfo data;
  if (Symbolizer::GetOrInit()->SymbolizeData(item->addr, &data) && data.name &&
      internal_strcmp(data.name, "??") != 0 &&
      item->addr - data.start < Max<uptr>(data.size, 1)) {
    item->begin = data.start;
    item->size = data.size;
    item->name = Copy(DemangledName(data.name));
    RemoveAbiTags(item->name);
    CopyFile(item, data.file, data.line);
  } else {
    InternalScopedString place;
    place.AppendF("(%s+0x%zx)", StripModuleName(module->full_name()),
                  item->addr - module->base_address());
    item->name = Copy(place.data());
  }
  data.Clear();
}

static bool IsInObject(const ReportMemory &item, uptr addr) {
  return item.size && addr - item.begin < item.size;
}

u32 DescribeMemory(ViolationReport *report, uptr addr) {
  u32 same_object = kNone;
  for (u32 i = 0; i < report->memory.size(); i++) {
    if (report->memory[i].addr == addr)
      return i;
    if (same_object == kNone && IsInObject(report->memory[i], addr))
      same_object = i;
  }
  ReportMemory item = {};
  if (same_object != kNone) {
    item = report->memory[same_object];
    item.name = Copy(item.name);
    item.function = Copy(item.function);
    item.file = Copy(item.file);
    item.alloc_stack = nullptr;
  }
  item.addr = addr;
  item.same_object = same_object;
  if (same_object == kNone) {
    item.kind = MemoryKind::kUnknown;
    item.tid = kUnknownThread;
    // Reports are made one at a time, on a user's stack.
    static StackOwner owner;
    if (FindStackOwner(addr, &owner))
      DescribeStack(&item, owner);
    else if (FindTlsOwner(addr, &item.tid))
      item.kind = MemoryKind::kTls;
    else if (!DescribeHeap(&item))
      DescribeGlobal(&item);
  }
  if (item.tid != kUnknownThread)
    AddThread(report, item.tid);
  report->memory.push_back(item);
  return report->memory.size() - 1;
}

}  // namespace __atsan
