#!/bin/sh
# Stands in for clang: prints its own path and arguments, one on each line.
printf '%s\n' "$0" "$@"
