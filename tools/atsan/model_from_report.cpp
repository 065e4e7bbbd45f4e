//===- model_from_report.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan model --from-report`: a finding of the sanitizer as a model, on
// standard output.
//
//===----------------------------------------------------------------------===//

#include "lib/model/FromReport.h"
#include "lib/model/Printer.h"
#include "lib/report/LogReader.h"
#include "tools/atsan/model.h"
#include <iostream>

namespace atsan::tool {

int modelFromReport(const ModelCommand &C) {
  report::Logs All;
  report::readLogs(C.File, All);
  if (!All.Problems.empty())
    throw InputError(All.Problems[0]);
  const finding::Finding *Chosen = nullptr;
  std::string Order;
  for (const finding::Finding &R : All.Reports)
    if (!R.Steps.empty() &&
        (C.Fingerprint.empty() || R.Fingerprint == C.Fingerprint) &&
        (!Chosen || !Order.empty())) {
      Chosen = &R;
      Order = model::orderWithoutConflict(R);
    }
  if (!Chosen)
    throw InputError(C.File +
                     (C.Fingerprint.empty()
                          ? std::string(All.Reports.empty()
                                            ? ": has no report"
                                            : ": no report in it has a cycle") +
                                "; write one with "
                                "ATSAN_OPTIONS=report_format=json:log_path=FILE"
                          : ": no report in it has the fingerprint " +
                                C.Fingerprint +
                                "; 'atsan report' prints fingerprints"));
  if (!Order.empty())
    throw InputError(C.File + ": on the cycle of the finding " +
                     Chosen->Fingerprint + " a " + Order +
                     " settles an order, and a model made of a report has "
                     "conflicts only; write the model by hand");
  std::cout << model::print(model::modelOf(*Chosen));
  return ExitNothingFound;
}

} // namespace atsan::tool
