# A script of bench/ as a module. Its folder is the first argument.
import importlib.machinery
import importlib.util
import os
import sys


def load(name):
    path = os.path.join(sys.argv[1], name)
    loader = importlib.machinery.SourceFileLoader(name, path)
    spec = importlib.util.spec_from_loader(name, loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module
