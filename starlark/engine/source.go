// Package engine is Lathe's Starlark: it checks, formats, analyses, runs and debugs the program of a metaskill.
// It knows nothing of JavaScript, so that `go test` covers it; package main connects it to a worker.
package engine

import (
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

// A Range is a piece of a source text. Lines count from 1, columns from 1 in UTF-16 units, the end is exclusive:
// what an editor in a browser counts in.
type Range struct {
	Line, Col, EndLine, EndCol int
}

// A Source is a program's text. A byte order mark is dropped before parsing; positions still count it.
type Source struct {
	File   string
	Text   string
	bom    bool
	starts []int  // byte offset of each line
	ascii  []bool // the line has one UTF-16 unit per byte
}

const byteOrderMark = "\uFEFF"

// NewSource reads lines as the Starlark scanner does: LF, CRLF and a lone CR end a line.
func NewSource(file, text string) *Source {
	s := &Source{File: file, Text: text}
	if strings.HasPrefix(text, byteOrderMark) {
		s.bom = true
		s.Text = text[len(byteOrderMark):]
	}
	ascii := true
	s.starts = append(s.starts, 0)
	for i := 0; i < len(s.Text); i++ {
		c := s.Text[i]
		if c >= utf8.RuneSelf {
			ascii = false
		}
		if c == '\n' || c == '\r' && !(i+1 < len(s.Text) && s.Text[i+1] == '\n') {
			s.starts = append(s.starts, i+1)
			s.ascii = append(s.ascii, ascii)
			ascii = true
		}
	}
	s.ascii = append(s.ascii, ascii)
	return s
}

// offset is the byte offset of a scanner position, whose columns count code points.
func (s *Source) offset(line, col int) int {
	if line < 1 {
		return 0
	}
	if line > len(s.starts) {
		return len(s.Text)
	}
	at := s.starts[line-1]
	if s.ascii[line-1] {
		return min(at+max(col-1, 0), len(s.Text))
	}
	for n := 1; n < col && at < len(s.Text); n++ {
		_, size := utf8.DecodeRuneInString(s.Text[at:])
		at += size
	}
	return at
}

// place turns a byte offset into line and column.
func (s *Source) place(offset int) (line, col int) {
	lo, hi := 0, len(s.starts)-1
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if s.starts[mid] <= offset {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	col = 1
	if lo == 0 && s.bom {
		col = 2
	}
	if s.ascii[lo] {
		return lo + 1, col + offset - s.starts[lo]
	}
	for _, r := range s.Text[s.starts[lo]:min(offset, len(s.Text))] {
		col += utf16Width(r)
	}
	return lo + 1, col
}

func utf16Width(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

func (s *Source) span(start, end int) Range {
	var r Range
	r.Line, r.Col = s.place(start)
	r.EndLine, r.EndCol = s.place(max(start, end))
	return r
}

func (s *Source) at(p syntax.Position) int { return s.offset(int(p.Line), int(p.Col)) }

// Point is the empty range at a scanner position.
func (s *Source) point(p syntax.Position) Range {
	at := s.at(p)
	return s.span(at, at)
}

// node is the range of a syntax node. The parser leaves the closing bracket out of some spans.
func (s *Source) node(n syntax.Node) Range {
	start, end := n.Span()
	to := s.at(end)
	switch n := n.(type) {
	case *syntax.IndexExpr, *syntax.SliceExpr, *syntax.LoadStmt:
		to++
	case *syntax.TupleExpr:
		if n.Lparen.IsValid() {
			to++
		}
	default:
		to = s.endOf(n, to)
	}
	return s.span(s.at(start), to)
}

// endOf corrects the end of nodes that end with one of the nodes above.
func (s *Source) endOf(n syntax.Node, otherwise int) int {
	switch n := n.(type) {
	case *syntax.IndexExpr, *syntax.SliceExpr, *syntax.LoadStmt:
		return s.at(syntax.End(n)) + 1
	case *syntax.TupleExpr:
		if n.Lparen.IsValid() {
			return s.at(syntax.End(n)) + 1
		}
		return s.endOf(n.List[len(n.List)-1], otherwise)
	case *syntax.AssignStmt:
		return s.endOf(n.RHS, otherwise)
	case *syntax.ExprStmt:
		return s.endOf(n.X, otherwise)
	case *syntax.ReturnStmt:
		if n.Result != nil {
			return s.endOf(n.Result, otherwise)
		}
	case *syntax.BinaryExpr:
		return s.endOf(n.Y, otherwise)
	case *syntax.UnaryExpr:
		if n.X != nil {
			return s.endOf(n.X, otherwise)
		}
	case *syntax.CondExpr:
		return s.endOf(n.False, otherwise)
	case *syntax.LambdaExpr:
		return s.endOf(n.Body, otherwise)
	case *syntax.DictEntry:
		return s.endOf(n.Value, otherwise)
	case *syntax.DefStmt:
		return s.endOf(n.Body[len(n.Body)-1], otherwise)
	case *syntax.ForStmt:
		return s.endOf(n.Body[len(n.Body)-1], otherwise)
	case *syntax.WhileStmt:
		return s.endOf(n.Body[len(n.Body)-1], otherwise)
	case *syntax.IfStmt:
		body := n.False
		if body == nil {
			body = n.True
		}
		return s.endOf(body[len(body)-1], otherwise)
	}
	return otherwise
}

// text is the source of a node.
func (s *Source) text(n syntax.Node) string {
	start, end := n.Span()
	from := s.at(start)
	to := s.endOf(n, s.at(end))
	if from >= to || to > len(s.Text) {
		return ""
	}
	return s.Text[from:to]
}
