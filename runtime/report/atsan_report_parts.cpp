//===-- atsan_report_parts.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints what all reports have in common: stacks, threads, the summary line;
// and the one kind of report that is no more than these.
//
//===----------------------------------------------------------------------===//
#include "runtime/location/atsan_symbolizer.h"
#include "runtime/report/atsan_report.h"
#include "runtime/report/atsan_report_internal.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_stacktrace_printer.h"

namespace __atsan {

// "#1 function file:line:column (module+offset)"; the build id only where there
// is nothing better to find the code by.
static void RenderFrame(InternalScopedString *out, int number,
                        const AddressInfo &frame) {
  StackTracePrinter *printer = StackTracePrinter::GetOrInit();
  const CommonFlags *options = common_flags();
  const char *format = options->stack_trace_format;
  bool is_default = !internal_strcmp(format, "DEFAULT");
  if (is_default)
    format = frame.file       ? "#%n %f %S"
             : frame.function ? "#%n %f %M"
                              : "#%n %p %M";
  while (*format == ' ')
    format++;  // The indentation is ours.
  printer->RenderFrame(out, format, number, frame.address, &frame,
                       options->symbolize_vs_style, options->strip_path_prefix);
  if (is_default && frame.file && frame.module) {
    out->Append(" ");
    printer->RenderModuleLocation(out, StripModuleName(frame.module),
                                  frame.module_offset, frame.module_arch, "");
  }
}

void PrintStackText(const SymbolizedStack *stack, const char *indent) {
  int number = 0;
  for (; stack; stack = stack->next) {
    InternalScopedString out;
    RenderFrame(&out, number++, stack->info);
    Printf("%s%s\n", indent, out.data());
  }
}

void PrintSummary(const char *kind, const SymbolizedStack *stack) {
  if (const AddressInfo *user = UserFrame(stack))
    ReportErrorSummary(kind, *user);
  else
    ReportErrorSummary(kind);
}

void PrintThreads(const ViolationReport &report) {
  Decorator d;
  for (const ReportThread &thread : report.threads) {
    if (thread.tid == 0)
      continue;
    InternalScopedString out;
    out.Append("Thread ");
    AppendThreadName(&out, report, thread.tid);
    if (thread.finished)
      out.Append(" (finished)");
    if (!thread.creation) {
      out.Append(" was created by code that is not observed.");
      Printf("  %s%s%s\n\n", d.Thread(), out.data(), d.Default());
      continue;
    }
    out.Append(" was created by ");
    AppendThreadName(&out, report, thread.parent_tid);
    Printf("  %s%s:%s\n", d.Thread(), out.data(), d.Default());
    PrintStackText(thread.creation, kStackIndent);
    Printf("\n");
  }
}

void PrintReportText(const PlaceReport &report) {
  Decorator d;
  InternalScopedString thread;
  AppendThreadName(&thread, report.named, report.tid);
  Printf("%s", d.Error());
  Report("ERROR: AtomicitySanitizer: %s (in %s)\n", report.message,
         thread.data());
  Printf("%s", d.Default());
  if (report.history)
    Printf("%s\n", report.history);
  SymbolizerWarnIfMissing();
  PrintStackText(report.stack, "    ");
  Printf("\n");
  if (report.other) {
    InternalScopedString other;
    AppendThreadName(&other, report.named, report.operation->other.tid);
    Printf("  It contradicts: %s (in %s)\n",
           report.operation->other.what.data(), other.data());
    PrintStackText(report.other, "    ");
    Printf("\n");
  }
  PrintThreads(report.named);
  PrintSummary(report.kind, report.stack);
}

}  // namespace __atsan
