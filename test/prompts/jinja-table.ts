/** Templates of the kind that people write in prompts, with the values that they are filled with. */

/** The values of all templates. */
export const values = {
  name: 'Ada Lovelace',
  city: 'oslo',
  n: 3,
  zero: 0,
  price: 9.5,
  flag: true,
  off: false,
  empty: '',
  nothing: null,
  text: '  two  words ',
  lines: 'first\nsecond\n\nthird',
  items: ['pen', 'paper', 'ink'],
  numbers: [3, 1, 2, 3],
  none_left: [],
  user: { name: 'Bo', age: 41, tags: ['new', 'vip'], address: { city: 'Rome' } },
  orders: [
    { id: 'A1', total: 12.5, items: ['pen'], status: 'open' },
    { id: 'B2', total: 3, items: ['paper', 'ink'], status: 'done' },
    { id: 'C3', total: 40.25, items: [], status: 'open' },
  ],
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello!' },
  ],
  date: '2026-03-04',
  greek: 'Ωμέγα 😀',
}

/** The parts that templates include. */
export const parts: Readonly<Record<string, string>> = {
  'style.md': 'Be brief, {{ name }}.\n',
  'list.md': '{% for item in items %}\n- {{ item }}\n{% endfor %}',
  'sets.md': '{% set name = "inner" %}{{ name }}',
  'nested.md': '[{% include "style.md" %}]\n\n',
  'empty.md': '',
  'trimmed.md': '\n\n{{- name -}}\n\n',
}

const outputs = `
{{ name }}
{{name}}
{{ user.name }} {{ user['name'] }} {{ user["address"].city }}
{{ items[0] }} {{ items[-1] }} {{ items[5] }} {{ items[1:] }} {{ items[:2] }} {{ items[::-1] }}
{{ missing }}[{{ missing or "none" }}]
{{ user.missing }}|{{ user.address.zip }}
{{ n }} {{ price }} {{ flag }} {{ off }} {{ nothing }} {{ empty }}
{{ n + 1 }} {{ n - 5 }} {{ n * 2 }} {{ n / 2 }} {{ 7 // 2 }} {{ 7 % 4 }} {{ 2 ** 5 }}
{{ 6 / 2 }} {{ -n }} {{ +n }} {{ 1.0 }} {{ 0.1 + 0.2 }} {{ 1e3 }} {{ 10 / 4 }}
{{ "a" ~ "b" }} {{ name ~ n }} {{ n ~ price }} {{ "a" + "b" }} {{ "ab" * 3 }}
{{ "yes" if flag else "no" }} {{ "yes" if off else "no" }} {{ "yes" if off }}
{{ flag and name }} {{ empty or name }} {{ not flag }} {{ n > 2 and n < 5 }}
{{ n == 3 }} {{ n != 3 }} {{ 1 < n <= 3 }} {{ "pen" in items }} {{ "x" not in items }}
{{ name is defined }} {{ missing is defined }} {{ missing is undefined }} {{ nothing is none }}
{{ n is number }} {{ name is string }} {{ items is sequence }} {{ user is mapping }} {{ items is iterable }}
{{ n is odd }} {{ n is even }} {{ n is divisibleby 3 }} {{ n is divisibleby(2) }} {{ flag is true }} {{ off is false }} {{ flag is boolean }}
{{ n is integer }} {{ price is float }} {{ n is eq 3 }} {{ n is gt(2) }} {{ "a" is in "abc" }}
{{ [1, 2, 3] }} {{ (1, 2) }} {{ {"a": 1} }} {{ [] }} {{ {} }}
{{ ["a", 'b', "it's"] }} {{ [true, none, 1.5] }}
{{ user }}
{{ items }}
{{ orders[0].id }} {{ orders[-1]["total"] }}
{{ 'single' }} {{ "double" }} {{ 'it\\'s' }} {{ "tab\\tnew\\nline" }}
{{ "{{ not a tag }}" }} {{ '{% nor this %}' }}
{{ greek }} {{ greek | length }} {{ greek | upper }}
{{ (n + 1) * 2 }} {{ ((n)) }}
{{ name.upper() }} {{ name.lower() }} {{ city.title() }} {{ city.capitalize() }}
{{ text.strip() }}| {{ text.lstrip() }}| {{ text.rstrip() }}|
{{ name.split() }} {{ name.split(" ")[0] }} {{ "a,b,c".split(",") }} {{ "a,b,c".split(",", 1) }}
{{ name.startswith("Ada") }} {{ name.endswith("x") }} {{ name.replace("Ada", "Eva") }}
{{ ", ".join(items) }} {{ name.find("L") }} {{ name.count("a") }}
{{ user.items() | list }} {{ user.keys() | list }} {{ user.get("name") }} {{ user.get("zip", "?") }}
{{ items.index("ink") }} {{ "%s is %d" | format(name, n) }} {{ "%s" % name }} {{ "{} and {}".format(name, n) }}
{{ range(3) | list }} {{ range(1, 4) | list }} {{ range(0, 10, 3) | list }}
{{ dict(a=1, b=2) }} {{ dict(a=1).a }}
`

const filters = `
{{ name | upper }} {{ name | lower }} {{ city | title }} {{ city | capitalize }}
{{ text | trim }}| {{ "xxaxx" | trim("x") }}
{{ items | join(", ") }} {{ items | join }} {{ numbers | join("-") }}
{{ orders | map(attribute="id") | join(", ") }}
{{ orders | map(attribute="total") | list }} {{ orders | map(attribute="total") | sum }}
{{ orders | sum(attribute="total") }}
{{ orders | selectattr("status", "equalto", "open") | map(attribute="id") | list }}
{{ orders | rejectattr("status", "equalto", "open") | map(attribute="id") | list }}
{{ orders | selectattr("items") | map(attribute="id") | join(" ") }}
{{ items | select("in", ["pen", "ink"]) | list }} {{ numbers | select("odd") | list }} {{ numbers | reject("odd") | list }}
{{ items | map("upper") | list }} {{ items | map("length") | list }}
{{ items | length }} {{ name | length }} {{ user | length }} {{ items | count }}
{{ items | first }} {{ items | last }} {{ none_left | first }} {{ none_left | length }}
{{ items | sort }} {{ items | sort(reverse=true) }} {{ numbers | sort | unique | list }}
{{ orders | sort(attribute="total") | map(attribute="id") | list }}
{{ numbers | min }} {{ numbers | max }} {{ numbers | sum }}
{{ items | reverse | list }} {{ name | reverse }}
{{ missing | default("x") }} {{ empty | default("x") }} {{ empty | default("x", true) }} {{ nothing | default("x") }} {{ nothing | d("x", true) }}
{{ price | round }} {{ 2.567 | round(1) }} {{ 2.5 | round }} {{ 3.5 | round(0, "floor") }} {{ 2.1 | round(0, "ceil") }}
{{ price | int }} {{ "42" | int }} {{ "x" | int }} {{ "x" | int(7) }} {{ "1.5" | float }} {{ n | float }} {{ n | string }}
{{ -5 | abs }} {{ (-5) | abs }}
{{ name | replace("a", "o") }} {{ name | replace("a", "o", 1) }}
{{ lines | indent }} {{ lines | indent(2, true) }} {{ lines | indent(4, blank=true) }}
{{ name | truncate(5) }} {{ name | truncate(8, true) }} {{ name | truncate(8, false, "..") }} {{ city | truncate(10) }}
{{ "a b c" | wordcount }} {{ lines | wordwrap(3) }}
{{ lines.splitlines() }} {{ lines.split("\\n") | length }}
{{ user | dictsort }} {{ user | items | list | length }}
{{ orders | groupby("status") | map("first") | list }}
{{ items | batch(2) | list }} {{ items | batch(2, "-") | list }} {{ items | slice(2) | list }}
{{ name | list | length }} {{ "abc" | list }}
{{ name | center(20) }}|
{{ user.tags | join(" and ") | upper }}
{{ (items + ["more"]) | join(" ") }}
{{ items | tojson }} {{ user | tojson }} {{ n | tojson }} {{ name | tojson }} {{ nothing | tojson }} {{ flag | tojson }}
{{ {"b": 1, "a": [1.5, true]} | tojson }}
{{ user | tojson(indent=2) }}
{{ name | e }} {{ "<b>" | escape }} {{ "<b>" | e | upper }}
{{ name | urlencode }} {{ "a b&c" | urlencode }}
{{ 1234567 | filesizeformat }}
{{ items | random | length > 0 }}
{{ name | striptags }} {{ "a  b" | striptags }}
{{ user | attr("missing") }}
{{ "%.2f" | format(price) }} {{ "%05d" | format(n) }} {{ "%-6s|" | format(city) }}
{{ "%.1f" % price }} {{ "%s: %s" % (name, n) }}
{{ "{:.2f}".format(price) }} {{ "{0} {1} {0}".format(n, city) }} {{ "{name}".format(name=city) }}
{{ items | map("replace", "p", "P") | join(",") }}
{{ orders | map(attribute="items") | map("length") | list }}
{{ orders | map(attribute="missing", default="-") | list }}
{{ text | trim | upper | replace("TWO", "three") }}
`

const statements = [
  '{% if flag %}yes{% endif %}',
  '{% if off %}yes{% else %}no{% endif %}',
  '{% if n > 5 %}many{% elif n > 2 %}some{% else %}few{% endif %}',
  '{% if items %}has items{% endif %}{% if none_left %}none{% endif %}{% if empty %}empty{% endif %}',
  '{% if missing %}a{% else %}b{% endif %}',
  '{% if user.tags and "vip" in user.tags %}VIP{% endif %}',
  '{% if name is defined and name %}Hello {{ name }}{% endif %}',
  '{% for item in items %}- {{ item }}\n{% endfor %}',
  '{% for item in items %}\n- {{ item }}\n{% endfor %}\nend',
  '{%- for item in items %}\n- {{ item }}\n{%- endfor %}\nend',
  '{% for item in items -%}\n  {{ item }}\n{% endfor -%}\nend',
  '{% for item in items %}{{ loop.index }}. {{ item }}{% if not loop.last %}, {% endif %}{% endfor %}',
  '{% for item in items %}{{ loop.index0 }}{{ loop.revindex }}{{ loop.first }}{{ loop.last }}{{ loop.length }} {% endfor %}',
  '{% for item in none_left %}x{% else %}nothing{% endfor %}',
  '{% for key, value in user.items() %}{{ key }}={{ value }};{% endfor %}',
  '{% for key in user %}{{ key }} {% endfor %}',
  '{% for order in orders if order.status == "open" %}{{ order.id }}{{ "," if not loop.last }}{% endfor %}',
  '{% for order in orders %}{{ order.id }}:{% for item in order["items"] %} {{ item }}{% else %} none{% endfor %}\n{% endfor %}',
  '{% for i in range(3) %}{{ i }}{% endfor %}',
  '{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}',
  '{% for a, b in [(1, 2), (3, 4)] %}{{ a }}-{{ b }} {% endfor %}',
  '{% for c in "abc" %}{{ c }}.{% endfor %}',
  '{% for item in items %}{{ loop.cycle("odd", "even") }} {% endfor %}',
  '{% for item in items %}{{ loop.previtem }}<{{ item }}>{{ loop.nextitem }} {% endfor %}',
  '{% for x in items %}{% set last = x %}{% endfor %}{{ last }}',
  '{% set ns = namespace(total=0) %}{% for o in orders %}{% set ns.total = ns.total + o.total %}{% endfor %}{{ ns.total }}',
  '{% set greeting = "Hi " ~ name %}{{ greeting }}!',
  '{% set a, b = 1, 2 %}{{ a }}{{ b }}',
  '{% set text %}Hello {{ name }}{% endset %}{{ text }} {{ text | length }}',
  '{% set x = 1 %}{% if flag %}{% set x = 2 %}{% endif %}{{ x }}',
  '{% set text | upper %}a {{ name }}{% endset %}{{ text }}',
  '{% with a = 1, b = n %}{{ a }}{{ b }}{% endwith %}{{ a }}',
  '{% macro bullet(text, mark="-") %}{{ mark }} {{ text }}\n{% endmacro %}{{ bullet("a") }}{{ bullet(name, mark="*") }}',
  '{% macro wrap() %}<{{ caller() }}>{% endmacro %}{% call wrap() %}{{ name }}{% endcall %}',
  '{% macro row(item) %}{{ item }}{% endmacro %}{% for item in items %}{{ row(item) | upper }}{% endfor %}',
  '{% filter upper %}hello {{ name }}{% endfilter %}',
  '{% raw %}{{ name }} {% if %}{% endraw %} {{ name }}',
  '{% raw -%}\n  {{ name }}\n  {% endraw %}\nafter',
  'a\n  {%- raw %}\n{{ name }}\n{%- endraw -%}\nafter',
  '{# a comment #}a{# {{ name }} #}b',
  'a {#- trimmed -#} b',
  'a {{- name -}} b',
  'a  {%- if flag -%}  b  {%- endif -%}  c',
  'line\n  {% if flag %}\n    inner\n  {% endif %}\nend\n',
  '  {%- if flag +%}\n x\n  {%+ endif %}\nend',
  'no tags at all\n',
  'a\n\n\n{{ name }}\n\n\n',
  '{{ name }}\n',
  '{{ name -}}\n',
  '{% if flag %}\n{% endif %}\n',
  '{ name } {{ "{" }} {{ "}}" }} }} %}',
  '# Role\n\nYou help {{ name }} in {{ city | title }}.\n\n## Orders\n\n{% for o in orders %}\n- **{{ o.id }}**: {{ "%.2f" | format(o.total) }} €{% if o["items"] %} ({{ o["items"] | join(", ") }}){% endif %}\n\n{% endfor %}\n## Style\n\n{% if user.age >= 40 %}Be formal.{% else %}Be casual.{% endif %}\n',
  '{% if user %}\n<user>\n  <name>{{ user.name }}</name>\n</user>\n{% endif %}',
  '{% for o in orders | sort(attribute="total", reverse=true) %}{{ loop.index }}. {{ o.id }}\n{% endfor %}',
  '{% for status, group in orders | groupby("status") %}{{ status }}: {{ group | map(attribute="id") | join(", ") }}\n{% endfor %}',
  '{% for o in orders %}{% if o.total > 20 %}{{ o.id }}{% endif %}{% endfor %}',
  '{% for row in items | batch(2) %}{{ row | join("|") }}\n{% endfor %}',
  '{% include "style.md" %}',
  'a\n{% include "style.md" %}\nb',
  '{%- include "list.md" -%}',
  'a\n\n{%- include "style.md" -%}\n\nb',
  '{% include "sets.md" %} {{ name }}',
  '{% include "nested.md" %}|',
  '{% include "empty.md" %}|{% include "trimmed.md" %}|',
  '{% include "none.md" ignore missing %}|',
  '{% for item in items %}{% include "style.md" %}{{ item }} {% endfor %}',
  '{% if off %}{% include "style.md" %}{% endif %}|',
  '{% set text %}{% include "style.md" %}{% endset %}{{ text | upper }}',
  '{% filter upper %}{% include "style.md" %}{% endfilter %}',
  '{% with name = "other" %}{% include "style.md" %}{% endwith %}',
  "{% include 'style.md' with context %}",
  '{% macro m() %}{{ name }}{% endmacro %}{{ m() }}{{ m() }}',
  '{% for item in items recursive %}{{ item }}{% endfor %}',
  '{% for item in items %}{% for other in items %}{{ loop.index }}{% endfor %} {{ loop.index }};{% endfor %}',
  '{% set items = ["x"] %}{{ items }}',
  '{% set total = orders | map(attribute="total") | sum %}Total: {{ total }}',
  '{% if n == 3 and (flag or off) and not off %}ok{% endif %}',
  '{% if "a" < "b" %}lt{% endif %}{% if items == ["pen", "paper", "ink"] %}same{% endif %}',
  '{% if user.name | lower == "bo" %}bo{% endif %}',
  '{{ items | join(", ") if items else "nothing" }}',
  '{{ "a" if n == 1 else "b" if n == 2 else "c" }}',
  '{{ user.name\n   | upper }}',
  '{{\n  name\n}}',
  '{% if flag\n   and n %}multi{% endif %}',
  '{%if flag%}tight{%endif%}',
  '{{name|upper|lower}}',
  '{% for item in items %}{{ item }}{{ "" if loop.last else "\n" }}{% endfor %}',
  '| a | b |\n|---|---|\n{% for o in orders -%}\n| {{ o.id }} | {{ o.total }} |\n{% endfor %}',
  '```json\n{"name": "{{ name }}", "n": {{ n }}}\n```',
  '{{ date }} {{ date.split("-")[0] }} {{ date[:4] }}',
  '{% set parts = date.split("-") %}{{ parts[2] }}.{{ parts[1] }}.{{ parts[0] }}',
  '{% set long %}\n{{ lines }}\n{% endset %}{{ long | trim }}',
  '{{ self is defined }}{{ loop is defined }}',
  '{{ joiner is defined }}{% set comma = joiner(", ") %}{% for i in items %}{{ comma() }}{{ i }}{% endfor %}',
  '{% set c = cycler("a", "b") %}{{ c.next() }}{{ c.next() }}{{ c.next() }}',
]

const more = [
  '{{ numbers | tojson }} {{ "ü" | length }}',
  'Dear {{ name.split(" ") | last }},\n\nyour order {{ orders[0].id }} of {{ date }} is {{ orders[0].status }}.\n',
  '{% set open = orders | selectattr("status", "equalto", "open") | list %}{{ open | length }} open order{{ "s" if open | length != 1 }}',
  '{% for tag in user.tags %}#{{ tag }}{% if not loop.last %} {% endif %}{% endfor %}',
  '{% if orders | length > 2 %}{{ orders | length }} orders{% endif %}',
  '{{ user.address.city ~ ", " ~ city | title }}',
  '{% for n in numbers | unique | sort %}{{ n }}{% endfor %}{{ n }}',
  '<rules>\n{%- for item in items %}\n  <rule id="{{ loop.index }}">{{ item }}</rule>\n{%- endfor %}\n</rules>',
  '{% macro item(order, mark="-") -%}\n{{ mark }} {{ order.id }}: {{ "%.2f" | format(order.total) }}\n{%- endmacro %}\n{% for o in orders %}{{ item(o) }}\n{% endfor %}{{ item(orders[0], mark="*") }}',
  '{% set ns = namespace(sum=0) %}{% for o in orders %}{% set ns.sum = ns.sum + o.total %}{% endfor %}Total: {{ ns.sum }}',
  '{% for o in orders | selectattr("status", "equalto", "open") | sort(attribute="total", reverse=true) %}{{ loop.index }}. {{ o.id }}{% if not loop.last %}, {% endif %}{% endfor %}',
  '{% with who = user.name, where = user.address.city %}{{ who }} in {{ where }}{% endwith %}',
  'Dear {{ name.split(" ") | first }},\n\n{%- filter indent(2) %}\n{{ lines }}\n{% endfilter %}\n',
  '{% if n is odd and items is iterable and city is string %}{{ items | join(" / ") | upper }}{% elif flag %}x{% endif %}',
]

const refused = [
  '{% if flag %}',
  '{{ name',
  '{{ name | nofilter }}',
  '{{ 1 / 0 }}',
  '{{ missing.name.first }}',
  '{{ "a" + 1 }}',
  '{% endif %}',
  '{% unknown %}',
  '{{ items | join(',
  '{% for %}{% endfor %}',
  '{{ name name }}',
]

const rows = (text: string) => text.trim().split('\n')

/** All templates. */
export const templates: readonly string[] = [
  ...rows(outputs),
  ...rows(filters),
  ...statements,
  ...more,
  ...refused,
]
