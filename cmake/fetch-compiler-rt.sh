#!/bin/sh
#===- fetch-compiler-rt.sh -------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# usage: fetch-compiler-rt.sh <destination> <LLVM version, 19.1.7 or 19>
#
# Puts the compiler-rt sources of that LLVM version (of a major version alone: of
# the newest one that there is; sanitizer_common and what it
# needs, and ThreadSanitizer's tests, for test/tsan) into <destination>, from the
# distribution's source package llvm-toolchain-<major>; apt checks signatures and
# hashes. Does nothing, and uses no network, when they are there already.
#
# The system's apt configuration is only read: sources, lists and caches of our
# own lie beside <destination> for as long as this takes. No root needed.
# <destination> appears under its name only when it is complete.
#
#===------------------------------------------------------------------------===#

set -eu

destination=$1
version=$2
# What is fetched: a folder that lacks parts is fetched anew.
parts="with ThreadSanitizer's tests and their headers"
package=llvm-toolchain-${version%%.*}
# Not part of the sources: which version was fetched.
stamp=$destination/atsan-fetched-version

fail() {
  printf 'fetch-compiler-rt: error: %s\n' "$*" >&2
  exit 1
}

have_it() {
  [ -f "$stamp" ] || return 1
  case $(cat "$stamp") in
  "$version $parts" | "$version".*" $parts") return 0 ;;
  esac
  return 1
}

first_error() {
  sed -n 's/^E: //p' "$work/log" | head -n 1
}

have_it && exit 0

# Two builds that start together shall fetch once.
parent=$(dirname "$destination")
mkdir -p "$parent" || fail "cannot create the folder $parent"
exec 9>"$parent/.lock" || fail "cannot write into $parent"
flock 9
have_it && exit 0

for tool in apt-get apt-cache tar xz; do
  command -v "$tool" >/dev/null ||
    fail "'$tool' is not installed, so the source package $package cannot be" \
      "fetched; set ATSAN_COMPILER_RT_SOURCE_DIR to the compiler-rt folder of" \
      "LLVM $version instead"
done

work=$(mktemp -d "$parent/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

. "$(dirname "$0")/private-apt.sh"
private_apt_setup "$work"
mkdir -p "$work/download"

printf 'Fetching the compiler-rt sources of LLVM %s (about 165 MB, once) ...\n' \
  "$version" >&2
# A source without source packages makes the update fail; another may serve.
apt-get -c "$work/apt.conf" -q --error-on=any update \
  >"$work/log" 2>&1 || updated=no

# Every revision of the package has the same upstream sources: take the newest.
revision=$(apt-cache -c "$work/apt.conf" showsrc --only-source "$package" \
  2>>"$work/log" | sed -nE 's/^Version: //p' |
  grep -E "^([0-9]+:)?$(printf %s "$version" | sed 's/\./\\./g')[-~+.]" |
  sort -V | tail -n 1) || true
if [ -z "$revision" ]; then
  if [ "${updated-yes}" = no ]; then
    fail "the system's package sources could not be read (is there a network?)." \
      "apt says: $(first_error)"
  fi
  fail "the system's package sources have no $package $version; if it is the" \
    "version of the installed LLVM, bring LLVM up to date, or set" \
    "ATSAN_COMPILER_RT_SOURCE_DIR to the compiler-rt folder of LLVM $version"
fi

(cd "$work/download" && apt-get -c "$work/apt.conf" -q source --download-only \
  --tar-only --only-source "$package=$revision") >"$work/log" 2>&1 || {
  fail "the source package $package $revision could not be downloaded." \
    "apt says: $(first_error)"
}
set -- "$work/download/$package"_*.orig.tar.*
[ -f "$1" ] || fail "the source package $package $revision has no upstream tarball"

mkdir "$work/unpacked"
tar -xf "$1" -C "$work/unpacked" --strip-components=2 --no-same-owner \
  --wildcards --no-wildcards-match-slash \
  '*/compiler-rt/LICENSE.TXT' '*/compiler-rt/include' \
  '*/compiler-rt/lib/interception' '*/compiler-rt/lib/sanitizer_common' \
  '*/compiler-rt/test/tsan' '*/compiler-rt/test/sanitizer_common/*.h' ||
  fail "$(basename "$1") could not be unpacked (is the disk full?)"
upstream=$(printf %s "$revision" | sed -E 's/^[0-9]+://; s/[-~+].*//')
printf '%s\n' "$upstream $parts" >"$work/unpacked/$(basename "$stamp")"

rm -rf "$destination"
mv "$work/unpacked" "$destination"
