/** Templates of our own, each with the names it is rendered with: what people write, and where Python and JavaScript differ. */
import type { TemplateWork } from './python-jinja.ts'

const message = { role: 'user', content: ' Hi <b> ' }
const call = {
  type: 'function',
  function: { name: 'look_up', arguments: { q: 'é "x"', n: 2, ok: true, no: null, f: 0.1, l: [1, 'a'] } },
}
const names = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    message,
    { role: 'assistant', content: '<think>\n a \n</think>\n\n b \n', tool_calls: [call] },
    { role: 'tool', content: null },
  ],
  tools: [{ type: 'function', function: { name: 'look_up', parameters: {} } }],
  d: { b: 2, a: 'x', items: 'own', C: [] },
  l: [3, 1, 2],
  words: ['b', 'A', 'c', 'a'],
  rows: [
    { k: 'x', v: 1, n: { m: 'q' } },
    { k: 'y', v: 2 },
    { k: 'x', v: 3, n: null },
  ],
  s: '  a,b, c\n',
  wide: 'a😀é',
  none: null,
  nothing: null,
  yes: true,
  n: 7,
  f: 2.5,
  empty: '',
}

const sources = `
{{ messages[0].content }} {{ messages[0]['role'] }}
{% for m in messages %}{{ m.role }}{% if not loop.last %}, {% endif %}{% endfor %}
{% for m in messages if m.role != 'system' %}{{ loop.index }}/{{ loop.length }} {{ m.role }}{% else %}none{% endfor %}
{% for x in [] %}x{% else %}nothing{% endfor %}
{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}
{% for k, v in d|dictsort %}{{ k }}={{ v }};{% endfor %}
{% for k in d %}{{ k }}{% endfor %}
{% for c in wide %}[{{ c }}]{% endfor %}
{% for x in l %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endfor %}
{% for x in l %}{{ x }}{% if x == 1 %}{% break %}{% endif %}{% endfor %}
{% for x in l %}{{ loop.index0 }}{{ loop.first }}{{ loop.last }}{{ loop.revindex }}{{ loop.previtem }}{{ loop.nextitem }}{% endfor %}
{% for x in l %}{{ loop.cycle('odd', 'even') }}{% endfor %}
{% for x in [1, 1, 2] %}{{ loop.changed(x) }}{% endfor %}
{% for x in [1, [2, [3]]] recursive %}{{ loop(x) if x is sequence else x }}{% endfor %}
{% set x = 1 %}{% for i in l %}{% set x = i %}{% endfor %}{{ x }}
{% for i in l %}{% if y is not defined %}{% set y = i %}{% endif %}{{ y }}{% endfor %}
{% set ns = namespace(x=0) %}{% for i in l %}{% set ns.x = ns.x + i %}{% endfor %}{{ ns.x }}
{% set a, b = 1, 2 %}{{ b }}{{ a }}
{% set t %}  x {{ n }} {% endset %}[{{ t }}]
{% set t | upper %}abc{% endset %}{{ t }}
{% with x = 1, y = 2 %}{{ x + y }}{% endwith %}{{ x }}
{% filter upper %}abc {{ n }}{% endfilter %}
{% macro hi(name, end='!') %}Hi {{ name }}{{ end }}{% endmacro %}{{ hi('a') }}{{ hi('b', end='?') }}{{ hi() }}
{% macro all() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ all(1, 2, a=3) }}
{% macro box() %}<{{ caller() }}>{% endmacro %}{% call box() %}in{% endcall %}
{% macro each(xs) %}{% for x in xs %}{{ caller(x) }}{% endfor %}{% endmacro %}{% call(x) each(l) %}[{{ x }}]{% endcall %}
{% macro outer() %}{{ n }}{{ inner() }}{% endmacro %}{% macro inner() %}in{% endmacro %}{{ outer() }}
{% raw %}{{ not }} {% this %}{% endraw %}|
{# a comment #}a{#- another -#} b
{%- if yes -%} a {%- elif n -%} b {%- else -%} c {%- endif -%}
{% if none %}a{% elif nothing is none %}b{% endif %}
{{ none }}|{{ yes }}|{{ not yes }}|{{ f }}|{{ 1.0 }}|{{ 1e20 }}|{{ 1e-7 }}|{{ 100000000000000000000 }}
{{ l }}|{{ d }}|{{ words }}|{{ (1,) }}|{{ (1, 'a') }}|{{ () }}
{{ "it's" ~ n ~ none ~ yes }}|{{ ["it's", 'say "x"', "both ' and \\""] }}
{{ undefined_name }}|{{ messages[0].nope }}|{{ d.nope is defined }}|{{ d['nope']|default('x') }}
{{ undefined_name.member }}
{{ messages[9].role }}
{{ none.x }}|{{ none['x'] is defined }}
{{ 'a' + none }}
{{ 'a' + 1 }}
{{ [1] + 'a' }}
{{ none + 'a' }}
{{ 1 + 2 * 3 - 4 / 2 }}|{{ 7 // 2 }}|{{ -7 // 2 }}|{{ 7 % 3 }}|{{ -7 % 3 }}|{{ 2 ** 3 ** 2 }}|{{ -2 ** 2 }}
{{ 1 / 0 }}
{{ 'ab' * 3 }}|{{ [1, 2] * 2 }}|{{ 'a' ~ 1 + 2 }}
{{ 1 < 2 < 3 }}|{{ 1 < 3 < 2 }}|{{ 'a' < 'b' }}|{{ 1 == 1.0 }}|{{ '1' == 1 }}|{{ none == undefined_name }}|{{ [1] == [1] }}
{{ 'a' < 1 }}
{{ 'b' in 'abc' }}|{{ 2 in l }}|{{ 'a' in d }}|{{ 'z' not in d }}|{{ [1] in [[1]] }}
{{ 'x' in none }}
{{ yes and 'a' or 'b' }}|{{ none or 'b' }}|{{ not none }}|{{ '' or none }}
{{ 'a' if n > 5 else 'b' }}|{{ 'a' if n > 9 }}|{{ 'a' if n > 9 else 'b' if n > 5 else 'c' }}
{{ l[0] }}|{{ l[-1] }}|{{ l[1:] }}|{{ l[:-1] }}|{{ l[::-1] }}|{{ l[5:] }}|{{ wide[1] }}|{{ wide[::-1] }}|{{ wide[1:] }}|{{ 'abc'[-2:] }}
{{ messages[1:][0].role }}|{{ messages[-1].role }}
{{ d.items is callable }}
{{ d['items'] }}|{{ d.get('a') }}|{{ d.get('z') }}|{{ d.get('z', 1) }}|{{ d.keys()|list }}|{{ d.values()|list }}
{{ s.strip() }}|{{ s.lstrip() }}|{{ s.rstrip('\\n') }}|{{ '\\n\\n a \\n'.strip('\\n') }}|{{ 'xxaxx'.strip('x') }}|{{ '<think>a'.lstrip('<think>') }}
{{ s.split(',') }}|{{ s.split() }}|{{ 'a b  c'.split(' ') }}|{{ 'a,b,c'.split(',', 1) }}|{{ 'a,b,c'.rsplit(',', 1) }}|{{ ' a  b c '.split(none, 1) }}
{{ messages[2].content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') }}|
{{ 'abc'.startswith('a') }}|{{ 'abc'.startswith(('x', 'ab')) }}|{{ 'abc'.endswith('c') }}|{{ 'abc'.find('c') }}|{{ 'abc'.find('z') }}|{{ 'abcabc'.rfind('b') }}|{{ 'abab'.count('ab') }}
{{ 'hello wORLD'.capitalize() }}|{{ "they're bill's".title() }}|{{ 'aB'.swapcase() }}|{{ 'aB'.upper() }}|{{ 'aB'.lower() }}|{{ 'straße'.upper() }}
{{ 'aXbX'.replace('X', '-') }}|{{ 'aXbX'.replace('X', '-', 1) }}|{{ 'ab'.replace('', '.') }}|{{ 'ab'.replace('', '.', 1) }}
{{ ','.join(['a', 'b']) }}|{{ 'a'.zfill(3) }}|{{ '-5'.zfill(4) }}|{{ 'a'.ljust(3) }}|{{ 'a'.rjust(3, '.') }}|{{ 'a'.center(4, '.') }}|{{ 'ab'.center(5, '.') }}
{{ 'a1'.isalnum() }}|{{ '12'.isdigit() }}|{{ ' '.isspace() }}|{{ 'Ab'.isupper() }}|{{ 'ab'.islower() }}|{{ 'ab'.isalpha() }}
{{ 'a-b-c'.partition('-') }}|{{ 'a-b-c'.rpartition('-') }}|{{ 'a\\nb\\r\\nc'.splitlines() }}|{{ 'prefix-a'.removeprefix('prefix-') }}|{{ 'a.txt'.removesuffix('.txt') }}
{{ ','.join([1]) }}
{{ '%s is %d, %.2f, %5d|%-5s|%05d %r %%' % ('a', 2, 3.14159, 4, 'b', 6, 'c') }}|{{ '%s' % n }}|{{ '%(a)s' % {'a': 1} }}
{{ '{0} {1}'.format(1) }}
{{ '{} {}'.format('a', n) }}|{{ '{0}{1}{0}'.format('a', 'b') }}|{{ '{x:>5}|{x:<5}|{x:^5}|{y:.2f}|{z:,}|{z:05d}'.format(x='a', y=2.5, z=1234) }}|{{ '{{}}'.format() }}
{{ '%s and %s'|format('a', 'b') }}
{{ words|sort }}|{{ words|sort(reverse=true) }}|{{ words|sort(case_sensitive=true) }}|{{ l|sort }}|{{ rows|sort(attribute='v', reverse=true)|map(attribute='v')|list }}
{{ [1, 'a']|sort }}
{{ words|unique|list }}|{{ l|max }}|{{ l|min }}|{{ l|sum }}|{{ rows|sum(attribute='v') }}|{{ l|first }}|{{ l|last }}|{{ l|reverse|list }}|{{ 'abc'|reverse }}
{{ words|join }}|{{ words|join(', ') }}|{{ rows|join(',', attribute='k') }}|{{ [1, none, 'a']|join('-') }}
{{ words|map('upper')|list }}|{{ rows|map(attribute='k')|join }}|{{ rows|map(attribute='n.m', default='-')|list }}|{{ ['a ', ' b']|map('trim')|join('|') }}
{{ rows|selectattr('v', 'gt', 1)|map(attribute='k')|list }}|{{ rows|rejectattr('n')|list|length }}|{{ rows|selectattr('n', 'defined')|list|length }}|{{ rows|selectattr('k', 'equalto', 'x')|list|length }}
{{ l|select('odd')|list }}|{{ l|reject('greaterthan', 1)|list }}|{{ [0, 1, '']|select|list }}
{% if rows|selectattr('k', 'equalto', 'zz') %}always{% endif %}
{{ rows|groupby('k')|length }}{% for k, g in rows|groupby('k') %}{{ k }}:{{ g|length }};{% endfor %}
{{ [1, 2, 3, 4, 5]|batch(2)|list }}|{{ [1, 2, 3]|batch(2, 0)|list }}|{{ [1, 2, 3, 4, 5]|slice(2)|list }}
{{ messages|length }}|{{ wide|length }}|{{ d|length }}|{{ words|count }}
{{ n|length }}
{{ ' x '|trim }}|{{ 'xax'|trim('x') }}|{{ none|trim }}|{{ 'aB cD'|title }}|{{ 'aB cD'|capitalize }}|{{ 'ab'|upper }}|{{ n|string }}|{{ yes|string }}
{{ 'a\\nb\\n\\nc'|indent }}|{{ 'a\\nb'|indent(2, true) }}|{{ 'a\\n\\nb'|indent(2, blank=true) }}|{{ 'a\\nb'|indent('> ') }}
{{ '12'|int }}|{{ 'x'|int }}|{{ 'x'|int(5) }}|{{ '1.9'|int }}|{{ '1.5'|float }}|{{ 'x'|float }}|{{ 3|float }}|{{ -3|abs }}|{{ 2.567|round(2) }}|{{ 2.5|round }}|{{ 3.5|round }}|{{ 2.1|round(method='ceil') }}
{{ 'ff'|int(base=16) }}|{{ yes|int }}
{{ x|default('d') }}|{{ none|default('d') }}|{{ none|default('d', true) }}|{{ ''|d('e', boolean=true) }}|{{ x|default(none) }}
{{ '<a href="x">'|escape }}|{{ '<b>'|e }}|{{ '<b>'|safe }}
{{ 'a b&c/ü'|urlencode }}|{{ 'one two'|wordcount }}|{{ 'a long sentence here'|truncate(10) }}|{{ 'a long sentence here'|truncate(10, true, '…', 0) }}|{{ 'x'|center(5) }}
{{ d|tojson }}|{{ call_arguments|default({'é': '<b>&\\u2028'})|tojson }}|{{ messages[2].tool_calls[0].function.arguments|tojson }}
{{ d|tojson(indent=2) }}|{{ []|tojson(indent=2) }}|{{ {}|tojson(indent=4) }}
{{ {'é': 1}|tojson(ensure_ascii=true) }}|{{ {'b': 1, 'a': [1, 2]}|tojson(separators=(',', ':')) }}|{{ {'b': 1, 'a': 2}|tojson(sort_keys=true) }}|{{ [1.0, 1e20, 0.1, none, true]|tojson }}|{{ {1: 2, none: 3}|tojson }}
{{ wide|tojson }}|{{ '\\x7f\\u00e9\\ud83d'|length }}|{{ 'a"b\\\\c\\n\\t/'|tojson }}
{{ undefined_name|tojson }}
{{ 'x' is string }}|{{ n is number }}|{{ f is float }}|{{ n is integer }}|{{ yes is boolean }}|{{ yes is number }}|{{ d is mapping }}|{{ l is sequence }}|{{ d is sequence }}|{{ 'x' is iterable }}|{{ none is iterable }}|{{ l is iterable }}|{{ none is none }}
{{ 3 is odd }}|{{ 4 is even }}|{{ 9 is divisibleby 3 }}|{{ 9 is divisibleby(2) }}|{{ n is gt 5 }}|{{ n is ne 7 }}|{{ 'a' is in words }}|{{ 'ab' is lower }}|{{ 'AB' is upper }}|{{ yes is sameas true }}|{{ yes is true }}|{{ n is not none }}
{{ range(3)|list }}|{{ range(1, 7, 2)|list }}|{{ range(3, 0, -1)|list }}|{{ dict(a=1, b=2) }}
{{ strftime_now('%d %b %Y %H:%M:%S %A %B %j %y %I %p %%') }}
{{ raise_exception('Roles must alternate: ' + messages[0].role) }}
{{ l.append(1) }}
{{ d.update({}) }}
{{ 'a' 'b' "c" }}|{{ 'tab\\there' }}|{{ 'q\\'q' }}|{{ '\\d' }}|{{ '\\x41\\u0042' }}
{{ 1_000 }}|{{ 0x1f }}|{{ 1.5e3 }}|{{ [1, 2,] }}|{{ {'a': 1,} }}|{{ {'a': {'b': [1]}}.a.b[0] }}|{{ rows.0.k }}
{{ -n }}|{{ +n }}|{{ -n|abs }}|{{ not n == 7 }}|{{ (n, f)[1] }}|{{ 'a'|upper ~ 'b' }}|{{ n is defined and n > 1 }}
{%- set a = 1 -%}   x   {{- a -}}   y
{%+ if yes %}  a  {% endif +%}
{% for i in range(2) +%}  {{ i }}
{%- endfor %}
a{% generation %}b{{ n }}{% endgeneration %}c
{% for m in messages %}{{ m.role }}:{% if m.role == 'assistant' %}{% generation %}{{ m.content }}<end>{% endgeneration %}{% endif %}{% endfor %}
{% set t %}x{% generation %}y{% endgeneration %}{% endset %}{{ t }}{{ t }}
{% generation %}{% set inner = 1 %}{% endgeneration %}[{{ inner }}]
{% for x in l %}{% generation %}{{ loop.index }}{% endgeneration %}{% endfor %}
{% if yes %}never closed
{% nonsense %}
{{ 1 + }}
{{ a b }}
{{ [1, 2 }}
{{ 'open }}
{% for in l %}{% endfor %}
{% endif %}
{{ x | nofilter }}
{{ x is notest }}
{{ n() }}
{{ nope() }}
{{ messages.0.content.nope() }}
{% set messages.x = 1 %}
{% break %}
{{ 3 | round }}|{{ true | round }}|{{ n | round(2) }}|{{ 125 | round(-1) }}|{{ 135 | round(-1) }}|{{ 3 | round(method='ceil') }}|{{ 3 | round(1, 'floor') }}
{{ 2.675 | round(2) }}|{{ 1.115 | round(2) }}|{{ 0.125 | round(2) }}|{{ 0.5 | round }}|{{ 1.5 | round }}|{{ -0.4 | round }}|{{ 123.456 | round(-2) }}|{{ 1e300 | round(2) }}|{{ 5e-324 | round(323) }}
{{ 2.5 | round(1000000000) }}|{{ 2.5 | round(-1000000000) }}|{{ 2 | round(400, 'ceil') }}|{{ 'inf' | float | round }}
{{ 1.7e308 | round(-308) }}
{{ 2.5 | round(400, 'ceil') }}
{{ 2.5 | round(1.0) }}
{{ 2.5 | round(0, 'up') }}
{{ {'q': 'a b', 'a/b': "~.-_'"} | urlencode }}|{{ [['x', 1], ('y', 'ü')] | urlencode }}|{{ ['ab'] | urlencode }}|{{ 5 | urlencode }}|{{ nope | urlencode }}
{{ [1] | urlencode }}
{{ ['a'] | urlencode }}
{{ ['a', 'bc'] | truncate(5, true) }}|{{ nope | truncate }}
{{ 'abcdef' | truncate(2) }}
{{ 'abc'.startswith('b', 1) }}|{{ 'abc'.startswith('b', 1, 1) }}|{{ 'abc'.startswith('', 3) }}|{{ 'abc'.startswith('', 4) }}|{{ 'a'.endswith('a', 0, 0) }}|{{ 'abc'.endswith('c', -1) }}|{{ 'abc'.endswith('b', none, -1) }}
{{ 'abcabc'.find('a', 1) }}|{{ 'abcabc'.find('c', 0, 2) }}|{{ 'abc'.find('', 3) }}|{{ 'abc'.find('', 4) }}|{{ 'abcabc'.rfind('a', 0, 3) }}|{{ 'abcabc'.rfind('a', -2) }}|{{ 'abc'.rfind('') }}|{{ 'abcabc'.index('a', 1) }}|{{ 'abcabc'.rindex('b') }}
{{ 'aaaa'.count('a', 1, 3) }}|{{ 'aaa'.count('', 1) }}|{{ 'aaa'.count('', 4) }}|{{ '😀a😀'.find('😀', 1) }}|{{ '😀a😀'.rfind('😀', 0, 2) }}|{{ wide.index('é', -1) }}
{{ 'abc'.rindex('b', 2) }}
{{ 'abc'.find('a', 1.0) }}
{{ '{:>{}}|{!r:^{}}'.format('a', 5, 'b', 7) }}|{{ '{:{}{}{}}'.format('a', '*', '^', 5) }}|{{ '{0:{1}}'.format('a', 5) }}|{{ '{:{w}.{p}f}'.format(2.5, w=8, p=2) }}
{{ 'a}'.format() }}
{{ 'a{'.format() }}
{{ '%c%c|%3c|%-3c|%05c' % (65, 'b', 'c', 128512, 'd') }}
{{ '%c' % 'ab' }}
{{ '%c' % -1 }}
{{ 'a\\r\\nb\\x0cc' | indent }}|{{ 'a\\r' | indent }}|{{ '' | indent(first=true) }}|{{ '\\n\\na' | indent(2, true, true) }}|{{ 'a\\n' | indent }}
{{ '0b11' | int(base=2) }}|{{ '0x1F' | int(base=16) }}|{{ '0o17' | int(base=8) }}|{{ '0b11' | int }}|{{ '0x1f' | int(base=0) }}|{{ '017' | int(base=0) }}|{{ '1_0' | int }}|{{ '1__0' | int }}|{{ 'zz' | int(base=36) }}|{{ '12' | int(base=2) }}|{{ ' -0b1_1 ' | int(base=2) }}|{{ '5' | int(base=99) }}|{{ '1e3' | int }}|{{ 'inf' | int }}
{{ 'inf' | float }}|{{ '-Infinity' | float }}|{{ 'NaN' | float }}|{{ '1_0.5_0e1_0' | float }}|{{ '1_.5' | float(7) }}|{{ '_1' | float }}
{{ 'ﬁ' | capitalize }}|{{ 'ß'.title() }}|{{ 'ß' | title }}|{{ 'ǆa'.capitalize() }}|{{ 'ΑΣ'.capitalize() }}|{{ 'ა'.title() }}|{{ 'ᾳ'.title() }}|{{ '中a b'.title() }}|{{ 'a[b {c (d <e-f' | title }}
{{ [1, 2, 3] | batch(0) | list }}|{{ [] | batch(0) | list }}|{{ [1, 2, 3] | batch(-1) | list }}
{{ {true: 1}[1] }}|{{ {1: 2}[1.0] }}|{{ 1 in {true: 1} }}|{{ {1: 2, true: 3} }}|{{ {0: 1}.get(false) }}|{{ {1: 2} == {true: 2} }}|{{ {2: 1}[true] is defined }}
{{ 0 ** -1 }}
{{ rows | sort(attribute='k,v', reverse=true) | map(attribute='v') | list }}|{{ [{'a': 'B', 'b': 2}, {'a': 'a', 'b': 1}, {'a': 'b', 'b': 1}] | sort(attribute='a,b') }}
{{ [{'a': 'X'}, {'a': 'x'}, {}] | groupby('a', default='z') }}|{{ [{'a': 'X'}, {'a': 'x'}] | groupby('a', case_sensitive=true) }}|{% for g in rows | groupby('k') %}{{ g.grouper }}{{ g.list | length }}{% endfor %}
{% set c = cycler(1, 2) %}{{ c.next() }}{{ c.current }}{{ c.reset() }}{{ c.current }}{{ c.next() }}{{ c.next() }}{{ c.next() }}
{{ cycler() }}
{{ nope | int }}
{{ nope | float(1) }}
{{ nope }}|{{ [nope] }}|{{ nope ~ 'a' }}|{{ [nope] | join }}|{{ '%s' % nope }}|{{ nope | string }}
{{ '<' | e | e }}|{{ '<' | escape | forceescape }}|{{ '<' | safe | e }}|{{ '<' | e | string | e }}|{{ '<' | e is escaped }}|{{ '<' is escaped }}|{{ '<' | e is string }}
{{ ('<' | e) + '<' }}|{{ '<' + ('<' | e) }}|{{ ('<' | e) ~ '<' }}|{{ ('<' | e) * 2 }}|{{ ('<%s%d%r' | e) % ('<', 1, '"') }}|{{ ('%s' | safe) | format('<') }}|{{ '%s' % ('<' | e) }}|{{ ('<' | e) + ('<' | e) | e }}
{% set a = '<' | e %}{{ a | e }}|{{ a + '>' | e }}|{{ [a] }}|{{ {'k': a} }}|{{ [a] | first | e }}|{{ ['<'] | map('e') | map('e') | list }}|{{ a == '&lt;' }}|{{ a in ['&lt;'] }}|{{ a in {'&lt;': 1} }}|{{ a < 'b' }}
{% set a %}<{% endset %}{{ a | e }}|{% set b | e %}<{% endset %}{{ b | e }}|{% filter e %}<{% endfilter %}|{% macro m(x) %}{{ x | e }}{% endmacro %}{{ m('<' | e) }}|{{ m('<') | e }}|{% with c = '<' | e %}{{ c | e }}{% endwith %}
{% set a = '<b' | e %}{{ a | upper | e }}|{{ a | lower | e }}|{{ a | capitalize | e }}|{{ a | trim | e }}|{{ a | indent | e }}|{{ a | truncate | e }}|{{ a | center(8) | e }}|{{ a | reverse | e }}|{{ a | default('x') | e }}|{{ a | title | e }}|{{ a | replace('b', '<') | e }}|{{ a | length }}|{{ a | list }}|{{ a | urlencode }}|{{ a | wordcount }}|{{ a | tojson }}|{{ [a] | tojson }}|{{ [a, '<'] | join('<') }}
{% set a = '<b' | e %}{{ (a if true) | e }}|{{ ('' or a) | e }}|{{ (a and a) | e }}|{{ a[0] }}|{{ a.upper() }}|{{ '-'.join([a, '<']) }}|{{ a.startswith('&') }}|{{ [a, '&'] | sort }}|{{ [a, '&lt;b'] | unique | list }}|{{ 5 | e + '<' }}|{{ none | e }}|{{ nope | e }}|{% for c in a %}{{ c }}.{% endfor %}|{{ 'x' | center(*[5]) }}|{{ 'xax' | trim(*['x' | e]) }}
{% set x, y = 'ab' | e %}{{ x }}{{ y }}|{{ namespace(v='<' | e).v }}|{% set ns = namespace() %}{% set ns.v = '<' | e %}{{ ns.v | e }}|{{ [['<' | e, 1]] | map('first') | map('e') | list }}|{{ dict([['<' | e, 1]])['&lt;'] }}
`
  .split('\n')
  .filter((it) => it !== '')

const blocks = [
  '  {% if yes %}\n    a\n  {% endif %}\n  b\n',
  '  {%- if yes %}\n    a\n  {%- endif %}\n  b\n\n',
  '{% for i in l %}\n  {{ i }}\n{% endfor %}\n',
  'x  {% if yes %}\ny{% endif %}\n\n  {# c #}\n  z {# d #}\n',
  '{{ n }}\n{{ n }}\n\n',
  '{% if yes %}\n\n\n{% endif %}a\n  {{- n }}\n  {{ n -}}\n  b',
  'a\r\n{% if yes %}\r\nb\r\n{% endif %}\r\nc\rd\r\n',
  '\t {% raw %}\n {{ a }} \n {% endraw %}\n b',
  '  {%+ if yes %} x{% endif %}',
  '\n\n{% set a = 1 %}\n\n{{ a }}',
  '{% macro m(a,\n   b=2) %}\n  {{ a }}{{ b }}\n{% endmacro %}\n{{ m(1) }}',
  '{{ "line\nbreak" }}|{{ {"a":\n 1}.a }}',
  "{{ '}}' }}{{ '{%' }}{# {{ #}{{ {'a': {'b': 1}} }}",
]

/** One or more expressions a row. */
export const templateTable: readonly TemplateWork[] = [...sources, ...blocks].map((source) => ({
  source,
  context: names,
}))
