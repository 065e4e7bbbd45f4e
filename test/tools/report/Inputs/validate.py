# ===- validate.py --------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Checks that files are what they should be.

    validate.py json SCHEMA FILE...   valid by a JSON schema
    validate.py log SCHEMA FILE...    so is each line that begins a report
                                      (or by atsan-process-1, a record)
    validate.py xml FILE...           well-formed XML
    validate.py page FILE...          well-formed HTML, without scripts and
                                      without anything from elsewhere; each
                                      link within the page leads somewhere
"""

import html.parser
import json
import pathlib
import sys
import xml.etree.ElementTree

import jsonschema

VOID = {"meta", "br"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.links, self.ids = [], set(), set()

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        assert tag not in ("script", "link", "img", "iframe", "object"), tag
        for name, value in attrs:
            assert not name.startswith("on") and name != "src", name
            if name == "href":
                assert value.startswith("#"), value
                self.links.add(value[1:])
            if name == "id":
                assert value not in self.ids, value
                self.ids.add(value)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag, tag

    def check(self, text):
        assert "url(" not in text and "@import" not in text
        self.feed(text)
        self.close()
        assert not self.open, self.open
        assert self.links <= self.ids, self.links - self.ids


def validator(schema_file):
    schema = json.loads(read(schema_file))
    jsonschema.Draft7Validator.check_schema(schema)
    # Schemas name others that are beside them.
    names = pathlib.Path(schema_file).parent.glob("*.schema.json")
    others = {name.name: json.loads(read(name)) for name in names}
    resolver = jsonschema.RefResolver(schema.get("$id", ""), schema, store=others)
    return jsonschema.Draft7Validator(schema, resolver=resolver)


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def main():
    kind, *names = sys.argv[1:]
    if kind in ("json", "log"):
        schema_file = names.pop(0)
        check = validator(schema_file).validate
    if kind == "log":
        # Beside it.
        process_schema = schema_file.replace("atsan-report-2", "atsan-process-1")
        check_process = validator(process_schema).validate
    assert names, "no file"
    for name in names:
        text = read(name)
        if kind == "json":
            check(json.loads(text))
        elif kind == "log":
            lines = [l for l in text.splitlines() if l.startswith('{"schema"')]
            assert lines, "no report"
            for line in lines:
                of_process = line.startswith('{"schema":"atsan-process-')
                (check_process if of_process else check)(json.loads(line))
        elif kind == "xml":
            xml.etree.ElementTree.fromstring(text)
        else:
            assert kind == "page", kind
            Page().check(text)


if __name__ == "__main__":
    main()
