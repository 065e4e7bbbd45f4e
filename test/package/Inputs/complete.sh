# ===- complete.sh --------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
#   complete.sh PREFIX FILE WORD...
#
# What bash would offer for the last word, by the completion in FILE.
#
# ===----------------------------------------------------------------------===#
prefix=$1
. "$prefix/share/bash-completion/completions/$2"
shift 2
COMP_WORDS=("$prefix/bin/$1" "${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
# It works within a completion only.
compopt() { :; }
function=_${1//-/_}
"$function"
printf '%s\n' "${COMPREPLY[@]}"
