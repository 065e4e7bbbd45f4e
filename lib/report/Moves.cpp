//===- Moves.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Moves.h"
#include "lib/report/Markup.h"
#include <algorithm>
#include <sstream>

namespace atsan::report {

/// The steps of an order in words; lib/predict/Predict.cpp joins them.
static std::vector<std::string> stepsOf(const std::string &Order) {
  static const std::string Between = "; ";
  std::vector<std::string> Steps;
  for (size_t Begin = 0; Begin < Order.size();) {
    const size_t End = std::min(Order.find(Between, Begin), Order.size());
    Steps.push_back(Order.substr(Begin, End - Begin));
    Begin = End + Between.size();
  }
  return Steps;
}

/// The end of a step's text, which names its thread.
static std::string threadOf(const std::string &Step) {
  const size_t At = Step.rfind(" of thread ");
  return At == std::string::npos ? Step : Step.substr(At);
}

Moves movesOf(const finding::Finding &F) {
  Moves M;
  M.Steps = stepsOf(F.RecordedOrder);
  std::vector<bool> IsTaken(M.Steps.size());
  for (const std::string &Step : stepsOf(F.ForcedOrder))
    for (size_t I = 0; I != M.Steps.size(); ++I)
      if (!IsTaken[I] && M.Steps[I] == Step) {
        IsTaken[I] = true;
        M.Forced.push_back(I);
        break;
      }
  M.HasMoved.assign(M.Steps.size(), false);
  if (M.Forced.size() != M.Steps.size() || M.Forced.empty())
    return {};
  const std::string Stays = threadOf(M.Steps[M.Forced[0]]);
  std::vector<size_t> Before(M.Steps.size());
  size_t Count = 0;
  for (size_t I = 0; I != M.Steps.size(); ++I) {
    Before[I] = Count;
    Count += threadOf(M.Steps[I]) == Stays;
  }
  Count = 0;
  for (const size_t I : M.Forced) {
    const bool IsOfIt = threadOf(M.Steps[I]) == Stays;
    M.HasMoved[I] = !IsOfIt && Before[I] != Count;
    Count += IsOfIt;
  }
  return M;
}

std::string movesText(const Moves &M) {
  std::string Text;
  for (size_t At = 0; At != M.Forced.size(); ++At) {
    if (!M.HasMoved[M.Forced[At]])
      continue;
    // The neighbours that have stayed.
    size_t Left = At, Right = At;
    while (Left > 0 && M.HasMoved[M.Forced[Left]])
      --Left;
    while (Right + 1 < M.Forced.size() && M.HasMoved[M.Forced[Right]])
      ++Right;
    Text += (Text.empty() ? "" : ", ") + std::to_string(M.Forced[At] + 1) +
            " moved between " + std::to_string(M.Forced[Left] + 1) + " and " +
            std::to_string(M.Forced[Right] + 1);
  }
  return Text;
}

static constexpr size_t kRow = 34, kTop = 44, kLeft = 70, kRight = 230;

static void drawStep(std::ostringstream &Out, const Moves &M, size_t Step,
                     size_t X, size_t Row) {
  const size_t Y = kTop + Row * kRow;
  Out << "<g><title>" << escape(M.Steps[Step]) << "</title><circle class=\""
      << (M.HasMoved[Step] ? "event moved" : "event") << "\" cx=\"" << X
      << "\" cy=\"" << Y << "\" r=\"11\"/><text class=\"thread\" x=\"" << X
      << "\" y=\"" << Y + 4 << "\">" << Step + 1 << "</text></g>\n";
}

std::string drawMoves(const Moves &M) {
  std::ostringstream Out;
  const size_t Bottom = kTop + M.Steps.size() * kRow;
  Out << "<svg role=\"img\" aria-label=\"" << escape(movesText(M))
      << "\" width=\"300\" height=\"" << Bottom << "\" viewBox=\"0 0 300 "
      << Bottom << "\">\n";
  for (const auto &[X, Title] :
       {std::pair(kLeft, "recorded run"), std::pair(kRight, "forced run")})
    Out << "<text class=\"thread\" x=\"" << X << "\" y=\"18\">" << Title
        << "</text><path class=\"lane\" d=\"M" << X << ' ' << kTop << "V"
        << Bottom - kRow << "\"/>\n";
  for (size_t Row = 0; Row != M.Forced.size(); ++Row) {
    const size_t Step = M.Forced[Row];
    Out << "<path class=\"" << (M.HasMoved[Step] ? "arrow" : "lane")
        << "\" d=\"M" << kLeft + 12 << ' ' << kTop + Step * kRow << "L"
        << kRight - 12 << ' ' << kTop + Row * kRow << "\"/>\n";
    drawStep(Out, M, Step, kLeft, Step);
    drawStep(Out, M, Step, kRight, Row);
  }
  Out << "</svg>\n";
  return Out.str();
}

} // namespace atsan::report
