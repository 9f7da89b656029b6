package engine

import (
	"sync"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// debugName cannot be typed in a program, so that it clashes with nothing.
const debugName = "$dbg"

// The interpreter knows positions only of operations that can fail, so that its own hook misses many statements.
// Instead a call of $dbg stands before every statement of a program that is debugged. A run without debugger is not
// touched and pays nothing.

type Breakpoint struct {
	Line      int
	Condition string // an expression; empty: always
}

type DebugOptions struct {
	Breakpoints []Breakpoint
	StopOnEntry bool
}

// A Command says how to go on from a pause.
type Command string

const (
	Continue Command = "continue"
	StepIn   Command = "stepIn"
	StepOver Command = "stepOver"
	StepOut  Command = "stepOut"
)

// a place in the program where it can stop
type stop struct {
	span  Range
	first bool // the first statement that starts in its line
}

type debugger struct {
	run   *Run
	stops []stop

	mu          sync.Mutex
	breakpoints map[int]string // by line, the condition
	pausing     bool           // stop at the next statement
	mode        Command
	depth       int // of the stack when the step began
	resume      chan Command
	paused      *pause
}

func newDebugger(r *Run, opts DebugOptions) *debugger {
	d := &debugger{run: r, mode: Continue, resume: make(chan Command)}
	if opts.StopOnEntry {
		d.mode = StepIn
		d.depth = -1
	}
	d.setBreakpoints(opts.Breakpoints)
	return d
}

// instrument puts a call of $dbg before every statement, with the number of the stop as argument.
func (d *debugger) instrument(file *syntax.File) {
	lines := map[int]bool{}
	file.Stmts = d.statements(file.Stmts, lines)
	d.mu.Lock()
	defer d.mu.Unlock()
	moved := map[int]string{}
	for line, condition := range d.breakpoints {
		if at, ok := nextStop(d.stops, line); ok {
			moved[at] = condition
		}
	}
	d.breakpoints = moved
}

// nextStop is the first line at or after a line in which a statement starts.
func nextStop(stops []stop, line int) (found int, ok bool) {
	for _, s := range stops {
		if s.first && s.span.Line >= line && (!ok || s.span.Line < found) {
			found, ok = s.span.Line, true
		}
	}
	return found, ok
}

func (d *debugger) statements(list []syntax.Stmt, lines map[int]bool) []syntax.Stmt {
	out := make([]syntax.Stmt, 0, 2*len(list))
	for _, s := range list {
		if !skipped(s) {
			out = append(out, d.mark(s, lines))
		}
		switch s := s.(type) {
		case *syntax.DefStmt:
			s.Body = d.statements(s.Body, lines)
		case *syntax.ForStmt:
			s.Body = d.statements(s.Body, lines)
		case *syntax.WhileStmt:
			s.Body = d.statements(s.Body, lines)
		case *syntax.IfStmt:
			s.True = d.statements(s.True, lines)
			if s.False != nil {
				s.False = d.statements(s.False, lines)
			}
		}
		out = append(out, s)
	}
	return out
}

// skipped: a docstring does nothing, and nothing may stand before a load.
func skipped(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.LoadStmt:
		return true
	case *syntax.ExprStmt:
		literal, ok := s.X.(*syntax.Literal)
		return ok && literal.Token == syntax.STRING
	}
	return false
}

func (d *debugger) mark(s syntax.Stmt, lines map[int]bool) syntax.Stmt {
	pos := syntax.Start(s)
	span := headRange(d.run.src, s)
	d.stops = append(d.stops, stop{span, !lines[span.Line]})
	lines[span.Line] = true
	return &syntax.ExprStmt{X: &syntax.CallExpr{
		Fn:     &syntax.Ident{NamePos: pos, Name: debugName},
		Lparen: pos,
		Args:   []syntax.Expr{&syntax.Literal{Token: syntax.INT, TokenPos: pos, Raw: "0", Value: int64(len(d.stops) - 1)}},
		Rparen: pos,
	}}
}

// headRange is a statement without the block inside it.
func headRange(src *Source, s syntax.Stmt) Range {
	var end syntax.Node
	switch s := s.(type) {
	case *syntax.DefStmt:
		return src.span(src.at(s.Def), src.at(s.Rparen)+1)
	case *syntax.ForStmt:
		end = s.X
	case *syntax.WhileStmt:
		end = s.Cond
	case *syntax.IfStmt:
		end = s.Cond
	default:
		return src.node(s)
	}
	r, e := src.point(syntax.Start(s)), src.node(end)
	r.EndLine, r.EndCol = e.EndLine, e.EndCol
	return r
}

// StopLines are the lines of a program in which a breakpoint can stand.
func StopLines(p *Parsed) []int {
	out := []int{}
	seen := map[int]bool{}
	syntax.Walk(p.File, func(n syntax.Node) bool {
		if s, ok := n.(syntax.Stmt); ok && !skipped(s) {
			if line, _ := p.Source.place(p.Source.at(syntax.Start(s))); !seen[line] {
				seen[line] = true
				out = append(out, line)
			}
		}
		return true
	})
	return out
}

func (d *debugger) setBreakpoints(list []Breakpoint) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.breakpoints = map[int]string{}
	for _, b := range list {
		line := b.Line
		if d.stops != nil {
			at, ok := nextStop(d.stops, line)
			if !ok {
				continue
			}
			line = at
		}
		d.breakpoints[line] = b.Condition
	}
}

// SetBreakpoints replaces all breakpoints, also while the program runs.
func (r *Run) SetBreakpoints(list []Breakpoint) {
	if r.debugger != nil {
		r.debugger.setBreakpoints(list)
	}
}

// Pause stops the program before its next statement.
func (r *Run) Pause() {
	if d := r.debugger; d != nil {
		d.mu.Lock()
		d.pausing = true
		d.mu.Unlock()
	}
}

// Resume goes on from a pause. It does nothing while the program runs.
func (r *Run) Resume(how Command) {
	d := r.debugger
	if d == nil {
		return
	}
	d.mu.Lock()
	paused := d.paused != nil
	d.mu.Unlock()
	if paused {
		select {
		case d.resume <- how:
		case <-time.After(time.Second):
		}
	}
}

// statement is $dbg.
func (d *debugger) statement(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	index, err := starlark.AsInt32(args[0])
	if err != nil {
		return nil, err
	}
	at := d.stops[index]
	reason, note := d.reason(thread, at)
	if reason == "" {
		return starlark.None, nil
	}
	return starlark.None, d.pause(thread, at, reason, note)
}

// reason says why to stop here, if so.
func (d *debugger) reason(thread *starlark.Thread, at stop) (reason, note string) {
	d.mu.Lock()
	depth := thread.CallStackDepth()
	condition, marked := d.breakpoints[at.span.Line]
	pausing, mode, from := d.pausing, d.mode, d.depth
	d.mu.Unlock()
	switch {
	case pausing:
		return "pause", ""
	case mode == StepIn && from < 0:
		return "entry", ""
	case mode == StepIn, mode == StepOver && depth <= from, mode == StepOut && depth < from:
		return "step", ""
	case !marked || !at.first:
		return "", ""
	case condition == "":
		return "breakpoint", ""
	}
	value, err := evaluate(thread, 1, condition)
	if err != nil {
		return "breakpoint", "The condition cannot be evaluated: " + err.Error()
	}
	if value.Truth() {
		return "breakpoint", ""
	}
	return "", ""
}

// pause waits for a command. Time does not count meanwhile.
func (d *debugger) pause(thread *starlark.Thread, at stop, reason, note string) error {
	r := d.run
	p := newPause(r, thread)
	d.mu.Lock()
	d.pausing = false
	d.paused = p
	d.mu.Unlock()
	r.clock.hold()
	r.host.Paused(p.json(at.span, reason, note))
	defer func() {
		d.mu.Lock()
		d.paused = nil
		d.mu.Unlock()
		r.clock.release()
	}()
	for {
		select {
		case how := <-d.resume:
			d.mu.Lock()
			d.mode, d.depth = how, thread.CallStackDepth()
			d.mu.Unlock()
			return nil
		case <-r.wake:
			if r.stopped() != nil {
				return r.checkpoint(thread)
			}
		}
	}
}
