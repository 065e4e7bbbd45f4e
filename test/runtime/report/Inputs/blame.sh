#!/bin/sh
# usage: blame.sh PROGRAM ATSAN < blame.cpp: runs each SHAPE, and compares whom
# it blames with the text and the JSON of the report and with `atsan check`.
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -u
program=$1 atsan=$2 shapes=0 wrong=0

# The regions of the verdict of a report, or of a check.
verdict() {
  sed -n "/ is not atomic/p;/^These regions/,/^At least/p" | grep -o "[Rr]egion '[a-c]'" | tidy
}
tidy() { cut -d"'" -f2 | sort | tr -d '\n'; }

look() {
  expected=$1
  shift
  ATSAN_OPTIONS="trace='$program.trace'" "$program" "$@" > "$program.text" 2>&1
  text=$(verdict < "$program.text")
  json=$(ATSAN_OPTIONS=report_format=json "$program" "$@" 2>&1 |
         grep -o "\"title\":\"region '[a-c]'\",[^{]*\"blamed\":true" | grep -o "region '.'" | tidy)
  check=$("$atsan" check "$program.trace" | verdict)
  shapes=$((shapes + 1))
  test "$expected $expected $expected" = "${text:--} ${json:--} ${check:--}" && return
  echo "$*: expected $expected; text ${text:--}, json ${json:--}, check ${check:--}"
  wrong=$((wrong + 1))
}

while read -r line; do
  case $line in
  "// SHAPE "*)
    line=${line#// SHAPE }
    look "${line%%:*}" ${line#*: } ;;
  esac
done
test $wrong = 0 && echo "$shapes shapes, as expected"
