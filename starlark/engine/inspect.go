package engine

import (
	"errors"
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"go.starlark.net/starlark"
)

const (
	maxRepr     = 200 // characters of a value in a list of variables
	maxChildren = 500
	evalSteps   = 10_000
)

// A variable as the debugger shows it. Ref is not 0 if it has parts; Expand lists them.
type variable struct {
	name, typ, repr, scope string
	ref                    int
}

func (v variable) json() object {
	o := object{{"name", v.name}, {"type", v.typ}, {"repr", v.repr}, {"scope", v.scope}}
	if v.ref > 0 {
		o = append(o, field{"ref", v.ref})
	}
	return o
}

// A pause is what can be seen while the program stands still.
type pause struct {
	run    *Run
	thread *starlark.Thread
	values []starlark.Value // by ref - 1
}

func newPause(r *Run, thread *starlark.Thread) *pause { return &pause{run: r, thread: thread} }

func (p *pause) variable(name string, v starlark.Value, scope string) variable {
	out := variable{name: name, scope: scope}
	if v == nil {
		out.typ, out.repr = "unassigned", "(not assigned yet)"
		return out
	}
	out.typ, out.repr = v.Type(), reprOf(v, maxRepr)
	if n := starlark.Len(v); n > 0 && (isContainer(v)) {
		p.values = append(p.values, v)
		out.ref = len(p.values)
	}
	return out
}

func isContainer(v starlark.Value) bool {
	switch v.(type) {
	case *starlark.List, starlark.Tuple, *starlark.Dict:
		return true
	}
	return false
}

// locals of a frame. A variable that an inner function uses lies in a cell, which the interpreter does not export.
func locals(thread *starlark.Thread, depth int, each func(name string, v starlark.Value, scope string)) {
	fr := thread.DebugFrame(depth)
	fn, ok := fr.Callable().(*starlark.Function)
	if !ok {
		return
	}
	for i := 0; i < fr.NumLocals(); i++ {
		binding, v := fr.Local(i)
		scope := "local"
		if v != nil && v.Type() == "cell" {
			v, scope = cellContent(v), "cell"
		}
		each(binding.Name, v, scope)
	}
	for i := 0; i < fn.NumFreeVars(); i++ {
		binding, v := fn.FreeVar(i)
		if v != nil && v.Type() == "cell" {
			v = cellContent(v)
		}
		each(binding.Name, v, "free")
	}
}

// cellContent reads the only field of the interpreter's unexported cell. A test pins its layout.
func cellContent(cell starlark.Value) starlark.Value {
	return *(*starlark.Value)(unsafe.Pointer(reflect.ValueOf(cell).Pointer()))
}

func globalsOf(thread *starlark.Thread, depth int) starlark.StringDict {
	if fn, ok := thread.DebugFrame(depth).Callable().(*starlark.Function); ok {
		return fn.Globals()
	}
	return nil
}

// json lists the frames, the innermost first. Frame 0 of the thread is $dbg itself.
func (p *pause) json(at Range, reason, note string) string {
	var frames []object
	for depth := 1; depth < p.thread.CallStackDepth(); depth++ {
		frame := p.thread.CallFrame(depth)
		var vars []object
		locals(p.thread, depth, func(name string, v starlark.Value, scope string) {
			vars = append(vars, p.variable(name, v, scope).json())
		})
		span := p.run.widen(frame.Pos)
		if depth == 1 {
			span = at
		}
		frames = append(frames, object{{"name", frame.Name}, {"range", span}, {"variables", vars}})
	}
	var globals []object
	dict := globalsOf(p.thread, 1)
	names := dict.Keys()
	sort.Strings(names)
	for _, name := range names {
		globals = append(globals, p.variable(name, dict[name], "global").json())
	}
	o := object{{"reason", reason}, {"file", p.run.src.File}, {"range", at}, {"frames", frames}, {"globals", globals}}
	if note != "" {
		o = append(o, field{"note", note})
	}
	return toJSON(o)
}

func (r *Run) currentPause() (*pause, error) {
	if r.debugger == nil {
		return nil, errors.New("this run is not debugged")
	}
	r.debugger.mu.Lock()
	defer r.debugger.mu.Unlock()
	if r.debugger.paused == nil {
		return nil, errors.New("the program is not paused")
	}
	return r.debugger.paused, nil
}

// Evaluate computes an expression in a frame of the paused program (0 is the innermost) and returns a variable as
// JSON. Host functions are not there: looking at a program must not spend its budget.
func (r *Run) Evaluate(frame int, expr string) (string, error) {
	p, err := r.currentPause()
	if err != nil {
		return "", err
	}
	if frame < 0 || frame+1 >= p.thread.CallStackDepth() {
		return "", errors.New("there is no such frame")
	}
	v, err := evaluate(p.thread, frame+1, expr)
	if err != nil {
		return "", err
	}
	return toJSON(p.variable(cut(expr, maxRepr), v, "result").json()), nil
}

// Expand lists the parts of a variable as JSON.
func (r *Run) Expand(ref int) (string, error) {
	p, err := r.currentPause()
	if err != nil {
		return "", err
	}
	if ref < 1 || ref > len(p.values) {
		return "", errors.New("there is no such variable")
	}
	var out []object
	switch v := p.values[ref-1].(type) {
	case *starlark.Dict:
		for _, item := range v.Items() {
			if len(out) < maxChildren {
				out = append(out, p.variable(reprOf(item[0], 60), item[1], "part").json())
			}
		}
	case starlark.Indexable:
		for i := 0; i < min(v.Len(), maxChildren); i++ {
			out = append(out, p.variable("["+strconv.Itoa(i)+"]", v.Index(i), "part").json())
		}
	}
	return toJSON(out), nil
}

// evaluate runs an expression beside the program, with its names and few steps.
func evaluate(thread *starlark.Thread, depth int, expr string) (v starlark.Value, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			v, err = nil, fmt.Errorf("%v", crash)
		}
	}()
	env := starlark.StringDict{}
	for name, v := range globalsOf(thread, depth) {
		env[name] = v
	}
	// The outer meaning of a name first, so that the inner one replaces it.
	locals(thread, depth, func(name string, v starlark.Value, _ string) {
		if v != nil {
			env[name] = v
		} else {
			delete(env, name)
		}
	})
	if chain, _ := longestChain(expr, lex(expr)); chain > maxChain {
		return nil, errors.New("the expression is too long")
	}
	beside := &starlark.Thread{Name: "evaluate", Print: func(*starlark.Thread, string) {}}
	beside.SetMaxExecutionSteps(evalSteps)
	return starlark.EvalOptions(&dialect, beside, "expression", expr, env)
}

// reprOf writes a value like repr(), but never more than n characters and never deeper than a few levels: the real one
// would follow a long or deep value to its end.
func reprOf(v starlark.Value, n int) string {
	var b strings.Builder
	writeRepr(&b, v, n, 0)
	text := b.String()
	if utf8.RuneCountInString(text) > n {
		runes := []rune(text)
		return string(runes[:n-1]) + "…"
	}
	return text
}

func writeRepr(b *strings.Builder, v starlark.Value, n, depth int) {
	if b.Len() > 4*n {
		return
	}
	switch v := v.(type) {
	case starlark.String:
		b.WriteString(starlark.String(strings.ToValidUTF8(cut(string(v), 4*n), "\uFFFD")).String())
	case starlark.Bytes:
		b.WriteString(starlark.Bytes(v[:min(len(v), n)]).String())
	case starlark.Int:
		if v.BigInt().BitLen() > 8*n {
			b.WriteString("(a number of more than " + strconv.Itoa(2*n) + " digits)")
		} else {
			b.WriteString(v.String())
		}
	case *starlark.Dict:
		writeItems(b, "{", "}", v.Len(), n, depth, func(each func(write func())) {
			for _, item := range v.Items() {
				each(func() {
					writeRepr(b, item[0], n, depth+1)
					b.WriteString(": ")
					writeRepr(b, item[1], n, depth+1)
				})
				if b.Len() > 4*n {
					return
				}
			}
		})
	case *starlark.List:
		writeIndexed(b, "[", "]", v, n, depth)
	case starlark.Tuple:
		end := ")"
		if len(v) == 1 {
			end = ",)"
		}
		writeIndexed(b, "(", end, v, n, depth)
	default:
		b.WriteString(v.String())
	}
}

func writeIndexed(b *strings.Builder, open, end string, v starlark.Indexable, n, depth int) {
	writeItems(b, open, end, v.Len(), n, depth, func(each func(write func())) {
		for i := 0; i < v.Len() && b.Len() <= 4*n; i++ {
			each(func() { writeRepr(b, v.Index(i), n, depth+1) })
		}
	})
}

func writeItems(b *strings.Builder, open, end string, count, n, depth int, items func(each func(write func()))) {
	b.WriteString(open)
	if depth >= 6 && count > 0 {
		b.WriteString("…")
	} else {
		first := true
		items(func(write func()) {
			if !first {
				b.WriteString(", ")
			}
			first = false
			write()
		})
	}
	b.WriteString(end)
}
