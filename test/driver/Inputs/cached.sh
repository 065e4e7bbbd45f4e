# ===- cached.sh ----------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
#   cached.sh MODE COMPILER
#
# Compiles a.c by ccache in this mode, with lists that change. Each object must be
# the one that the compiler makes by itself.
#
# ===----------------------------------------------------------------------===#
set -e
mode=$1
shift
export CCACHE_DIR="$PWD/cache.$mode" CCACHE_CONFIGPATH=/dev/null
export CCACHE_COMPILERCHECK=content
case $mode in
NODIRECT) export CCACHE_NODIRECT=1 ;;
DEPEND) export CCACHE_DEPEND=1 ;;
NOCPP2) export CCACHE_NOCPP2=1 ;;
esac

count() {
  ccache --print-stats | awk -v name="$1" '$1 == name { print $2 }'
}

hits() {
  echo $(($(count direct_cache_hit) + $(count preprocessed_cache_hit)))
}

# expect HITS OPTION...: the object is right; so many hits so far.
expect() {
  wanted=$1
  shift
  "$@" -MD -MF a.d -c a.c -o direct.o
  ccache "$@" -MD -MF a.d -c a.c -o cached.o
  cmp direct.o cached.o
  [ "$(hits)" = "$wanted" ] || {
    echo "$mode: $(hits) hits instead of $wanted: $*" >&2
    exit 1
  }
}

list='in puts/list.txt'
for option in "-fatomicity-regions=list:$list" "-fatomicity-exclude=$list"; do
  set -- "$@" -fsanitize=atomicity -O1 -fatomicity-regions=exported "$option"
  rm -rf "$CCACHE_DIR"
  echo 'one' >"$list"
  # Newer files are not trusted to stay as they are.
  touch -d '1 hour ago' a.c "$list"
  expect 0 "$@"
  expect 1 "$@"
  echo 'two' >"$list"
  touch -d '50 minutes ago' "$list"
  expect 1 "$@"
  expect 2 "$@"
  echo 'one' >"$list"
  touch -d '40 minutes ago' "$list"
  expect 3 "$@"
done

# All of several lists count.
for number in 1 2 3 4 5 6; do
  echo "none$number" >"list$number"
  touch -d '1 hour ago' "list$number"
  set -- "$@" "-fatomicity-exclude=list$number"
done
before=$(hits)
expect "$before" "$@"
expect $((before + 1)) "$@"
echo 'two' >list6
touch -d '50 minutes ago' list6
expect $((before + 1)) "$@"
