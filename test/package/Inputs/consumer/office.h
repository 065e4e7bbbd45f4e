//===- office.h - Sells tickets ----------------------------------*- C++
//-*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef OFFICE_H
#define OFFICE_H

/// Sells one of the tickets; calls \p Pay between the check and the sale.
bool sellTicket(void (*Pay)());

#endif
