# SPDX-License-Identifier: MIT
"""Templates of a construct each, and what they are rendered with."""
BLANK = "\u00a0\u3000\x1c\x1f\x85\u2028\ufeff x\ufeff y \x85\x1f\u00a0\n"
CONTEXT = {
    "messages": [{"role": "user", "content": " Hi "}, {"role": "assistant", "content": "No."}, {"role": "tool", "content": ""}],
    "blank": BLANK,
    "word": "Hello wörld İß ǆ",
    "wide": "a\U0001f600b\u00e9",
    "lines": "one\n\n  two\r\nthree\x0bfour\n",
    "tools": [{"name": "b", "n": 2}, {"name": "A", "n": 1}, {"name": "c", "n": 2}, {"n": None}],
    "numbers": [3, 1, 2.5, True, -7],
    "dict": {"b": 1, "A": [1, 2.5, None], "items": "mine", "c": {"x": "é\"'</s>\u2028\u007f"}},
    "value": {"float": 0.1, "small": 1e-7, "tiny": 0.00001, "large": 1.5e300, "none": None, "text": "a'b\"c\n\t\\\u200b"},
    "empty": {"list": [], "dict": {}, "text": ""},
}

EXPRESSIONS = r"""
true
none
[true, false, none, 1, 1.0, 'a', "it's", 'q"', '\n\\', (1,), (), (1, 2), {}, {'a': 1, 2: 'b'}]
value
dict
messages[0]
1e16
1e15
123456789.125
0.1 + 0.2
1e-5
-0.0
7 // 2 ~ ' ' ~ -7 // 2 ~ ' ' ~ -7 % 3 ~ ' ' ~ 7 % -3 ~ ' ' ~ 7 / 2 ~ ' ' ~ 2 ** 3 ** 2 ~ ' ' ~ 2 ** -1
7.5 // 2 ~ ' ' ~ 7.5 % 2 ~ ' ' ~ true + 1
1 / 0
'a' + 1
'a' + none
'a' ~ none ~ missing ~ 1.5 ~ true
[1] + [2]
'ab' * 3 ~ [0] * 2
missing
missing.x
messages.x
messages.x.y
messages[9]
messages[-1].content
dict['items']
dict.items()
dict.get('b') ~ dict.get('z') ~ dict.get('z', 5)
dict.keys() ~ dict.values()
dict.keys() | list
dict | list
dict | items | list
dict | dictsort
dict | dictsort(true)
dict | dictsort(by='value')
empty.dict.items() | list
[1, 2].append(3)
dict.update({})
1 < 2 < 3
1 < 3 < 2
1 == 1.0 == true
'a' < 'B'
[1, 2] < [1, 3]
(1, 2) == [1, 2]
'a' < 1
none == missing
missing == missing2
1 in [1.0]
'x' in 'xyz'
1 in 'xyz'
none in [none]
'b' in dict
'z' not in dict
1 in missing
1 in none
not 1 in [2]
'a' if false
('a' if false) is defined
'a' if 0 else 'b' if 0 else 'c'
1 if true else missing.x
blank.strip()
blank | trim
blank.split()
blank.split(' ')
blank.strip(' \n')
'xxaxx'.strip('x') ~ 'xxaxx'.lstrip('x') ~ 'xxaxx'.rstrip('x')
'<think>a</think>b'.lstrip('<think>')
'😀a😀'.strip('😀')
'abcabc'.replace('b', 'x', 1) ~ 'abc'.replace('', '-') ~ 'abc' | replace('b', '')
''.replace('', '-')
'a,b,c'.split(',', 1)
'a,b,c'.rsplit(',', 1)
' a b  c '.split(none, 1)
' a b  c '.rsplit(none, 1)
'a-b-c'.partition('-')
'a-b-c'.rpartition('-')
lines.splitlines()
lines.splitlines(true)
word.upper() ~ word.lower() ~ word.title() ~ word.capitalize() ~ word.swapcase()
word | title ~ word | capitalize ~ 'a-b (c) [d' | title
'ǆa'.capitalize()
'abc'.find('c') ~ 'abc'.find('z') ~ 'aXbX'.rfind('X') ~ wide.find('b')
'abc'.index('z')
'banana'.count('an') ~ 'abc'.count('')
'abc'.startswith('ab') ~ 'abc'.endswith(('x', 'c')) ~ 'abc'.startswith('b', 1)
'abc'.startswith(['a'])
'x'.center(4) ~ 'xy'.center(5) ~ 'x'.ljust(3, '.') ~ 'x'.rjust(3, '.') ~ '-5'.zfill(4) ~ '|'
'1'.isdigit() ~ 'a1'.isalnum() ~ 'é'.isalpha() ~ ' '.isspace() ~ 'A'.isupper() ~ 'Ab'.istitle()
', '.join(['a', 'b'])
', '.join([1])
'abc'.removeprefix('a').removesuffix('c')
wide | length
wide[1]
wide[::-1]
wide[1:3]
wide[-2:]
[1, 2, 3, 4][::2] ~ [1, 2, 3][::-1] ~ [1, 2, 3][5:] ~ (1, 2, 3)[:-1]
'abc'[::0]
'{} {}'.format('a', none) ~ '{0}{0}'.format(1) ~ '{a}'.format(a=[1])
'{:>5}|{:<5}|{:^5}|{:05d}|{:+}|{:,}'.format('a', 'b', 'c', 42, 7, 1234567)
'{:.2f} {:.3e} {:g} {:%} {:x} {:#b} {!r}'.format(0.125, 12345.678, 1e-7, 0.5, 255, 5, 'a')
'{:{w}}|{{}}'.format('a', w=4)
'{.x}'.format(1)
'%s %r %d %5.2f %-4s| %04d %x %%' % ('a', 'b', 3.9, 2.345, 'c', 42, 255)
'%(a)s' % {'a': 1}
'%s' % none
'%s %s' % ('a',)
'%s' | format('x') ~ '%(a)s' | format(a=1)
'%.2f %.1f %.0f %.0f' % (0.125, 0.25, 0.5, 1.5)
'a' 'b' "c"
'\x41\u00e9\U0001F600\101\q\'\
'
0x1F ~ 0b101 ~ 0o17 ~ 1_000 ~ 1_0.5
lines | indent
lines | indent(2, true, true)
lines | indent('> ', first=true)
'a' | indent(width=3)
numbers | join(', ')
numbers | sort
numbers | sum ~ numbers | min ~ numbers | max
numbers | sort(reverse=true) | first
tools[:3] | sort(attribute='name') | map(attribute='name') | join
tools[:3] | sort(attribute='n,name') | map(attribute='name') | join
['b', 'A', 'a', 'B'] | sort
['b', 'A', 'a', 'B'] | sort(case_sensitive=true)
['b', 'A', 'a', 'B'] | unique | list
[1, 'a'] | sort
tools[:3] | groupby('n')
tools | groupby('n', default=0) | length
tools | map(attribute='name') | list
tools | map(attribute='name', default='?') | list
['a', ' b '] | map('trim') | map('upper') | list
[1, 2, 3] | map('string') | join('-')
['a'] | map('replace', 'a', 'b') | list
tools | selectattr('name') | list | length
tools | selectattr('n', 'equalto', 2) | map(attribute='name') | list
tools | rejectattr('name', 'defined') | list
messages | selectattr('role', 'in', ['user', 'tool']) | list | length
[0, 1, 2, none] | select | list
[1, 2, 3] | reject('odd') | list
[1, 2, 3] | select('>', 1) | list
none | select | list
none | list
(tools | selectattr('name')) is true
tools | selectattr('zzz') | first is defined
messages | map('length') | length
[1, 2, 3] | last ~ 'abc' | first ~ [] | first
'abc' | reverse ~ [1, 2] | reverse | list
[1, 2, 3, 4, 5] | batch(2, 0) | list
[1, 2, 3, 4, 5] | slice(3, 0) | list
'3.7' | int ~ 'x' | int ~ 'x' | int(9) ~ '0x1f' | int(base=16) ~ 3.9 | int ~ -3.9 | int ~ ' 12 ' | int
'1.5' | float ~ 'x' | float ~ 3 | float
2.5 | round ~ 3.5 | round ~ 2.675 | round(2) ~ 7 | round ~ 1.21 | round(1, 'ceil')
-5 | abs ~ 5.5 | abs
missing | default('d') ~ none | default('d') ~ '' | default('d', true) ~ none | d('e', boolean=true)
missing | length
none | length
missing | trim ~ none | trim ~ 5 | upper
none | string ~ 1.0 | string ~ [none] | string
'<a href="x">\'&' | e
'a b/c?é' | urlencode
'one two three' | wordcount
'a long text that goes on' | truncate(12) ~ 'a long text' | truncate(5, true, '', 0)
dict | tojson
dict | tojson(indent=2)
dict | tojson(ensure_ascii=true)
dict | tojson(sort_keys=true)
dict | tojson(separators=(',', ':'))
dict | tojson(indent=1, separators=(';', '='))
value | tojson
empty | tojson(indent=4)
[1, 2] | tojson(indent=0)
wide | tojson(ensure_ascii=true)
{1: 2, none: 3, 1.5: 4} | tojson
missing | tojson
(messages | map('length')) | tojson
none is none ~ missing is undefined ~ 1 is number ~ true is number ~ true is integer ~ 1.0 is float
'a' is string ~ 'a' is iterable ~ none is iterable ~ {} is iterable ~ missing is iterable ~ 1 is iterable
'a' is sequence ~ {} is sequence ~ [] is sequence ~ ([] | map('e')) is sequence ~ {} is mapping ~ namespace() is mapping
3 is odd ~ 4 is even ~ 9 is divisibleby 3 ~ 9 is divisibleby(2) ~ 1 is eq 1 ~ 1 is ne(2) ~ 2 is gt 1 ~ 2 is in [1, 2]
'a' is lower ~ 'A' is upper ~ true is boolean ~ 0 is false ~ range is callable ~ none is sameas none
1 is not defined ~ (1 is not none)
x is nosuch
1 | nosuch
range(3) | list ~ range(5, 1, -2) | list ~ range(2, 2) | list
range(1.5)
namespace(a=1).a ~ namespace({'b': 2}).b
dict_ is defined
strftime_now('%d %b %Y %B %A %a %H:%M:%S %j %I %p %y %-d %e %m/%-m %%')
raise_exception('no')
''.__class__
''.__class__.__mro__
[].__len__()
loop
1,
1, 2
{'a': {'b': 1}}['a']['b']
{'a': 1}.a
messages[0]['role'] ~ messages.0.role
-1 | abs
- 1 + 2
not true or true
2 + 3 * 4 ~ 'x' * 2
dict(a=1, b=2)
[*[1]]
"a" is string and 1 is number
(1, 2) | join('-')
'<'|safe + '<' ~ '>'
'<' + '&'|e + '>'
'é' > 'z'
""".strip("\n").split("\n")

# A text in two lines.
AT = next(i for i, line in enumerate(EXPRESSIONS) if line.endswith("\\") and line.startswith("'\\x41"))
EXPRESSIONS[AT:AT + 2] = ["\n".join(EXPRESSIONS[AT:AT + 2])]

STATEMENTS = [
    "{% for m in messages %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.first }}{{ loop.last }}{{ loop.length }};{% endfor %}",
    "{% for m in messages %}{{ loop.previtem.role }}<{{ loop.nextitem.role }};{% endfor %}",
    "{% for m in messages %}{{ loop.previtem is defined }}{{ loop.cycle('a', 'b') }}{{ loop.changed(m.role == 'user') }};{% endfor %}",
    "{% for m in messages if m.content %}{{ loop.length }}{{ m.role }}{% else %}none{% endfor %}",
    "{% for m in [] %}x{% else %}none{% endfor %}",
    "{% for m in [1, 2] %}{% continue %}{% else %}none{% endfor %}",
    "{% for m in [1, 2] %}{% if m == 2 %}{% break %}{% endif %}{{ m }}{% else %}none{% endfor %}",
    "{% for a, b in [(1, 2), (3, 4)] %}{{ a }}{{ b }}{% endfor %}",
    "{% for a, b in [(1, 2, 3)] %}{{ a }}{% endfor %}",
    "{% for (a, b), c in [((1, 2), 3)] %}{{ a }}{{ b }}{{ c }}{% endfor %}",
    "{% for k, v in dict.items() %}{{ k }}={{ v }};{% endfor %}",
    "{% for k in dict %}{{ k }}{% endfor %}{% for c in wide %}{{ c }},{% endfor %}",
    "{% for x in none %}{% endfor %}",
    "{% for x in 5 %}{% endfor %}",
    "{% for x in missing %}x{% else %}nothing{% endfor %}",
    "{% for x in 1, 2, 3 %}{{ x }}{% endfor %}",
    "{% for x in [[1, [2]], [3]] recursive %}{{ loop.depth }}{% if x is iterable %}({{ loop(x) }}){% else %}{{ x }}{% endif %}{% endfor %}",
    "{% set x = 1 %}{% for i in [1, 2] %}{{ x }}{% set x = x + 1 %}{{ x }}{% endfor %}{{ x }}",
    "{% for i in [1, 2] %}{% if i == 1 %}{% set y = 5 %}{% endif %}{{ y is defined }}{% endfor %}{{ y is defined }}",
    "{% set ns = namespace(x=0) %}{% for i in [1, 2] %}{% set ns.x = ns.x + i %}{% endfor %}{{ ns.x }}{{ ns }}",
    "{% set d = {} %}{% set d.x = 1 %}",
    "{% set a, b = 1, 2 %}{{ a }}{{ b }}",
    "{% set a = 1, 2 %}{{ a }}",
    "{% set x %}  a {{ 1 }}\n{% endset %}[{{ x }}]",
    "{% set x | upper | trim %} a {% endset %}[{{ x }}]",
    "{% set x %}{% set y = 1 %}{% endset %}{{ y is defined }}",
    "{% if true %}{% set z = 1 %}{% endif %}{{ z }}",
    "{% if 0 %}a{% elif '' %}b{% elif [0] %}c{% else %}d{% endif %}",
    "{% macro f(a, b=2, c=b) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ f(1) }}|{{ f(1, 3) }}|{{ f(1, c=4) }}|{{ f() }}",
    "{% macro f(a) %}{{ a }}{% endmacro %}{{ f(1, 2) }}",
    "{% macro f(a) %}{{ a }}{% endmacro %}{{ f(b=2) }}",
    "{% macro f(a) %}{{ a }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ f(1, 2, 3, z=4) }}",
    "{% macro f() %}{{ outer }}{% endmacro %}{% set outer = 5 %}{{ f() }}",
    "{% macro f() %}{% set inner = 1 %}{% endmacro %}{{ f() }}{{ inner is defined }}",
    "{% for q in [1] %}{{ f is defined }}{% macro f() %}{{ q }}{% endmacro %}{{ f() }}{% endfor %}{{ f is defined }}",
    "{% macro g() %}{{ q }}{% endmacro %}{% for q in [1] %}[{{ g() }}]{% endfor %}",
    "{% macro f(x) %}<{{ caller(x) }}>{% endmacro %}{% call(y) f(3) %}{{ y }}!{% endcall %}",
    "{% macro f(x) %}<{{ x }}>{% endmacro %}{% call f(3) %}!{% endcall %}",
    "{% macro f() %}{{ caller is defined }}{% endmacro %}{{ f() }}",
    "{% macro fact(n) %}{% if n > 1 %}{{ n }}*{{ fact(n - 1) }}{% else %}1{% endif %}{% endmacro %}{{ fact(4) }}",
    "{% filter upper | replace('A', 'b') %}xa{% endfilter %}",
    "{% with a = 1, b = 2 %}{{ a }}{{ b }}{% set c = 1 %}{% endwith %}{{ a is defined }}{{ c is defined }}",
    "{% generation %}a{% set t = 1 %}{{ 1 }}{% endgeneration %}{{ t is defined }}",
    "{% for i in [1] %}\n{%- generation -%}\n x \n{%- endgeneration %}\n.{% endfor %}",
    "{% raw %}{{ x }} {% y %}{% endraw %}.",
    "a\n  {%- raw -%}\n {{ x }} \n{%- endraw -%}\n b",
    "{% raw %}\n{{ x }}\n{% endraw %}\nb",
    "{% print 1, 2 %}",
    "{# a comment #}x{#- b -#} y {#-#}z\n{# c #}\nw",
    "  {# indented #}\n  x",
    "a\n   {% if true %}\n   b\n   {% endif %}\nc",
    "a   {% if true %}b{% endif %}   \nc",
    "   {{ 1 }}\n  {{ 2 }}\n\n",
    "a \n\n {%- if true -%} \n b \n {%- endif -%} \n c",
    "a\n  {%+ if true +%}\n b{% endif +%}\nc",
    "a \u00a0\u3000\x1c{{- 1 -}} \u00a0\x85\u2028b",
    "a\ufeff{{- 1 -}}\ufeffb",
    "\u00a0{% if true %}\n\u00a0{% endif %}x",
    "a\r\nb\rc{% if true %}\r\nd{% endif %}\n",
    "text -}\nand #}\nand %}\nand }}\n{{ 1 }}\nx",
    "{{ {'a': {'b': 1}} }}{{ {} }}",
    "{{- '{{' -}}{{ '%}' }}{{ '}}' }}",
    "{% set j = joiner(', ') %}{% for i in [1, 2] %}{{ j() }}{{ i }}{% endfor %}{% set c = cycler(1, 2) %}{{ c.next() }}{{ c.next() }}{{ c.current }}",
    "{% break %}", "{% endif %}", "{% if %}", "{{ 1 +}}", "{{ (1 }}", "{% unknown %}", "{{ 'a }}", "{{ 1", "{# x",
    "{% for x in y %}", "{% set 1 = 2 %}", "{% set true = 2 %}", "{{ f(a=1, 2) }}", "{{ a b }}", "{{ $ }}", "{% if 1 %}{% elsif %}{% endif %}",
    "{% macro f(a=1, b) %}{% endmacro %}", "{{ }}", "{% %}",
]

CONSTRUCTS = ["{{ " + expression + " }}" for expression in EXPRESSIONS] + STATEMENTS
