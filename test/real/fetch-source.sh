#!/bin/sh
#===- fetch-source.sh ------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# usage: fetch-source.sh <destination> <source package>
#
# Puts the upstream sources of a Debian source package (the version that the
# system's distribution has; apt checks signatures and hashes) into <destination>.
# Does nothing, and uses no network, when they are there already. No root needed.
# <destination> appears under its name only when it is complete.
#
#===------------------------------------------------------------------------===#

set -eu

destination=$1
package=$2

fail() {
  printf 'fetch-source: error: %s\n' "$*" >&2
  exit 1
}

[ ! -d "$destination" ] || exit 0
command -v apt-get >/dev/null ||
  fail "apt-get is not installed, so the source package $package cannot be" \
    "fetched; unpack its upstream sources into $destination yourself"

parent=$(dirname "$destination")
mkdir -p "$parent" || fail "cannot create the folder $parent"
work=$(mktemp -d "$parent/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

. "$(dirname "$0")/../../cmake/private-apt.sh"
private_apt_setup "$work"
mkdir "$work/download" "$work/unpacked"

# A source without source packages makes the update fail; another may serve.
apt-get -c "$work/apt.conf" -q update >"$work/log" 2>&1 || true
(cd "$work/download" && apt-get -c "$work/apt.conf" -q source --download-only \
  --tar-only --only-source "$package") >>"$work/log" 2>&1 || {
  grep -E '^(E|Err)' "$work/log" | head -n 5 >&2 || true
  fail "the source package $package could not be downloaded; unpack its" \
    "upstream sources into $destination yourself"
}
set -- "$work/download/$package"_*.orig.tar.*
[ -f "$1" ] || fail "the source package $package has no upstream tarball"
tar -xf "$1" -C "$work/unpacked" --strip-components=1 --no-same-owner ||
  fail "$(basename "$1") could not be unpacked (is the disk full?)"
basename "$1" >"$work/unpacked/.atsan-fetched-from"
mv "$work/unpacked" "$destination"
