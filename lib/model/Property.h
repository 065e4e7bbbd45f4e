//===- Property.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a search asks of the runs of a program: a monitor that runs beside it.
// Its state is part of the search's state, as a row of values.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_PROPERTY_H
#define ATSAN_MODEL_PROPERTY_H

#include "lib/model/Program.h"

namespace atsan::model {

/// Threads are numbered as the machine does (Machine.h). What returns bool says
/// whether the event violates the property.
class Property {
public:
  virtual ~Property() = default;

  /// How many bits each value of the monitor's state has, all 0 at first.
  virtual std::vector<unsigned> widths() const = 0;
  /// Where the monitor does not begin with zeros.
  virtual void begin(Value *) const {}

  /// A thread accesses a variable, \p InRegion or on its own. What violates
  /// brings no order, for a run that goes on nevertheless.
  virtual bool access(Value *, unsigned /*Thread*/, uint32_t /*Variable*/,
                      bool /*IsWrite*/, bool /*InRegion*/) const {
    return false;
  }
  virtual void endRegion(Value *, unsigned /*Thread*/) const {}
  virtual void endThread(Value *, unsigned /*Thread*/) const {}

  /// Do operations of registers matter? Then their begins and ends are steps.
  virtual bool hasOperations() const { return false; }
  virtual bool invoke(Value *, unsigned /*Thread*/, const Edge &,
                      Value /*Argument*/) const {
    return false;
  }
  virtual bool respond(Value *, unsigned /*Thread*/, const Edge &,
                       Value /*Result*/) const {
    return false;
  }

  /// Renames threads: what was thread T becomes thread New[T].
  virtual void rename(Value *, const std::vector<unsigned> & /*New*/) const {}
};

} // namespace atsan::model

#endif // ATSAN_MODEL_PROPERTY_H
