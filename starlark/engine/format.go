package engine

import (
	"fmt"
	"strings"

	"github.com/bazelbuild/buildtools/build"
	"go.starlark.net/syntax"
)

// Format lays a program out in the common style. A program with syntax errors, or one whose meaning the formatter would
// change, is refused.
func Format(src *Source) (string, []Diagnostic) {
	if d, ok := refuse(src); ok {
		return "", []Diagnostic{d}
	}
	if p := Check(src); p.broken {
		return "", p.Diagnostics
	}
	// The formatter writes LF only.
	crlf := strings.Contains(src.Text, "\r\n")
	text := strings.ReplaceAll(strings.ReplaceAll(src.Text, "\r\n", "\n"), "\r", "\n")
	out, err := layOut(src.File, text)
	if err == nil {
		var again string
		// The first pass may join lines that the second one lays out anew.
		for i := 0; i < 3 && err == nil; i++ {
			if again, err = layOut(src.File, out); err == nil && again == out {
				break
			}
			out = again
		}
	}
	if err != nil || shape(src.File, text) != shape(src.File, out) {
		message := "The formatter does not understand this program."
		d := Diagnostic{Kind: "syntax", Code: "format", Message: message, Original: message, Range: src.span(0, 0)}
		if err != nil {
			d.Original = err.Error()
		}
		return "", []Diagnostic{d}
	}
	if crlf {
		out = strings.ReplaceAll(out, "\n", "\r\n")
	}
	return out, nil
}

func layOut(file, text string) (string, error) {
	tree, err := build.ParseDefault(file, []byte(text))
	if err != nil {
		return "", err
	}
	return string(build.FormatWithoutRewriting(tree)), nil
}

// shape writes down what a program means: its tree without positions and comments.
func shape(file, text string) string {
	tree, err := dialect.Parse(file, text, 0)
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	syntax.Walk(tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case nil:
			out.WriteByte(')')
			return true
		case *syntax.Ident:
			fmt.Fprintf(&out, "(%s", n.Name)
		case *syntax.Literal:
			fmt.Fprintf(&out, "(%s %v", n.Token, n.Value)
		case *syntax.BinaryExpr:
			fmt.Fprintf(&out, "(%s", n.Op)
		case *syntax.UnaryExpr:
			fmt.Fprintf(&out, "(u%s", n.Op)
		case *syntax.AssignStmt:
			fmt.Fprintf(&out, "(%s", n.Op)
		case *syntax.BranchStmt:
			fmt.Fprintf(&out, "(%s", n.Token)
		case *syntax.SliceExpr:
			fmt.Fprintf(&out, "(slice %t %t %t", n.Lo != nil, n.Hi != nil, n.Step != nil)
		case *syntax.IfStmt:
			fmt.Fprintf(&out, "(if %d %d", len(n.True), len(n.False))
		case *syntax.Comprehension:
			fmt.Fprintf(&out, "(comp %t", n.Curly)
		default:
			fmt.Fprintf(&out, "(%T", n)
		}
		return true
	})
	return out.String()
}
