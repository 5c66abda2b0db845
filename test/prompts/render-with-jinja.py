"""Renders templates with Python's Jinja2 as it is set up by default.

Reads one JSON object {"templates": [...], "values": {...}, "parts": {...}} from standard input, and writes a list of texts, or of
null for templates that Jinja2 refuses.
"""
import json
import sys

from jinja2 import DictLoader, Environment
from jinja2.exceptions import TemplateError

given = json.load(sys.stdin)
environment = Environment(loader=DictLoader(given["parts"]))
# Jinja2 drops the line break at the end of a template; that of a body is text.
END = "\x00"


def rendered(template):
    try:
        return environment.from_string(template + END).render(given["values"]).removesuffix(END)
    except (TemplateError, TypeError, ValueError, ZeroDivisionError):
        return None


json.dump([rendered(template) for template in given["templates"]], sys.stdout)
