# ===- plain_shtest.py ----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# lit's shell tests, for a tree that goes by a second name (plain_path.py).
#
# ===----------------------------------------------------------------------===#

import lit.formats


class PlainPathShTest(lit.formats.ShTest):
    """Shell tests that see these roots, which lit would resolve, as they are."""

    def __init__(self, source_root, exec_root, **arguments):
        super().__init__(**arguments)
        self.source_root = source_root
        self.exec_root = exec_root

    def execute(self, test, lit_config):
        test.suite.source_root = self.source_root
        test.suite.exec_root = self.exec_root
        return super().execute(test, lit_config)
