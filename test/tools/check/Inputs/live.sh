# ===- live.sh ------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
#   live.sh ATSAN end|kill
#
# Checks the trace of ./waits while it waits, and after it has ended.
#
# ===----------------------------------------------------------------------===#
set -e
rm -f trace
ATSAN_OPTIONS=trace=trace ./waits <go >on &
exec 3>go
read -r word <on
test "$word" = on
code=0
"$1" check trace || code=$?
test $code = 2
[ "$2" = end ] || kill -9 $!
exec 3>&-
wait $! || [ "$2" = kill ]
"$1" check trace
