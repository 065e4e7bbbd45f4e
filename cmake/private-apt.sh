#===- private-apt.sh -------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# To be sourced (POSIX sh): an apt that knows the system's package sources as
# *source* packages. Sources, lists and caches of its own lie in a folder of the
# caller's; the system's apt configuration is only read. No root needed.
#
#===------------------------------------------------------------------------===#

# private_apt_setup <folder>: writes <folder>/apt.conf, for `apt-get -c`.
private_apt_setup() {
  mkdir -p "$1/sources.d" "$1/lists/partial" "$1/cache/archives/partial"

  # The system's package sources, asked for source packages instead. Both formats.
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] || continue
    sed -E 's/^[Tt]ypes:.*/Types: deb-src/' "$file" \
      >"$1/sources.d/$(basename "$file")"
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] || continue
    sed -nE 's/^[[:space:]]*deb(-src)?[[:space:]]+/deb-src /p' "$file" | sort -u \
      >"$1/sources.d/main-$(basename "$file" .list).list"
  done

  # Read after the system's configuration: proxies and keys stay, hooks that look
  # after the system's own lists go. As root, apt would switch to a user who
  # cannot reach every folder.
  cat >"$1/apt.conf" <<APT_CONF
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Sandbox::User "root";
APT::Get::List-Cleanup "false";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$1/sources.d";
Dir::State::lists "$1/lists";
Dir::Cache "$1/cache";
Dir::Cache::archives "$1/cache/archives";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Acquire::Languages "none";
Acquire::Retries "3";
APT_CONF
}
