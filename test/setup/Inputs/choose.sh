#!/bin/sh
# usage: choose.sh <source tree> <list of packages> <installed>
#
# What cmake/setup.sh would build with and install, on a system that has the
# packages of the first file, and on which those of the second are installed.
set -eu

root=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$2" "$folder/available"
cp "$3" "$folder/installed"

cat >"$folder/apt-cache" <<'FAKE'
#!/bin/sh
[ "$1" = policy ] || exit 1
grep -qxF "$2" "$(dirname "$0")/available" || {
  grep -q . "$(dirname "$0")/available" || exit 0
  printf '%s:\n  Installed: (none)\n  Candidate: (none)\n' "$2"
  exit 0
}
printf '%s:\n  Installed: (none)\n  Candidate: 1:2.3-4\n' "$2"
FAKE
cat >"$folder/dpkg-query" <<'FAKE'
#!/bin/sh
grep -qxF "$4" "$(dirname "$0")/installed" || exit 1
printf installed
FAKE
# Without root, and with nobody who could become root.
printf '#!/bin/sh\nexit 1\n' >"$folder/sudo"
printf '#!/bin/sh\nexit 1\n' >"$folder/apt-get"
printf '#!/bin/sh\necho 1000\n' >"$folder/id"
chmod +x "$folder"/*
PATH=$folder:$PATH

. "$root/cmake/setup.sh"
choose_llvm
printf 'LLVM %s in %s by %s\n' "$llvm" "${build#"$root"/}" "$preset"
# shellcheck disable=SC2086
install_packages $build_packages
# shellcheck disable=SC2086
printf 'without:%s\n' "$(missing_packages $test_packages)"
