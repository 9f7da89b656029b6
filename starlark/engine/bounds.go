package engine

import (
	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// How often a loop can run at most, read from the program. Whatever cannot be known is unbounded.

const unbounded = int64(1) << 40

func plus(a, b int64) int64 { return min(a+b, unbounded) }

func times(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	if a >= unbounded/b {
		return unbounded
	}
	return a * b
}

type bounds struct {
	flow *flow
	busy map[*syntax.Ident]bool
}

func newBounds(f *flow) *bounds { return &bounds{flow: f, busy: map[*syntax.Ident]bool{}} }

// each asks a question about everything that a name is given and returns the largest answer.
func (b *bounds) each(id *syntax.Ident, ask func(syntax.Expr) (int64, bool)) (int64, bool) {
	at := first(id)
	if at == nil || b.busy[at] || b.flow.mutated[at] || len(b.flow.sources[at]) == 0 {
		return 0, false
	}
	b.busy[at] = true
	defer delete(b.busy, at)
	// A parameter of a function that may be called with anything.
	if v := b.flow.at(at); v.types&(tInput) != 0 {
		return 0, false
	}
	var most int64
	for _, s := range b.flow.sources[at] {
		if s.opaque || s.element {
			return 0, false
		}
		n, ok := ask(s.expr)
		if !ok {
			return 0, false
		}
		most = max(most, n)
	}
	return most, true
}

// constant is the value of an integer expression that is always the same.
func (b *bounds) constant(e syntax.Expr) (int64, bool) {
	switch e := unparen(e).(type) {
	case *syntax.Literal:
		n, ok := e.Value.(int64)
		return n, ok && e.Token == syntax.INT
	case *syntax.UnaryExpr:
		if e.Op == syntax.MINUS {
			n, ok := b.constant(e.X)
			return -n, ok
		}
	case *syntax.Ident:
		at := first(e)
		if at == nil || b.busy[at] || b.flow.mutated[at] || len(b.flow.sources[at]) != 1 {
			return 0, false
		}
		s := b.flow.sources[at][0]
		if s.opaque || s.element {
			return 0, false
		}
		b.busy[at] = true
		defer delete(b.busy, at)
		return b.constant(s.expr)
	case *syntax.BinaryExpr:
		x, okX := b.constant(e.X)
		y, okY := b.constant(e.Y)
		if okX && okY {
			return arithmetic(e.Op, x, y)
		}
	}
	return 0, false
}

func arithmetic(op syntax.Token, x, y int64) (int64, bool) {
	if x > unbounded || y > unbounded || x < -unbounded || y < -unbounded {
		return 0, false
	}
	switch op {
	case syntax.PLUS:
		return x + y, true
	case syntax.MINUS:
		return x - y, true
	case syntax.STAR:
		if x != 0 && y != 0 && (x > 1<<20 || y > 1<<20 || x < -(1<<20) || y < -(1<<20)) {
			return 0, false
		}
		return x * y, true
	case syntax.SLASHSLASH:
		if y > 0 && x >= 0 {
			return x / y, true
		}
	}
	return 0, false
}

// most is the largest value that an integer expression can have.
func (b *bounds) most(e syntax.Expr) (int64, bool) {
	if n, ok := b.constant(e); ok {
		return n, true
	}
	switch e := unparen(e).(type) {
	case *syntax.Ident:
		return b.each(e, b.most)
	case *syntax.BinaryExpr:
		x, okX := b.most(e.X)
		y, okY := b.most(e.Y)
		if okX && okY && e.Op == syntax.PLUS {
			return plus(x, y), true
		}
		if okX && okY && e.Op == syntax.STAR && x >= 0 && y >= 0 {
			return times(x, y), true
		}
		if y, ok := b.constant(e.Y); ok && okX && e.Op == syntax.MINUS {
			return x - y, true
		}
	case *syntax.CondExpr:
		x, okX := b.most(e.True)
		y, okY := b.most(e.False)
		return max(x, y), okX && okY
	case *syntax.CallExpr:
		switch builtinName(e.Fn) {
		case "len":
			if len(e.Args) == 1 {
				return b.length(e.Args[0])
			}
		case "min":
			return b.smallest(e.Args)
		case "max":
			if len(e.Args) < 2 {
				return 0, false
			}
			var out int64
			for _, arg := range e.Args {
				n, ok := b.most(arg)
				if !ok {
					return 0, false
				}
				out = max(out, n)
			}
			return out, true
		case "int":
			if len(e.Args) == 1 {
				return b.most(e.Args[0])
			}
		}
	}
	return 0, false
}

// smallest: min(…) is at most any of its arguments.
func (b *bounds) smallest(args []syntax.Expr) (out int64, found bool) {
	if len(args) < 2 {
		return 0, false
	}
	for _, arg := range args {
		if n, ok := b.most(arg); ok && (!found || n < out) {
			out, found = n, true
		}
	}
	return out, found
}

func builtinName(e syntax.Expr) string {
	if id, ok := e.(*syntax.Ident); ok && scopeOf(id) == resolve.Universal {
		return id.Name
	}
	return ""
}

// length is the largest number of elements that an expression can have.
func (b *bounds) length(e syntax.Expr) (int64, bool) {
	switch e := unparen(e).(type) {
	case *syntax.ListExpr:
		return int64(len(e.List)), true
	case *syntax.TupleExpr:
		return int64(len(e.List)), true
	case *syntax.DictExpr:
		return int64(len(e.List)), true
	case *syntax.Ident:
		return b.each(e, b.length)
	case *syntax.CondExpr:
		x, okX := b.length(e.True)
		y, okY := b.length(e.False)
		return max(x, y), okX && okY
	case *syntax.BinaryExpr:
		return b.lengthOfBinary(e)
	case *syntax.SliceExpr:
		return b.lengthOfSlice(e)
	case *syntax.Comprehension:
		out := int64(1)
		for _, clause := range e.Clauses {
			if c, ok := clause.(*syntax.ForClause); ok {
				n, ok := b.length(c.X)
				if !ok {
					return 0, false
				}
				out = times(out, n)
			}
		}
		return out, true
	case *syntax.CallExpr:
		return b.lengthOfCall(e)
	}
	return 0, false
}

func (b *bounds) lengthOfBinary(e *syntax.BinaryExpr) (int64, bool) {
	x, okX := b.length(e.X)
	switch e.Op {
	case syntax.PLUS:
		y, okY := b.length(e.Y)
		return plus(x, y), okX && okY
	case syntax.OR:
		y, okY := b.length(e.Y)
		return max(x, y), okX && okY
	case syntax.STAR:
		n, ok := b.constant(e.Y)
		return times(x, max(n, 0)), okX && ok
	}
	return 0, false
}

func (b *bounds) lengthOfSlice(e *syntax.SliceExpr) (int64, bool) {
	whole, known := b.length(e.X)
	lo := int64(0)
	if e.Lo != nil {
		n, ok := b.constant(e.Lo)
		// The last n elements.
		if ok && n < 0 && e.Hi == nil {
			if known {
				return min(whole, -n), true
			}
			return -n, true
		}
		if ok && n > 0 {
			lo = n
		}
	}
	if e.Hi != nil && e.Step == nil {
		if hi, ok := b.constant(e.Hi); ok && hi >= 0 {
			n := max(hi-lo, 0)
			if known {
				n = min(n, whole)
			}
			return n, true
		}
	}
	return whole, known
}

func (b *bounds) lengthOfCall(e *syntax.CallExpr) (int64, bool) {
	if dot, ok := e.Fn.(*syntax.DotExpr); ok {
		switch dot.Name.Name {
		case "items", "keys", "values":
			return b.length(dot.X)
		}
		return 0, false
	}
	switch builtinName(e.Fn) {
	case "range":
		return b.lengthOfRange(e.Args)
	case "enumerate", "reversed", "sorted", "list", "tuple":
		if len(e.Args) == 0 {
			return 0, true
		}
		return b.length(e.Args[0])
	case "zip":
		var out int64
		found := false
		for _, arg := range e.Args {
			if n, ok := b.length(arg); ok && (!found || n < out) {
				out, found = n, true
			}
		}
		return out, found
	}
	return 0, false
}

func (b *bounds) lengthOfRange(args []syntax.Expr) (int64, bool) {
	switch len(args) {
	case 1:
		n, ok := b.most(args[0])
		return max(n, 0), ok
	case 2:
		from, ok := b.constant(args[0])
		to, ok2 := b.most(args[1])
		return max(to-from, 0), ok && ok2
	case 3:
		from, ok := b.constant(args[0])
		to, ok2 := b.constant(args[1])
		step, ok3 := b.constant(args[2])
		if !ok || !ok2 || !ok3 || step == 0 {
			return 0, false
		}
		if step < 0 {
			from, to, step = to, from, -step
		}
		return max((to-from+step-1)/step, 0), true
	}
	return 0, false
}
