package engine

import (
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// The parser speaks of tokens. Whoever writes a program thinks in Python, so that errors are told in its terms.

type habit struct{ code, message string }

// reserved words of Python that Starlark knows only to refuse them
var reserved = map[string]habit{
	"try":      {"try", "Starlark has no exceptions and no `try`. Test values before you use them; `fail(\"…\")` ends the run."},
	"except":   {"try", "Starlark has no exceptions and no `except`. Test values before you use them."},
	"finally":  {"try", "Starlark has no exceptions and no `finally`."},
	"raise":    {"raise", "Starlark has no exceptions. `fail(\"…\")` ends the run with an error."},
	"class":    {"class", "Starlark has no classes. Use a dict, or functions that return dicts."},
	"import":   {"import", "Starlark has no `import`. A program has `ask`, `command`, `trace` and the built-in functions."},
	"from":     {"import", "Starlark has no `import`. A program has `ask`, `command`, `trace` and the built-in functions."},
	"with":     {"with", "Starlark has no `with`: there are no files or locks to close."},
	"global":   {"global", "Starlark has no `global`: a function cannot rebind a global name. Return the value instead."},
	"nonlocal": {"global", "Starlark has no `nonlocal`: a function cannot rebind an outer name. Return the value, or change a list or dict."},
	"is":       {"is", "Starlark has no `is`. Compare with `==`; `x is None` is `x == None`."},
	"del":      {"del", "Starlark has no `del`. Use `x.pop(key)`."},
	"assert":   {"assert", "Starlark has no `assert`. Write `if not …: fail(\"…\")`."},
	"yield":    {"yield", "Starlark has no generators and no `yield`. Collect the values in a list."},
	"async":    {"async", "Starlark has no `async`. Host functions wait by themselves."},
	"await":    {"async", "Starlark has no `await`. Host functions wait by themselves."},
	"as":       {"as", "`as` is a reserved word and cannot be a name."},
}

// syntaxError gives an error of the parser a range, and other words where they help.
func (p *Parsed) syntaxError(e syntax.Error) Diagnostic {
	src := p.Source
	at := src.at(e.Pos)
	d := Diagnostic{Kind: "syntax", Code: "syntax", Original: e.Msg, Message: plainSyntax(e.Msg), Range: src.span(at, at)}
	i, ok := p.tokenAt(at)
	if !ok {
		// The end of a line or of the file: point at the last thing written.
		if i, ok = p.lastTokenBefore(at); !ok {
			return d
		}
	}
	t := p.tokens[i]
	d.Range = src.span(t.start, t.end)
	p.reword(&d, i)
	return d
}

func (p *Parsed) word(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return p.tokens[i].text(p.Source.Text)
}

func (p *Parsed) kind(i int) tokenKind {
	if i < 0 || i >= len(p.tokens) {
		return tokNewline
	}
	return p.tokens[i].kind
}

func (p *Parsed) touching(i int) bool {
	return i > 0 && i < len(p.tokens) && p.tokens[i-1].end == p.tokens[i].start
}

func (p *Parsed) reword(d *Diagnostic, i int) {
	src := p.Source
	// The token that is at fault may be the one before or after the one reported.
	for _, k := range []int{i, i - 1, i + 1} {
		if p.kind(k) == tokNewline {
			if k == i {
				break
			}
			continue
		}
		set := func(code, message string) {
			d.Code, d.Message = code, message
			d.Range = src.span(p.tokens[k].start, p.tokens[k].end)
		}
		word := p.word(k)
		if p.kind(k) == tokName {
			if h, ok := reserved[word]; ok && !(word == "from" && p.word(k+1) == "=") {
				set(h.code, h.message)
				if word == "is" {
					d.HasFix, d.Replacement = true, "=="
					if p.word(k+1) == "not" {
						d.Range = src.span(p.tokens[k].start, p.tokens[k+1].end)
						d.Replacement = "!="
					}
				}
				return
			}
			if word == "print" && p.kind(k+1) == tokString {
				set("print", "`print` is a function: write `print(…)`.")
				return
			}
			if word == "if" && p.word(k-1) == "else" {
				set("else-if", "Write `elif` instead of `else if`.")
				d.Range = src.span(p.tokens[k-1].start, p.tokens[k].end)
				d.HasFix, d.Replacement = true, "elif"
				return
			}
			if word == "for" && k > 0 && strings.Contains(d.Original, "got for") {
				set("generator", "Starlark has no generator expressions. Use a list: `[… for … in …]`.")
				return
			}
		}
		if p.kind(k) == tokString && strings.Contains(p.tokens[k].prefix, "f") {
			set("f-string", "Starlark has no f-strings. Write `\"%s …\" % value` or `\"{} …\".format(value)`.")
			if text, ok := plainFormat(word); ok {
				d.HasFix, d.Replacement = true, text
			}
			return
		}
		if p.kind(k) == tokString && p.kind(k-1) == tokString && k == i {
			set("string-concat", "Two strings side by side are not joined. Put a `+` between them.")
			d.HasFix, d.Replacement = true, "+ "+word
			return
		}
		if p.kind(k) == tokNumber && strings.Contains(word, "_") {
			set("number", "Starlark numbers have no `_` between the digits.")
			d.HasFix, d.Replacement = true, strings.ReplaceAll(word, "_", "")
			return
		}
		if p.kind(k) == tokOp || p.kind(k) == tokOther {
			if p.operator(d, k, set) {
				return
			}
		}
	}
	p.byMessage(d, i)
}

func (p *Parsed) operator(d *Diagnostic, k int, set func(code, message string)) bool {
	replace := func(text string) { d.HasFix, d.Replacement = true, text }
	switch p.word(k) {
	case ":=":
		set("walrus", "Starlark has no `:=`. Assign on a line of its own.")
	case "**":
		if strings.Contains(d.Original, "primary expression") || p.kind(k-1) == tokName || p.kind(k-1) == tokNumber || p.word(k-1) == ")" {
			set("power", "Starlark has no `**`. Multiply, or shift with `<<` for powers of two.")
			return true
		}
		return false
	case "->":
		set("annotation", "Starlark has no type annotations.")
	case "@":
		set("decorator", "Starlark has no decorators and no `@`.")
	case "&&":
		set("operator", "Write `and` instead of `&&`.")
		replace("and")
	case "||":
		set("operator", "Write `or` instead of `||`.")
		replace("or")
	case "!":
		set("operator", "Write `not` instead of `!`.")
		replace("not ")
	case "++", "--":
		set("operator", "Starlark has no `"+p.word(k)+"`. Write `x += 1` or `x -= 1`.")
	case "===", "!==":
		set("operator", "Write `"+p.word(k)[:2]+"`.")
		replace(p.word(k)[:2])
	case "<>":
		set("operator", "Write `!=`.")
		replace("!=")
	case ":":
		if strings.HasPrefix(d.Original, "got ':'") && p.kind(k-1) == tokName {
			set("annotation", "Starlark has no type annotations.")
			return true
		}
		return false
	case ";":
		return false
	default:
		if p.kind(k) == tokOther && strings.Contains("“”‘’«»", p.word(k)) {
			set("quote", "This is not a straight quote. Strings stand between `\"` or `'`.")
			return true
		}
		return false
	}
	return true
}

func (p *Parsed) byMessage(d *Diagnostic, i int) {
	switch {
	case strings.Contains(d.Original, "does not associate with"):
		d.Code, d.Message = "chained-comparison", "Comparisons cannot be chained. Write `a < b and b < c`."
	case strings.HasPrefix(d.Original, "got newline, want ':'"):
		d.Code, d.Message = "colon", "A `:` is missing at the end of this line."
		t := p.tokens[i]
		d.Range = p.Source.span(t.start, t.end)
		d.HasFix, d.Replacement = true, t.text(p.Source.Text)+":"
	case strings.Contains(d.Original, "conditional expression without else"):
		d.Code, d.Message = "conditional", "`a if c` needs an `else`: write `a if c else b`."
	case strings.Contains(d.Original, "got indent") || strings.Contains(d.Original, "unindent"):
		d.Code, d.Message = "indentation", "The indentation does not fit the lines around it."
	case strings.Contains(d.Original, "want indent"):
		d.Code, d.Message = "indentation", "An indented block is missing here. `pass` does nothing."
	case strings.Contains(d.Original, "unexpected newline in string") || strings.Contains(d.Original, "unexpected EOF in string"):
		d.Code, d.Message = "string", "This string does not end."
	case strings.Contains(d.Original, "excessive nesting"):
		d.Code, d.Message = "too-deep", "This expression is nested too deep."
	}
}

// plainSyntax puts "got X, want Y" into a sentence.
func plainSyntax(msg string) string {
	got, want, ok := strings.Cut(msg, ", want ")
	if !ok || !strings.HasPrefix(got, "got ") {
		return strings.ToUpper(msg[:1]) + msg[1:] + "."
	}
	return "Unexpected " + got[len("got "):] + "; expected " + want + "."
}

// plainFormat rewrites an f-string whose holes are plain names: f"a {x}" is "a {}".format(x).
func plainFormat(word string) (string, bool) {
	quote := strings.IndexAny(word, "\"'")
	if quote < 0 || strings.Contains(word, "\\") {
		return "", false
	}
	body := word[quote:]
	var out strings.Builder
	var names []string
	for {
		before, rest, ok := strings.Cut(body, "{")
		out.WriteString(before)
		if !ok {
			break
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") != "" {
			return "", false
		}
		out.WriteString("{}")
		names = append(names, name)
		body = after
	}
	if strings.Contains(strings.ReplaceAll(out.String(), "{}", ""), "}") || len(names) == 0 {
		return "", false
	}
	prefix := strings.NewReplacer("f", "", "F", "").Replace(word[:quote])
	return prefix + out.String() + ".format(" + strings.Join(names, ", ") + ")", true
}

// missing names that Python has, and what to use instead
var missingNames = map[string]string{
	"sum":        "Add up in a `for` loop.",
	"map":        "Use a list: `[f(x) for x in xs]`.",
	"filter":     "Use a list: `[x for x in xs if …]`.",
	"round":      "Add 0.5 and use `int(x)`.",
	"isinstance": "Compare `type(x) == \"string\"`.",
	"open":       "A program has no files; use `command`.",
	"json":       "There is no JSON module; host functions take and return plain values.",
	"math":       "There are no modules.",
	"time":       "There are no modules and there is no clock.",
	"struct":     "Use a dict.",
	"re":         "There are no modules; use `in`, `.find`, `.split` and other string methods.",
	"os":         "There are no modules; use `command`.",
	"random":     "There is no random; a run can be repeated.",
	"exec":       "Code cannot be run from text.",
	"eval":       "Code cannot be run from text.",
	"iter":       "Iterate with `for`.",
	"next":       "Iterate with `for`.",
	"pow":        "Multiply in a `for` loop.",
	"divmod":     "Use `//` and `%`.",
	"format":     "Use `\"{}\".format(x)`.",
	"callable":   "Compare `type(x) == \"function\"`.",
	"Exception":  "There are no exceptions; `fail(\"…\")` ends the run.",
	"true":       "Write `True`.",
	"false":      "Write `False`.",
	"null":       "Write `None`.",
	"none":       "Write `None`.",
	"nil":        "Write `None`.",
	"self":       "There are no classes.",
}

var constantNames = map[string]string{"true": "True", "false": "False", "null": "None", "none": "None", "nil": "None"}

func (p *Parsed) resolveError(e resolve.Error) Diagnostic {
	src := p.Source
	at := src.at(e.Pos)
	d := Diagnostic{Kind: "resolve", Code: "resolve", Original: e.Msg, Message: strings.ToUpper(e.Msg[:1]) + e.Msg[1:] + ".", Range: src.span(at, at)}
	for _, t := range p.tokens {
		if t.start == at {
			d.Range = src.span(t.start, t.end)
		}
	}
	if name, ok := strings.CutPrefix(e.Msg, "undefined: "); ok {
		name, hint, _ := strings.Cut(name, " (did you mean ")
		if hint = strings.TrimSuffix(hint, "?)"); hint == "" {
			hint = nearest(name)
		}
		d.Code = "undefined"
		d.Message = "`" + name + "` is not defined."
		switch advice, known := missingNames[name]; {
		case name == "input":
			d.Code = "input-global"
			d.Message = "There is no global `input`: it is the parameter of `run(input)`. Hand it on to the function that needs it."
		case name == "agent":
			d.Code = "agent-object"
			d.Message = "There is no `agent` object in portable metaskills: call `ask`, `command` and `trace` directly."
		case known:
			d.Message += " " + advice
			if right, ok := constantNames[name]; ok {
				d.HasFix, d.Replacement = true, right
			}
		case hint != "":
			d.Message += " Did you mean `" + hint + "`?"
			d.HasFix, d.Replacement = true, hint
		}
		return d
	}
	switch {
	case strings.Contains(e.Msg, "support sets"):
		d.Code, d.Message = "set", "There are no sets in portable metaskills. Use a dict with `True` as value, or a list."
	case strings.Contains(e.Msg, "support while"):
		d.Code, d.Message = "while", "There is no `while`: every loop must have an end. Use `for attempt in range(10):` and `break`."
	case strings.HasSuffix(e.Msg, "not within a function") && !strings.HasPrefix(e.Msg, "return"):
		d.Code, d.Message = "top-level-control", "`if` and `for` are only allowed inside a function."
	case strings.HasPrefix(e.Msg, "cannot reassign"):
		d.Code = "reassign"
		_, name, _ := strings.Cut(e.Msg, "global ")
		name, _, _ = strings.Cut(name, " declared")
		if name != "" && !strings.Contains(name, " ") {
			d.Message = "The global name `" + name + "` is defined twice. A global can be assigned only once."
		}
	case strings.HasPrefix(e.Msg, "load"):
		d.Code, d.Message = "load", "Modules cannot be loaded. A program is one file."
	}
	return d
}
