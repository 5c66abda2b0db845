"""Renders chat templates with Python's Jinja2, set up as the library `transformers` does.

Reads one JSON object a line, {"source": ..., "context": {...}}, from standard input, and writes one a line:
{"text": ..., "spans": [[start, end], ...]} with offsets in UTF-16 code units, or {"error": ..., "line": ...}.
"""
import datetime
import json
import sys

from jinja2 import TemplateError, TemplateSyntaxError, nodes
from jinja2.exceptions import TemplateError as AnyTemplateError
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

OPEN, CLOSE = "\ue000\ue001", "\ue000\ue002"


class Generation(Extension):
    """Marks what a `{% generation %}` block renders."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return nodes.CallBlock(self.call_method("_mark"), [], [], body).set_lineno(line)

    def _mark(self, caller):
        return OPEN + caller() + CLOSE


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def raise_exception(message):
    raise TemplateError(message)


def strftime_now(form):
    return datetime.datetime(2026, 3, 4, 5, 6, 7).strftime(form)


environment = ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
)
environment.filters["tojson"] = tojson
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = strftime_now


def units(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def spans(marked):
    text, found, opened, at = [], [], [], 0
    length = 0
    while at < len(marked):
        if marked.startswith(OPEN, at):
            opened.append(length)
            at += len(OPEN)
        elif marked.startswith(CLOSE, at):
            found.append([opened.pop(), length])
            at += len(CLOSE)
        else:
            text.append(marked[at])
            length += units(marked[at])
            at += 1
    return "".join(text), sorted(found)


for line in sys.stdin:
    work = json.loads(line)
    try:
        text, found = spans(environment.from_string(work["source"]).render(**work["context"]))
        answer = {"text": text, "spans": found}
    except TemplateSyntaxError as error:
        answer = {"error": str(error.message), "line": error.lineno}
    except AnyTemplateError as error:
        answer = {"error": str(error.message)}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
