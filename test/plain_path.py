# ===- plain_path.py ------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Lets tests run in a tree whose path has blanks or quotes in it. lit puts paths
# into RUN lines as they are, and many a Makefile does the same with compilers, so
# there the tree gets a second name.
#
# ===----------------------------------------------------------------------===#

import hashlib
import os
import re
import tempfile


def plain_path(path):
    """The directory under a name that needs no quoting.

    A symbolic link, in a folder of the user's own, when the real name does.
    """
    if re.fullmatch(r"[\w/.+-]+", path, re.ASCII):
        return path
    links = os.path.join(tempfile.gettempdir(), "atsan-test-%d" % os.getuid())
    os.makedirs(links, mode=0o700, exist_ok=True)
    if os.lstat(links).st_uid != os.getuid():
        raise PermissionError("%s belongs to another user; set TMPDIR" % links)
    link = os.path.join(links, hashlib.sha256(path.encode()).hexdigest()[:16])
    try:
        os.symlink(path, link)
    except FileExistsError:
        pass
    return link
