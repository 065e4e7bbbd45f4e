//===- Json.cpp -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/finding/Json.h"

using namespace atsan::finding;
using nlohmann::ordered_json;

namespace {

/// An index into an array of \p Size members.
std::optional<size_t> readIndex(const Object &From, const char *Key,
                                size_t Size) {
  std::optional<uint64_t> Value = From.number(Key);
  if (Value && *Value >= Size)
    From.fail(std::string("has a '") + Key + "' that does not exist");
  return Value;
}

Event readEvent(const Object &From, const Finding &Of) {
  Event Out;
  Out.Role = From.requiredString("role");
  if (Out.Role == "operation") // What it is says more.
    Out.Role = From.requiredString("operation");
  Out.Other = From.number("other_thread");
  Out.Number = From.number("event").value_or(0);
  Out.Location = From.string("location");
  Out.Thread = From.number("thread");
  Out.Transaction = From.requiredNumber("transaction");
  Out.Region = readIndex(From, "region", Of.Regions.size());
  Out.Access = From.string("access");
  Out.Size = From.number("size").value_or(0);
  Out.Address = From.string("address");
  Out.IsBegin = From.flag("is_begin");
  Out.Memory = readIndex(From, "memory", Of.Objects.size());
  Out.Frames = readStack(From, "stack");
  Out.LeftOut = From.string("left_out");
  return Out;
}

void readCycle(const Object &From, Finding &Out) {
  From.each("regions", [&](const Object &O) {
    Region R;
    R.Number = O.number("event").value_or(0);
    R.Location = O.string("location");
    R.Name = O.string("name");
    R.Title = O.requiredString("title");
    R.Thread = O.requiredNumber("thread");
    R.Run = O.number("run").value_or(0);
    R.Blamed = O.flag("blamed");
    R.Begin = readStack(O, "begin");
    R.Frame = readIndex(O, "frame", R.Begin.size());
    R.Split = readStack(O, "split");
    Out.Regions.push_back(std::move(R));
  });
  From.each("memory", [&](const Object &O) {
    Memory M;
    M.Address = O.string("address");
    M.Kind = O.requiredString("kind");
    M.Label = O.requiredString("label");
    M.Name = O.string("name");
    M.File = O.string("file");
    M.Line = readPosition(O, "line");
    M.Allocation = readStack(O, "allocation");
    Out.Objects.push_back(std::move(M));
  });
  From.each("steps", [&](const Object &O) {
    Event First = readEvent(O.object("first"), Out);
    Event Later = readEvent(O.object("later"), Out);
    Out.Steps.push_back({std::move(First), std::move(Later), O.string("why")});
  });
}

} // namespace

Finding atsan::finding::fromJson(const Object &From) {
  Finding Out;
  Out.Kind = From.requiredString("kind");
  Out.Message = From.requiredString("message");
  Out.Fingerprint = From.requiredString("fingerprint");
  Out.Notion = From.string("notion");
  Out.Shape = From.string("shape");
  Out.Suppression = From.string("suppression");
  if (From.has("summary"))
    Out.Summary = readFrame(From.object("summary"));
  From.each("threads", [&](const Object &O) {
    Thread T;
    T.Id = O.requiredNumber("id");
    T.Name = O.string("name");
    T.Label = O.string("label");
    T.Parent = O.number("parent");
    T.Child = O.number("child").value_or(0);
    T.Creation = readStack(O, "creation");
    Out.Threads.push_back(std::move(T));
  });
  readCycle(From, Out);
  Out.Notes = From.strings("notes");
  if (From.has("prediction")) {
    const Object Prediction = From.object("prediction");
    Out.RecordedOrder = Prediction.string("recorded");
    Out.ForcedOrder = Prediction.string("forced");
  }
  From.each("operations", [&](const Object &O) {
    Operation New;
    New.Thread = O.requiredNumber("thread");
    New.What = O.requiredString("operation");
    New.Call = O.requiredNumber("call");
    New.Return = O.number("return");
    New.IsCore = O.flag("core");
    New.IsOffending = O.flag("offending");
    New.Frames = readStack(O, "stack");
    Out.Operations.push_back(std::move(New));
  });
  Out.Use = readStack(From, "stack");
  return Out;
}

static void put(ordered_json &To, const char *Key, const std::string &Text) {
  if (!Text.empty())
    To[Key] = Text;
}

static void put(ordered_json &To, const char *Key, uint64_t Number) {
  if (Number)
    To[Key] = Number;
}

template <class T>
static void put(ordered_json &To, const char *Key,
                const std::optional<T> &Number) {
  if (Number)
    To[Key] = *Number;
}

static ordered_json toJson(const Frame &F) {
  ordered_json J = ordered_json::object();
  put(J, "function", F.Function);
  put(J, "file", F.File);
  put(J, "line", F.Line);
  put(J, "column", F.Column);
  put(J, "module", F.Module);
  put(J, "offset", F.Offset);
  return J;
}

static void put(ordered_json &To, const char *Key, const Stack &Frames) {
  for (const Frame &F : Frames)
    To[Key].push_back(toJson(F));
}

static ordered_json toJson(const Event &E) {
  ordered_json J;
  J["role"] = E.Role;
  put(J, "event", E.Number);
  put(J, "thread", E.Thread);
  J["transaction"] = E.Transaction;
  put(J, "region", E.Region);
  put(J, "access", E.Access);
  if (!E.Access.empty())
    J["size"] = E.Size;
  put(J, "address", E.Address);
  if (!E.Address.empty())
    J["is_begin"] = E.IsBegin;
  put(J, "memory", E.Memory);
  put(J, "other_thread", E.Other);
  put(J, "location", E.Location);
  put(J, "stack", E.Frames);
  put(J, "left_out", E.LeftOut);
  return J;
}

static ordered_json toJson(const Step &S) {
  ordered_json J = {{"first", toJson(S.First)}, {"later", toJson(S.Later)}};
  put(J, "why", S.Why);
  return J;
}

static ordered_json toJson(const Region &R) {
  ordered_json J;
  put(J, "event", R.Number);
  put(J, "name", R.Name);
  J["title"] = R.Title;
  J["thread"] = R.Thread;
  put(J, "run", R.Run);
  J["blamed"] = R.Blamed;
  put(J, "location", R.Location);
  put(J, "begin", R.Begin);
  put(J, "frame", R.Frame);
  put(J, "split", R.Split);
  return J;
}

static ordered_json toJson(const Memory &M) {
  ordered_json J;
  put(J, "address", M.Address);
  J["kind"] = M.Kind;
  J["label"] = M.Label;
  put(J, "name", M.Name);
  put(J, "file", M.File);
  put(J, "line", M.Line);
  put(J, "allocation", M.Allocation);
  return J;
}

static ordered_json toJson(const Thread &T) {
  ordered_json J;
  J["id"] = T.Id;
  put(J, "name", T.Name);
  put(J, "label", T.Label);
  put(J, "parent", T.Parent);
  put(J, "child", T.Child);
  put(J, "creation", T.Creation);
  return J;
}

static ordered_json numberOrNull(uint64_t Number) {
  return Number ? ordered_json(Number) : ordered_json();
}

static ordered_json toJson(const Witness &W) {
  ordered_json J = {{"order", W.Order},
                    {"constraints", ordered_json::array()},
                    {"changed_reads", ordered_json::array()}};
  for (const auto &[First, Later] : W.Constraints)
    J["constraints"].push_back({{"first", First}, {"later", Later}});
  for (const ChangedRead &R : W.ChangedReads)
    J["changed_reads"].push_back({{"read", R.Read},
                                  {"was", numberOrNull(R.Was)},
                                  {"would", numberOrNull(R.Would)}});
  if (!W.ChangedTries.empty())
    J["changed_tries"] = W.ChangedTries;
  return J;
}

static ordered_json toJson(const Operation &O) {
  ordered_json J;
  J["thread"] = O.Thread;
  J["operation"] = O.What;
  J["call"] = O.Call;
  put(J, "return", O.Return);
  J["core"] = O.IsCore;
  J["offending"] = O.IsOffending;
  put(J, "stack", O.Frames);
  return J;
}

template <class T> static ordered_json toJson(const std::vector<T> &Parts) {
  ordered_json J = ordered_json::array();
  for (const T &Part : Parts)
    J.push_back(toJson(Part));
  return J;
}

ordered_json atsan::finding::toJson(const Finding &F) {
  ordered_json J;
  J["kind"] = F.Kind;
  J["message"] = F.Message;
  J["fingerprint"] = F.Fingerprint;
  J["notion"] = F.Notion;
  put(J, "shape", F.Shape);
  if (F.Summary)
    J["summary"] = ::toJson(*F.Summary);
  put(J, "suppression", F.Suppression);
  if (!F.Steps.empty())
    J["steps"] = ::toJson(F.Steps);
  if (F.Operations.empty()) {
    J["regions"] = ::toJson(F.Regions);
    J["memory"] = ::toJson(F.Objects);
  } else
    J["operations"] = ::toJson(F.Operations);
  J["threads"] = ::toJson(F.Threads);
  if (!F.Notes.empty())
    J["notes"] = F.Notes;
  if (F.Predicted)
    J["witness"] = ::toJson(*F.Predicted);
  return J;
}

std::string atsan::finding::toText(const ordered_json &J) {
  return J.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

std::string atsan::finding::toLine(const ordered_json &J) {
  return J.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}
