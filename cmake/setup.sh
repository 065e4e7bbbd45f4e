#===- setup.sh -------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# To be sourced (POSIX sh) by ./demo and ./run-tests, with $root set to the source
# tree. Brings a Debian 12 machine to the point where they can work:
#
#   install_packages <package>...  installs those that are missing; no network
#                                  and no root when none is
#   build_targets <target>...      configures the default preset and builds
#
# Each failure is one message that says what to do. docs/dependencies.md says
# what each package is for.
#
#===------------------------------------------------------------------------===#

build=$root/build

build_packages="clang-19 llvm-19-dev llvm-19-tools libclang-19-dev
  libclang-rt-19-dev lld-19 cmake ninja-build python3 libgtest-dev
  libcli11-dev nlohmann-json3-dev libstdc++-12-dev libc6-dev xz-utils ca-certificates"
# One line each: parts of the work add to them side by side.
test_packages="clang-format-19 clang-tidy-19 binutils dpkg-dev make pkgconf
  python3-jsonschema python3-yaml hyperfine time gnuplot-nox
  libbenchmark-dev
  libzydis-dev
  ccache meson"

fail() {
  printf '%s: error: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# The packages among "$@" that are not installed.
missing_packages() {
  for package in "$@"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || true
    [ "$status" = installed ] || printf ' %s' "$package"
  done
}

install_packages() {
  machine=$(uname -sm)
  [ "$machine" = "Linux x86_64" ] ||
    fail "AtomicitySanitizer supports Linux on x86-64 only; this is $machine"
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    fail "this is no Debian system. Install what docs/dependencies.md lists," \
      "then use cmake --preset default (see README.md)"

  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0

  by_hand="apt-get update && apt-get install --no-install-recommends$missing"
  if [ "$(id -u)" = 0 ]; then
    sudo=
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    sudo="sudo -n"
  else
    fail "packages are missing and this is not root. As root, run:" "$by_hand"
  fi

  printf 'Installing the missing packages:%s\n' "$missing"
  log=$(mktemp)
  # shellcheck disable=SC2086
  if ! { $sudo apt-get -q -o DPkg::Lock::Timeout=300 --error-on=any update &&
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
      -o DPkg::Lock::Timeout=300 install --no-install-recommends $missing; } \
    >"$log" 2>&1 </dev/null; then
    reason=$(sed -n 's/^E: //p' "$log" | head -n 1)
    rm -f "$log"
    fail "the packages could not be installed: $reason. They are those of Debian" \
      "12 (LLVM 19), so its package sources and a network are needed; then, as" \
      "root: $by_hand"
  fi
  rm -f "$log"
}

build_targets() {
  printf 'Building AtomicitySanitizer (minutes the first time) ...\n'
  log=$(mktemp)
  # Configuring again is quick and notices new files. Another source or compiler
  # in the cache comes from a moved or copied tree: start over.
  if [ -f "$build/CMakeCache.txt" ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    rm -rf "$build"
  fi
  (cd "$root" && cmake --preset default) >"$log" || {
    rm -f "$log"
    fail "configuring failed; the reason stands above"
  }
  if ! cmake --build "$build" --target "$@" >"$log" 2>&1; then
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Listing)' "$log" >&2
    rm -f "$log"
    fail "building failed; the reason stands above"
  fi
  # Warnings are for the developer to see.
  grep -A 3 'warning:' "$log" || true
  rm -f "$log"
}
