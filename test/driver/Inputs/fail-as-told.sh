#!/bin/sh
# Stands in for clang: exits with the code given, or dies by a signal.
if [ "$1" = crash ]; then
  kill -SEGV $$
fi
exit "$1"
