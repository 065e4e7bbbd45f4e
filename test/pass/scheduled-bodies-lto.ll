; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: a function whose calling convention an optimizer has changed, since it
; knew all calls of it, enters its scheduled body by an ordinary call; any other
; one by a tail call. The link step of LTO gets there.
;
; Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
; See LICENSE for license information.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define hidden fastcc i32 @changed(
; CHECK:         [[RESULT:%.*]] = notail call i32 @changed.atsan_scheduled(
; CHECK-NEXT:    ret i32 [[RESULT]]
define hidden fastcc i32 @changed(ptr %p) #0 {
  %v = load i32, ptr %p
  ret i32 %v
}
define internal i32 @changed.atsan_scheduled(ptr %p) #1 {
  %v = load i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: define hidden i32 @same(
; CHECK:         musttail call i32 @same.atsan_scheduled(
define hidden i32 @same(ptr %p) #2 {
  %v = load i32, ptr %p
  ret i32 %v
}
define internal i32 @same.atsan_scheduled(ptr %p) #1 {
  %v = load i32, ptr %p
  ret i32 %v
}

attributes #0 = { "atsan-scheduled-body"="changed.atsan_scheduled" }
attributes #1 = { "atsan-scheduled" }
attributes #2 = { "atsan-scheduled-body"="same.atsan_scheduled" }
