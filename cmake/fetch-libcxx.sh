#!/bin/sh
#===- fetch-libcxx.sh ------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# usage: fetch-libcxx.sh <destination> <LLVM's major version, e.g. 19>
#
# Unpacks the distribution's libc++ into <destination>, for the tests that compile
# with -stdlib=libc++. It is not installed: its cxxabi.h would hide libstdc++'s
# from who includes LLVM's headers. Does nothing, and uses no network, when it is
# there already. <destination> appears under its name only when it is complete.
#
#===------------------------------------------------------------------------===#

set -eu

destination=$1
major=$2

[ -d "$destination" ] && exit 0

parent=$(dirname "$destination")
mkdir -p "$parent"
work=$(mktemp -d "$parent/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

printf 'Fetching libc++ %s (about 2 MB, once) ...\n' "$major" >&2
if ! (cd "$work" && apt-get -q -o APT::Sandbox::User=root download \
  "libc++-$major-dev" "libc++1-$major" "libc++abi-$major-dev" \
  "libc++abi1-$major" "libunwind-$major" "libunwind-$major-dev") \
  >"$work/log" 2>&1; then
  printf 'fetch-libcxx: error: libc++ %s could not be downloaded. apt says: %s\n' \
    "$major" "$(sed -n 's/^E: //p' "$work/log" | head -n 1)" >&2
  exit 1
fi
for package in "$work"/*.deb; do
  dpkg-deb -x "$package" "$work/unpacked"
done
mv "$work/unpacked" "$destination"
