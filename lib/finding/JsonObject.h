//===- JsonObject.h ---------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Objects of JSON that somebody else wrote: each member is there and of its
// type, or the error says where it is not.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_FINDING_JSONOBJECT_H
#define ATSAN_FINDING_JSONOBJECT_H

#include "lib/finding/Finding.h"
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace atsan::finding {

struct FormatError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A JSON object at a place in a report, which errors name.
class Object {
public:
  Object(const nlohmann::json &Value, std::string Path)
      : Value(Value), Path(std::move(Path)) {
    if (!Value.is_object())
      fail("is no object");
  }

  std::string string(const char *Key) const {
    const nlohmann::json *Member = find(Key);
    return Member ? read<std::string>(*Member, Key, Member->is_string())
                  : std::string();
  }
  std::string requiredString(const char *Key) const {
    require(Key);
    return string(Key);
  }
  std::optional<uint64_t> number(const char *Key) const {
    const nlohmann::json *Member = find(Key);
    if (!Member)
      return std::nullopt;
    return read<uint64_t>(*Member, Key, Member->is_number_unsigned());
  }
  uint64_t requiredNumber(const char *Key) const {
    require(Key);
    return *number(Key);
  }
  bool flag(const char *Key) const {
    const nlohmann::json *Member = find(Key);
    return Member && read<bool>(*Member, Key, Member->is_boolean());
  }
  /// Calls Function(Object) for each member of an array, which may be missing.
  template <class T> void each(const char *Key, T Function) const {
    const nlohmann::json *Member = find(Key);
    if (!Member)
      return;
    if (!Member->is_array())
      fail(std::string("has a '") + Key + "' that is no array");
    for (size_t I = 0; I < Member->size(); ++I)
      Function(
          Object((*Member)[I], child(Key) + '[' + std::to_string(I) + ']'));
  }
  /// An array of strings, which may be missing.
  std::vector<std::string> strings(const char *Key) const {
    std::vector<std::string> Texts;
    const nlohmann::json *Member = find(Key);
    if (Member && !Member->is_array())
      fail(std::string("has a '") + Key + "' that is no array");
    for (size_t I = 0; Member && I < Member->size(); ++I)
      Texts.push_back(
          read<std::string>((*Member)[I], Key, (*Member)[I].is_string()));
    return Texts;
  }
  Object object(const char *Key) const {
    require(Key);
    return Object(*find(Key), child(Key));
  }
  bool has(const char *Key) const { return find(Key); }

  [[noreturn]] void fail(const std::string &What) const {
    throw FormatError((Path.empty() ? "the report" : "its " + Path) + ' ' +
                      What);
  }

private:
  const nlohmann::json *find(const char *Key) const {
    auto Found = Value.find(Key);
    return Found == Value.end() ? nullptr : &*Found;
  }
  void require(const char *Key) const {
    if (!find(Key))
      fail(std::string("has no '") + Key + "'");
  }
  template <class T>
  T read(const nlohmann::json &Member, const char *Key, bool HasType) const {
    if (!HasType)
      fail(std::string("has a '") + Key + "' of a wrong type");
    return Member.get<T>();
  }
  std::string child(const char *Key) const {
    return Path.empty() ? Key : Path + '.' + Key;
  }

  const nlohmann::json &Value;
  std::string Path;
};

/// The number of a line or column; 0 if there is none.
unsigned readPosition(const Object &From, const char *Key);
/// The frames of the array \p Key, which may be missing.
Stack readStack(const Object &From, const char *Key);
/// One frame.
Frame readFrame(const Object &From);

} // namespace atsan::finding

#endif
