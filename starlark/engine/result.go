package engine

import (
	"errors"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Kind says what ended a run. It is recorded where the end is decided, never read from a message: a program may
// write `fail("timeout")`.
type Kind string

const (
	KindSyntax    Kind = "syntax"
	KindResolve   Kind = "resolve"
	KindInput     Kind = "input"    // the input is not JSON, or not an object
	KindRuntime   Kind = "runtime"  // the program failed
	KindHost      Kind = "host"     // a host function refused; Code says why
	KindContract  Kind = "contract" // no run(input), or a result that is neither None, string nor dict
	KindValue     Kind = "value"    // a result that is not JSON
	KindCancelled Kind = "cancelled"
	KindTimeout   Kind = "timeout"
	KindSteps     Kind = "steps"
	KindMemory    Kind = "memory"
	KindEngine    Kind = "engine" // a fault of the engine itself
)

// A Frame is one level of the call stack, the outermost first.
type Frame struct {
	Name    string
	Range   Range
	Builtin bool
}

// An Error is why a run gave no value.
type Error struct {
	Kind        Kind
	Code        string // of a refusing host: "budget", …
	Message     string
	Where       *Range // the innermost place in the program
	Stack       []Frame
	Diagnostics []Diagnostic
}

// Stats of a run. Time that was spent paused or waiting for a person is in HeldMs and not in Ms.
type Stats struct {
	Steps  uint64
	Ms     float64
	HostMs float64
	HeldMs float64
}

// A Result of a run: a value as JSON text, or an error.
type Result struct {
	Value string
	Type  string // "NoneType", "string" or "dict"
	Err   *Error
	Stats Stats
}

func (r *Result) JSON(file string) string {
	stats := object{{"steps", r.Stats.Steps}, {"ms", r.Stats.Ms}, {"hostMs", r.Stats.HostMs}, {"heldMs", r.Stats.HeldMs}}
	if r.Err == nil {
		return toJSON(object{{"ok", true}, {"valueJson", r.Value}, {"valueType", r.Type}, {"stats", stats}})
	}
	return toJSON(object{{"ok", false}, {"error", r.Err.json(file)}, {"stats", stats}})
}

func (e *Error) json(file string) object {
	o := object{{"kind", string(e.Kind)}, {"message", e.Message}}
	if e.Code != "" {
		o = append(o, field{"code", e.Code})
	}
	if e.Where != nil {
		o = append(o, field{"file", file}, field{"range", *e.Where})
	}
	stack := make([]object, len(e.Stack))
	for i, f := range e.Stack {
		stack[i] = f.json()
	}
	o = append(o, field{"stack", stack})
	if e.Diagnostics != nil {
		o = append(o, field{"diagnostics", diagnosticsJSON(e.Diagnostics)})
	}
	return o
}

func (f Frame) json() object {
	o := object{{"name", f.Name}, {"builtin", f.Builtin}}
	if !f.Builtin {
		o = append(o, field{"range", f.Range})
	}
	return o
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// describe turns an error of the interpreter into one of ours. `kind` is what the run has recorded, or runtime.
func (r *Run) describe(err error, kind Kind) *Error {
	e := &Error{Kind: kind, Message: err.Error()}
	var eval *starlark.EvalError
	if !errors.As(err, &eval) {
		return e
	}
	for _, fr := range eval.CallStack {
		if fr.Name == debugName {
			continue
		}
		e.Stack = append(e.Stack, r.frame(fr.Name, fr.Pos))
	}
	for i := len(e.Stack) - 1; i >= 0; i-- {
		if !e.Stack[i].Builtin {
			where := e.Stack[i].Range
			e.Where = &where
			break
		}
	}
	return e
}

func (r *Run) frame(name string, pos syntax.Position) Frame {
	if pos.Filename() != r.src.File || pos.Line == 0 {
		return Frame{Name: name, Builtin: true}
	}
	return Frame{Name: name, Range: r.widen(pos)}
}

// widen finds the expression or statement that a run-time position belongs to: the interpreter only names the operator
// or bracket that failed.
func (r *Run) widen(pos syntax.Position) Range {
	if found, ok := r.ranges[[2]int32{pos.Line, pos.Col}]; ok {
		return found
	}
	return r.src.point(pos)
}

// operatorRanges maps the positions that the compiler records to the ranges of their nodes.
func operatorRanges(src *Source, file *syntax.File) map[[2]int32]Range {
	out := map[[2]int32]Range{}
	syntax.Walk(file, func(n syntax.Node) bool {
		var pos syntax.Position
		switch n := n.(type) {
		case *syntax.CallExpr:
			pos = n.Lparen
		case *syntax.IndexExpr:
			pos = n.Lbrack
		case *syntax.SliceExpr:
			pos = n.Lbrack
		case *syntax.DotExpr:
			pos = n.Dot
		case *syntax.BinaryExpr:
			pos = n.OpPos
		case *syntax.UnaryExpr:
			pos = n.OpPos
		case *syntax.AssignStmt:
			pos = n.OpPos
		case *syntax.Ident:
			pos = n.NamePos
		case *syntax.LoadStmt:
			pos = n.Load
		case *syntax.ForStmt:
			out[key(n.For)] = src.node(n.X)
			return true
		case *syntax.ForClause:
			out[key(n.For)] = src.node(n.X)
			return true
		default:
			return true
		}
		if _, taken := out[key(pos)]; !taken {
			out[key(pos)] = src.node(n)
		}
		return true
	})
	return out
}

func key(p syntax.Position) [2]int32 { return [2]int32{p.Line, p.Col} }
