# ===- check_links.py -----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Names the links of Markdown files below folders that lead nowhere.

    check_links.py FOLDER...
"""

import pathlib
import re
import sys


def main():
    files = [f for d in sys.argv[1:] for f in pathlib.Path(d).rglob("*.md")]
    assert files, "no documentation"
    bad = []
    for file in files:
        text = re.sub(r"```.*?```|`[^`\n]+`", "", file.read_text("utf-8"), flags=re.S)
        for link in re.findall(r"\]\(([^)#\s]+)", text):
            if "://" not in link and not (file.parent / link).exists():
                bad.append("%s: %s leads nowhere" % (file, link))
    sys.exit("\n".join(bad) or 0)


main()
