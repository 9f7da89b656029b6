package engine

import (
	"fmt"
	"strings"
	"testing"
)

func factsFor(t *testing.T, src string) *facts {
	t.Helper()
	p := Check(NewSource("SKILL.star", src))
	if len(p.Diagnostics) > 0 {
		t.Fatalf("%+v", p.Diagnostics)
	}
	return factsOf(p)
}

func worst(t *testing.T, src string) string {
	f := factsFor(t, src)
	show := func(n int64) string {
		if n >= unbounded {
			return "∞"
		}
		return fmt.Sprint(n)
	}
	return show(f.worst[0]) + " " + show(f.worst[1]) + " " + show(f.worst[2])
}

func TestWorstCase(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"ask(\"a\")", "1 0 0"},
		{"for i in range(3):\n  ask(\"a\")\n  trace(\"t\")", "3 0 3"},
		{"for i in range(1, 10, 4):\n  command([\"a\"])", "0 3 0"},
		{"for i in range(3):\n  if i:\n    return ask(\"a\")\n  command([\"a\"])", "1 3 0"},
		{"if input:\n  ask(\"a\")\n  return\nask(\"b\")", "1 0 0"},
		{"if input:\n  ask(\"a\")\nelse:\n  ask(\"a\")\n  ask(\"a\")\nask(\"b\")", "3 0 0"},
		{"for i in range(5):\n  ask(\"a\")\n  break", "1 0 0"},
		{"for i in range(5):\n  if i:\n    continue\n  ask(\"a\")", "5 0 0"},
		{"for x in input[\"l\"]:\n  ask(x)", "∞ 0 0"},
		{"for x in input[\"l\"][:4]:\n  ask(x)", "4 0 0"},
		{"for x in input[\"l\"][-3:]:\n  ask(x)", "3 0 0"},
		{"for x in range(min(input[\"n\"], 4)):\n  ask(\"x\")", "4 0 0"},
		{"for x in range(input.get(\"n\", 3)):\n  ask(\"x\")", "∞ 0 0"},
		{"for x in input[\"l\"]:\n  pass", "0 0 0"},
		{"for i, x in enumerate([\"a\", \"b\"]):\n  for y in (1, 2, 3):\n    ask(x)", "6 0 0"},
		{"return [ask(x)[\"answer\"] for x in [\"a\", \"b\"] for y in range(2)]", "4 0 0"},
		{"a = ask\na(\"x\")", "1 0 0"},
		{"return helper(ask)", "2 0 0"},
		{"return ask(\"a\") if input else ask(\"b\")", "1 0 0"},
		{"fail(ask(\"a\")[\"answer\"])\nask(\"b\")", "1 0 0"},
		{"fs = [ask, len]\nfor g in fs:\n  g(\"x\")", "2 0 0"},
		{"xs = [1, 2]\nxs.append(3)\nfor x in xs:\n  ask(\"x\")", "∞ 0 0"},
		{"for i in range(LIMIT * 2):\n  ask(\"x\")", "6 0 0"},
		{"times(4)\ntimes(2)", "8 0 0"},
		{"sorted([1, 2, 3], key = lambda x: ask(\"x\")[\"turns\"])", "3 0 0"},
		{"for i in range(0):\n  ask(\"x\")", "0 0 0"},
		{"for i in range(3):\n  for j in range(3):\n    if j:\n      break\n    ask(\"x\")", "9 0 0"},
	} {
		src := "LIMIT = 3\ndef helper(f):\n  f(\"1\")\n  return f(\"2\")\ndef times(n):\n  for i in range(n):\n    ask(\"x\")\ndef run(input):\n  " + strings.ReplaceAll(c.body, "\n", "\n  ") + "\n"
		if got := worst(t, src); got != c.want {
			t.Errorf("%q: %s, want %s", c.body, got, c.want)
		}
	}
}

func TestDemoFacts(t *testing.T) {
	for name, want := range map[string]string{
		"checklist-gate": "3 0 3", "diff-review": "1 1 2", "endless-polish": "8 0 8", "fix-until-green": "3 4 4", "must-have-heading": "3 0 3", "repo-pulse": "1 2 3",
	} {
		if got := worst(t, demos(t)[name]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestFacts(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"def run(input):\n  return input[\"a\"] + input.get(\"b\", \"x\")\n", []string{`{"key":"a"`, `"optional":false`, `{"key":"b"`, `"optional":true,"fallback":"\"x\""`, `"inputEscapes":false`}},
		{"def run(data):\n  d = data\n  return need(d, \"k1\") + need(d, \"k2\")\ndef need(m, key):\n  return m[key]\n", []string{`"key":"k1"`, `"key":"k2"`, `"inputEscapes":false`}},
		{"def run(input):\n  return str(input)\n", []string{`"inputEscapes":true`}},
		{"def run(input):\n  for k in [\"a\", \"b\"]:\n    if k not in input:\n      fail(k)\n", []string{`"key":"a"`, `"key":"b"`}},
		{"x = ask(\"hi\")\ndef run(input): pass\n", []string{`"topLevel":true`}},
		{"def run(input):\n  r = command([\"sh\", \"-c\", \"echo \" + input[\"x\"]], {\"timeout\": 500})\n  return r[\"result\"]\n", []string{`"text":"-c","glued":false`, `"glued":true`, `"key":"timeout"`, `"int":500`, `"reads":["result"]`, `"escapes":false`}},
		{"def run(input):\n  command(\"echo hi\")\n", []string{`"type":"string","text":"echo hi"`, `"statement":true`}},
		{"def run(input):\n  r = ask(\"x\")\n  if good(r):\n    return r[\"answer\"]\ndef good(q):\n  return not q[\"exhausted\"]\n", []string{`"reads":["answer","exhausted"]`, `"escapes":false`}},
		{"def run(input):\n  r = ask(\"x\")\n  return {\"all\": r}\n", []string{`"escapes":true`}},
		{"def run(input):\n  return 5\n", []string{`"returns":[{"range":{"line":2,"column":10,"endLine":2,"endColumn":11},"type":"int"}]`}},
		{"def run(input):\n  return {\"status\": \"ok\"}\n", []string{`"type":"dict","keys":["status"]`}},
		{"def ask(x): pass\ndef run(input):\n  len = 1\n", []string{`"name":"ask","host":true`, `"name":"len","host":false`, `"unused":[`}},
		{"def run(input):\n  a = ask(\"x\")[\"answer\"].strip()\n  for c in a:\n    print(len(a))\n", []string{`"stringLoops":[{`, `"textLengths":[{`, `"prints":[{`}},
		{"def f(n):\n  return g(n)\ndef g(n):\n  return f(n)\ndef run(input):\n  return f(1)\n", []string{`"recursion":[{`}},
		{"G = []\ndef run(input):\n  input[\"x\"] = 1\n  G.append(1)\n  return \"\"\n  print(1)\n", []string{`"what":"input"`, `"what":"global"`, `"unreachable":[{`}},
		{"run = 5\n", []string{`"callable":"no","type":"int"`}},
		{"def run(a, b, c = 1, *, d): pass\n", []string{`"required":2,"most":3,"keywordOnly":1`}},
		{"def run(*a): pass\n", []string{`"required":0,"most":null`}},
		{"x = 1\n", []string{`"run":null`, `"worst":null`}},
	} {
		text := toJSON(factsFor(t, c.src).json())
		for _, part := range c.want {
			if !strings.Contains(text, part) {
				t.Errorf("%q: %s is missing in\n%s", c.src, part, text)
			}
		}
	}
}

func TestFactsAreDeterministic(t *testing.T) {
	for name, src := range demos(t) {
		once := Analyse(NewSource("SKILL.star", src))
		for range 10 {
			if Analyse(NewSource("SKILL.star", src)) != once {
				t.Fatal(name)
			}
		}
	}
}
