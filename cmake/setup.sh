#===- setup.sh -------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# To be sourced (POSIX sh) by ./demo and ./run-tests, with $root set to the source
# tree. Brings a machine with Debian 12 or 13, Ubuntu 24.04 or another system with
# their packages to the point where they can work:
#
#   choose_llvm                    which LLVM: sets $llvm and, for it, $build,
#                                  $build_packages and $test_packages
#   use_llvm <major>               sets these for this LLVM
#   has_packages <package>...      whether all are installed or can be
#   install_packages <package>...  installs those that are missing; no network
#                                  and no root when none is
#   build_targets <target>...      configures this LLVM's preset and builds
#
# The environment variable ATSAN_LLVM_MAJOR chooses an LLVM.
#
# Each failure is one message that says what to do. docs/dependencies.md says
# what each package is for.
#
#===------------------------------------------------------------------------===#

# In the order in which choose_llvm asks for them: 19 is tested most.
known_llvms="19 22 21 20"

use_llvm() {
  llvm=$1
  # The folder of the default has the short name.
  build=$root/build
  preset=default
  if [ "$llvm" != 19 ]; then
    build=$root/build-llvm$llvm
    preset=llvm$llvm
  fi
  # clang brings the libstdc++ of the distribution.
  llvm_packages="clang-$llvm llvm-$llvm-dev llvm-$llvm-tools libclang-$llvm-dev
    libclang-rt-$llvm-dev lld-$llvm"
  build_packages="$llvm_packages cmake ninja-build python3 libgtest-dev
    libcli11-dev nlohmann-json3-dev libpugixml-dev libz3-dev libc6-dev xz-utils ca-certificates"
  # One line each: parts of the work add to them side by side.
  tidy=clang-tidy-19
  ! has_packages clang-tidy-22 || tidy=clang-tidy-22 # The quicker one.
  test_packages="clang-format-19 $tidy binutils dpkg-dev make pkgconf
    python3-jsonschema python3-yaml hyperfine time gnuplot-nox
    libbenchmark-dev
    libzydis-dev
    spin graphviz
    ccache meson
    slurm-wlm munge
    gdb strace catch2 doctest-dev
    libconcurrentqueue-dev libreaderwriterqueue-dev libtbb-dev"
  # The form of the sources is that of LLVM 19; with another one, none of the two is
  # looked at.
  [ "$llvm" = 19 ] ||
    test_packages=$(printf %s "$test_packages" | sed 's/clang-format-19//; s/clang-tidy-[0-9]*//')
}

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

# The packages among "$@" that neither are installed nor can be: apt-cache has no
# version of them.
unknown_packages() {
  for package in $(missing_packages "$@"); do
    LC_ALL=C apt-cache policy "$package" 2>/dev/null |
      grep -q '^  Candidate: [^(]' || printf ' %s' "$package"
  done
}

has_packages() {
  [ -z "$(unknown_packages "$@")" ]
}

need_debian() {
  machine=$(uname -sm)
  [ "$machine" = "Linux x86_64" ] ||
    fail "AtomicitySanitizer supports Linux on x86-64 only; this is $machine"
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    fail "this is no Debian system. Install what docs/dependencies.md lists," \
      "then use cmake --preset default (see README.md)"
}

# A new machine has no lists of packages yet.
update_lists() {
  ! has_packages clang || return 0
  as_root apt-get -q -o DPkg::Lock::Timeout=300 --error-on=any update \
    >/dev/null 2>&1 </dev/null || true
}

# as_root <command>...: fails where this is not root and cannot be.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    command -v sudo >/dev/null && sudo -n "$@"
  fi
}

choose_llvm() {
  need_debian
  update_lists
  if [ -n "${ATSAN_LLVM_MAJOR-}" ]; then
    case " $known_llvms " in
    *" $ATSAN_LLVM_MAJOR "*) ;;
    *) fail "ATSAN_LLVM_MAJOR is '$ATSAN_LLVM_MAJOR', but AtomicitySanitizer works" \
      "with LLVM 19, 20, 21 or 22: give one of these, or none" ;;
    esac
    use_llvm "$ATSAN_LLVM_MAJOR"
    return
  fi
  for major in $known_llvms; do
    use_llvm "$major"
    # shellcheck disable=SC2086
    ! has_packages $llvm_packages || return 0
  done
  use_llvm 19
  # Without any list it is not known what can be had; install_packages will say
  # what to do.
  has_packages clang || return 0
  # shellcheck disable=SC2086
  fail "no LLVM that AtomicitySanitizer works with (19, 20, 21 or 22) can be had" \
    "from this system's package sources. Of LLVM 19 they lack:$(unknown_packages \
    $llvm_packages). Debian 12 and 13 and Ubuntu 24.04 (with 'universe') have them;" \
    "elsewhere add the package source of https://apt.llvm.org, or build with" \
    "cmake -DATSAN_LLVM_MAJOR= and -DLLVM_DIR= (docs/dependencies.md)"
}

install_packages() {
  need_debian
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0

  by_hand="apt-get update && apt-get install --no-install-recommends$missing"
  as_root true 2>/dev/null ||
    fail "packages are missing and this is not root. As root, run:" "$by_hand"

  printf 'Installing the missing packages:%s\n' "$missing"
  log=$(mktemp)
  # shellcheck disable=SC2086
  if ! { as_root apt-get -q -o DPkg::Lock::Timeout=300 --error-on=any update &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
      -o DPkg::Lock::Timeout=300 install --no-install-recommends $missing; } \
    >"$log" 2>&1 </dev/null; then
    reason=$(sed -n 's/^E: //p' "$log" | head -n 1)
    rm -f "$log"
    # shellcheck disable=SC2086
    unknown=$(unknown_packages $missing)
    fail "the packages could not be installed: $reason." \
      ${unknown:+"The package sources of this system lack:$unknown."} \
      "They are those of Debian 12 and 13 and Ubuntu 24.04, so package sources" \
      "that have them and a network are needed; then, as root: $by_hand"
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
  (cd "$root" && cmake --preset "$preset") >"$log" || {
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
