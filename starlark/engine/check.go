package engine

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// dialect is the portable one: no while, no recursion, no sets, no top-level control flow, no reassigned globals.
var dialect = syntax.FileOptions{}

// hostFunctions are all that a program gets beside the built-in functions of the language.
var hostFunctions = []string{"ask", "command", "trace"}

func isHostFunction(name string) bool {
	for _, fn := range hostFunctions {
		if fn == name {
			return true
		}
	}
	return false
}

const (
	maxSource      = 1 << 20 // bytes; a larger program does not run
	maxChain       = 1500    // operators; see longestChain
	maxDiagnostics = 100
)

// A Diagnostic is one thing that keeps a program from running.
type Diagnostic struct {
	Kind        string // "syntax" or "resolve"
	Code        string // what it is about, for rules and documentation: "undefined", "while", "f-string", …
	Message     string // for the author
	Original    string // in the words of the Starlark implementation
	Range       Range
	Replacement string // what would repair the range, if that can be said; see HasFix
	HasFix      bool
}

func (d Diagnostic) json() object {
	o := object{{"kind", d.Kind}, {"code", d.Code}, {"message", d.Message}, {"original", d.Original}, {"range", d.Range}}
	if d.HasFix {
		o = append(o, field{"replacement", d.Replacement})
	}
	return o
}

func diagnosticsJSON(list []Diagnostic) []object {
	out := make([]object, len(list))
	for i, d := range list {
		out[i] = d.json()
	}
	return out
}

// A Parsed program: whatever could be parsed, and everything that is wrong with it.
type Parsed struct {
	Source      *Source
	File        *syntax.File // never nil; holds the statements around syntax errors
	Diagnostics []Diagnostic
	broken      bool // there are syntax errors
	tokens      []token
}

func isPredeclared(name string) bool { return isHostFunction(name) }

// Check parses and resolves a program and reports all errors, not only the first.
func Check(src *Source) *Parsed {
	p := &Parsed{Source: src, File: &syntax.File{Path: src.File, Options: &dialect}}
	if d, ok := refuse(src); ok {
		p.Diagnostics = []Diagnostic{d}
		p.broken = true
		return p
	}
	p.tokens = lex(src.Text)
	if chain, at := longestChain(src.Text, p.tokens); chain > maxChain {
		message := fmt.Sprintf("This expression has more than %d operators in a row. Split it.", maxChain)
		p.Diagnostics = []Diagnostic{{Kind: "syntax", Code: "too-long", Message: message, Original: message, Range: src.span(at.start, at.end)}}
		p.broken = true
		return p
	}
	p.parse()
	p.resolve()
	return p
}

// refuse answers for texts that must not reach the parser.
func refuse(src *Source) (Diagnostic, bool) {
	d := Diagnostic{Kind: "syntax", Range: src.span(0, 0)}
	switch at := strings.IndexByte(src.Text, 0); {
	case len(src.Text) > maxSource:
		d.Code, d.Message = "too-long", "The program is larger than 1 MiB."
	case !utf8.ValidString(src.Text):
		d.Code, d.Message = "not-utf8", "The program is not UTF-8."
	case at >= 0:
		// The scanner would take it for the end of the file and ignore the rest.
		d.Code, d.Message, d.Range = "nul", "The program contains a NUL character.", src.span(at, at+1)
		d.HasFix = true
	case strings.HasPrefix(src.Text, "---\n") || strings.HasPrefix(src.Text, "---\r\n"):
		d.Code, d.Message, d.Range = "frontmatter", "A program has no frontmatter of its own; all metadata belongs to SKILL.md.", src.span(0, 3)
	default:
		return d, false
	}
	d.Original = d.Message
	return d, true
}

// parse goes on after a syntax error at the next line that starts a top-level statement.
func (p *Parsed) parse() {
	src := p.Source
	for line := 1; line <= len(src.starts) && len(p.Diagnostics) < maxDiagnostics; {
		file, err := parsePortion(src, line, len(src.starts)+1)
		if err == nil {
			p.File.Stmts = append(p.File.Stmts, file.Stmts...)
			return
		}
		p.broken = true
		var bad syntax.Error
		if !errors.As(err, &bad) {
			p.Diagnostics = append(p.Diagnostics, Diagnostic{Kind: "syntax", Code: "syntax", Message: err.Error(), Original: err.Error()})
			return
		}
		p.Diagnostics = append(p.Diagnostics, p.syntaxError(bad))
		badLine := int(bad.Pos.Line)
		// What stands before the broken statement is good, and the outline should keep it.
		if first := p.statementLine(badLine); first > line {
			if file, err := parsePortion(src, line, first); err == nil {
				p.File.Stmts = append(p.File.Stmts, file.Stmts...)
			}
		}
		line = badLine + 1
		for line <= len(src.starts) && !p.startsStatement(line) {
			line++
		}
	}
}

// startsStatement reports whether a line begins in column 1 with a word.
func (p *Parsed) startsStatement(line int) bool {
	at := p.Source.starts[line-1]
	return at < len(p.Source.Text) && isNameStart(p.Source.Text[at])
}

// statementLine is the line in which the top-level statement around a line starts.
func (p *Parsed) statementLine(line int) int {
	line = min(line, len(p.Source.starts))
	for line > 1 && !p.startsStatement(line) {
		line--
	}
	return line
}

func parsePortion(src *Source, from, to int) (*syntax.File, error) {
	end := len(src.Text)
	if to <= len(src.starts) {
		end = src.starts[to-1]
	}
	portion := syntax.FilePortion{Content: []byte(src.Text[src.starts[from-1]:end]), FirstLine: int32(from), FirstCol: 1}
	return dialect.Parse(src.File, portion, 0)
}

func (p *Parsed) resolve() {
	err := resolve.File(p.File, isPredeclared, starlark.Universe.Has)
	var list resolve.ErrorList
	if !errors.As(err, &list) {
		return
	}
	for _, e := range list {
		d := p.resolveError(e)
		// The definition may stand in the part that could not be parsed.
		if p.broken && d.Code == "undefined" {
			continue
		}
		if len(p.Diagnostics) < maxDiagnostics {
			p.Diagnostics = append(p.Diagnostics, d)
		}
	}
}

// tokenAt finds the token at a byte offset: the one that holds it, or ends there. Many syntax errors are reported at
// the end of the token that is wrong.
func (p *Parsed) tokenAt(offset int) (index int, ok bool) {
	for i, t := range p.tokens {
		if t.start <= offset && offset < t.end && t.kind != tokNewline {
			// At the start of a token it may be this one or the one before it.
			if t.start == offset && i > 0 && p.tokens[i-1].end == offset && p.tokens[i-1].kind != tokNewline {
				return i - 1, true
			}
			return i, true
		}
		if t.end == offset && t.kind != tokNewline {
			return i, true
		}
		if t.start > offset {
			break
		}
	}
	return 0, false
}

// lastTokenBefore is the last token that starts before an offset, newlines left out.
func (p *Parsed) lastTokenBefore(offset int) (index int, ok bool) {
	for i := len(p.tokens) - 1; i >= 0; i-- {
		if t := p.tokens[i]; t.start < offset && t.kind != tokNewline {
			return i, true
		}
	}
	return 0, false
}
