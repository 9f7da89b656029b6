package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func check(src string) []Diagnostic { return Check(NewSource("SKILL.star", src)).Diagnostics }

func TestHabits(t *testing.T) {
	inRun := func(s string) string { return "def run(input):\n  x = 1\n  " + s + "\n" }
	for _, c := range []struct{ src, code, marked string }{
		{inRun("try:\n    pass"), "try", "try"},
		{"class A:\n  pass\n", "class", "class"},
		{"import os\n", "import", "import"},
		{"from os import path\n", "import", "from"},
		{inRun("with x:\n    pass"), "with", "with"},
		{inRun("global y"), "global", "global"},
		{inRun("nonlocal y"), "global", "nonlocal"},
		{inRun("return x is None"), "is", "is"},
		{inRun("return x is not None"), "is", "is not"},
		{inRun("del x"), "del", "del"},
		{inRun("assert x"), "assert", "assert"},
		{inRun("yield x"), "yield", "yield"},
		{inRun("raise x"), "raise", "raise"},
		{inRun("return f\"a {x}\""), "f-string", "f\"a {x}\""},
		{inRun("y = f'{x}'"), "f-string", "f'{x}'"},
		{inRun("ask(f\"a {x}\")"), "f-string", "f\"a {x}\""},
		{"def run(input: dict):\n  pass\n", "annotation", ":"},
		{"def run(input) -> str:\n  pass\n", "annotation", "->"},
		{"x: int = 1\n", "annotation", ":"},
		{inRun("if (y := 1):\n    pass"), "walrus", ":="},
		{inRun("return x ** 2"), "power", "**"},
		{"@wrap\ndef run(input):\n  pass\n", "decorator", "@"},
		{inRun("return sum(y for y in [x])"), "generator", "for"},
		{inRun("return \"a\" \"b\""), "string-concat", "\"b\""},
		{inRun("return 1 < x < 3"), "chained-comparison", "<"},
		{inRun("return 1_000"), "number", "1_000"},
		{inRun("return x && x"), "operator", "&&"},
		{inRun("return !x"), "operator", "!"},
		{inRun("if x\n    pass"), "colon", "x"},
		{inRun("if x:\n    pass\n  else if x:\n    pass"), "else-if", "else if"},
		{inRun("print \"a\""), "print", "print"},
		{inRun("while True:\n    pass"), "while", "while"},
		{inRun("return set([1])"), "set", "set"},
		{"for x in [1]:\n  pass\n", "top-level-control", "for"},
		{"if True:\n  pass\n", "top-level-control", "if"},
		{"x = 1\nx = 2\n", "reassign", "x"},
		{inRun("return isinstance(x, int)"), "undefined", "isinstance"},
		{inRun("return true"), "undefined", "true"},
		{"x = input\n", "input-global", "input"},
		{inRun("agent.ask(\"x\")"), "agent-object", "agent"},
		{inRun("load(\"a\", \"b\")"), "load", "load"},
		{inRun("return \"abc"), "string", "\"abc"},
		{"def run(input):\nx = 1\n", "indentation", "x"},
	} {
		list := check(c.src)
		if len(list) == 0 {
			t.Errorf("%q: nothing found", c.src)
			continue
		}
		d := list[0]
		if d.Code != c.code {
			t.Errorf("%q: code %s (%s; %s), want %s", c.src, d.Code, d.Message, d.Original, c.code)
		}
		if got := slice(c.src, d.Range); got != c.marked {
			t.Errorf("%q: marks %q, want %q", c.src, got, c.marked)
		}
		if d.Message == "" || d.Original == "" {
			t.Errorf("%q: no message", c.src)
		}
	}
}

// slice is the text of a range in an ASCII source.
func slice(src string, r Range) string {
	s := NewSource("", src)
	return src[s.starts[r.Line-1]+r.Col-1 : s.starts[r.EndLine-1]+r.EndCol-1]
}

func TestFixes(t *testing.T) {
	for src, fixed := range map[string]string{
		"def run(i):\n  return i is None\n":                "def run(i):\n  return i == None\n",
		"def run(i):\n  return i is not None\n":            "def run(i):\n  return i != None\n",
		"def run(i):\n  return f\"a {i} b\"\n":             "def run(i):\n  return \"a {} b\".format(i)\n",
		"def run(i):\n  return \"a\" \"b\"\n":              "def run(i):\n  return \"a\" + \"b\"\n",
		"def run(i):\n  return ax(i)\ndef ask2(i): pass\n": "",
		"def run(i):\n  return i.x || asl(i)\n":            "",
		"def run(i):\n  return asl(i)\n":                   "def run(i):\n  return ask(i)\n",
		"def run(i):\n  return true\n":                     "def run(i):\n  return True\n",
		"def run(i)\n  return 1\n":                         "def run(i):\n  return 1\n",
	} {
		list := check(src)
		if fixed == "" {
			continue
		}
		if len(list) != 1 || !list[0].HasFix {
			t.Errorf("%q: %+v", src, list)
			continue
		}
		s, r := NewSource("", src), list[0].Range
		from, to := s.starts[r.Line-1]+r.Col-1, s.starts[r.EndLine-1]+r.EndCol-1
		if got := src[:from] + list[0].Replacement + src[to:]; got != fixed {
			t.Errorf("%q became %q", src, got)
		}
	}
}

func TestAllErrors(t *testing.T) {
	list := check("def a():\n  return (1\n\ndef b():\n  return 1\n\ndef c():\n  x is 1\n\ndef d():\n  try:\n    pass\n")
	var lines []int
	for _, d := range list {
		lines = append(lines, d.Range.Line)
	}
	if len(list) != 3 || lines[1] != 8 || lines[2] != 11 {
		t.Errorf("%v %+v", lines, list)
	}
	list = check("def run(input):\n  return inpt + undefined1 + asks\n  while True: pass\n")
	if len(list) != 4 {
		t.Errorf("%+v", list)
	}
	// What stands around a syntax error keeps its outline.
	p := Check(NewSource("SKILL.star", "def a():\n  pass\n\ndef b(:\n  pass\n\ndef c():\n  return a()\n"))
	if len(p.File.Stmts) != 2 || len(p.Diagnostics) != 1 {
		t.Errorf("%d statements, %+v", len(p.File.Stmts), p.Diagnostics)
	}
}

func TestRefusedSources(t *testing.T) {
	for src, code := range map[string]string{
		"x = \"\x00\"":                                                     "nul",
		"---\nname: x\n---\n":                                              "frontmatter",
		"x = " + strings.Repeat("1+", 5000) + "1":                          "too-long",
		"x = " + strings.Repeat("not ", 5000) + "1":                        "too-long",
		"x = " + strings.Repeat("(", 100) + "1" + strings.Repeat(")", 100): "too-deep",
		strings.Repeat("#", 1<<20+1):                                       "too-long",
		"x = \"\xff\"":                                                     "not-utf8",
	} {
		list := check(src)
		if len(list) == 0 || list[0].Code != code {
			t.Errorf("%.20q: %+v, want %s", src, list, code)
		}
	}
	if list := check("\uFEFFdef run(input):\n  return \"\"\n"); len(list) != 0 {
		t.Error(list)
	}
	if list := check("\uFEFFtry = 1\n"); len(list) != 1 || list[0].Range != (Range{1, 2, 1, 5}) {
		t.Error(list)
	}
}

func TestUTF16Columns(t *testing.T) {
	list := check("def run(input):\n  return \"😀é\" + x\r\n")
	if len(list) != 1 || list[0].Range != (Range{2, 18, 2, 19}) {
		t.Errorf("%+v", list)
	}
}

func TestFormat(t *testing.T) {
	for src, want := range map[string]string{
		"def run( input ):\n  x={'a':1,}\n  return x # c\n": "def run(input):\n    x = {\"a\": 1}\n    return x  # c\n",
		"x=1\r\ny=2\r\n": "x = 1\r\ny = 2\r\n",
		"":               "",
	} {
		got, d := Format(NewSource("SKILL.star", src))
		if d != nil || got != want {
			t.Errorf("%q became %q (%v)", src, got, d)
		}
	}
	if _, d := Format(NewSource("SKILL.star", "def f(:\n")); d == nil {
		t.Error("a syntax error was formatted")
	}
	for _, src := range demos(t) {
		once, d := Format(NewSource("SKILL.star", src))
		if d != nil {
			t.Fatalf("%+v", d)
		}
		if twice, _ := Format(NewSource("SKILL.star", once)); twice != once {
			t.Error("not idempotent")
		}
	}
}

// demos are the programs of the demo workspace.
func demos(t *testing.T) map[string]string {
	paths, err := filepath.Glob("../../public/demo/skills/*/SKILL.star")
	if err != nil || len(paths) == 0 {
		t.Fatal("no demo programs")
	}
	out := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(filepath.Dir(path))] = string(text)
	}
	return out
}

func TestOutline(t *testing.T) {
	text := Analyse(NewSource("SKILL.star", "LIMIT = 3\n\ndef f(a, b = 1, *c, **d):\n    \"\"\"Does it.\"\"\"\n    def g():\n        return a\n    return g\n"))
	for _, part := range []string{
		`{"kind":"variable","name":"LIMIT"`, `"name":"f"`, `"doc":"Does it."`, `{"name":"b","default":"1"}`, `{"name":"*c"}`, `{"name":"**d"}`, `"children":[{"kind":"function","name":"g"`,
		`"stopLines":[1,3,5,6,7]`,
	} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is missing in %s", part, text)
		}
	}
}
