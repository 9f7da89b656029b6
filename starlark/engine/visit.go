package engine

import (
	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// A visitor goes through a program once, with the function around each node, and notes facts.
type visitor struct {
	facts *facts
	fn    *function
}

func (v *visitor) stmts(list []syntax.Stmt) {
	dead := false
	for _, s := range list {
		if dead {
			v.facts.note("unreachable", headRange(v.facts.parsed.Source, s))
			dead = false
		}
		v.stmt(s)
		if ends(s) {
			dead = true
		}
	}
}

// ends reports whether nothing after a statement is reached.
func ends(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.ReturnStmt:
		return true
	case *syntax.BranchStmt:
		return s.Token != syntax.PASS
	case *syntax.ExprStmt:
		call, ok := s.X.(*syntax.CallExpr)
		return ok && builtinName(call.Fn) == "fail"
	case *syntax.IfStmt:
		return len(s.False) > 0 && ends(s.True[len(s.True)-1]) && ends(s.False[len(s.False)-1])
	}
	return false
}

func (v *visitor) stmt(s syntax.Stmt) {
	f := v.facts
	src := f.parsed.Source
	switch s := s.(type) {
	case *syntax.DefStmt:
		v.binds(s.Name)
		v.params(s.Params)
		outer := v.fn
		v.fn = f.flow.byNode[s]
		v.stmts(s.Body)
		v.fn = outer
	case *syntax.AssignStmt:
		for _, id := range targets(s.LHS) {
			v.binds(id)
		}
		v.mutation(s.LHS)
		if s.Op != syntax.EQ {
			v.grow(s.LHS)
		}
		v.target(s.LHS)
		v.flows(s.RHS)
	case *syntax.ForStmt:
		for _, id := range targets(s.Vars) {
			v.binds(id)
		}
		v.iterated(s.X)
		v.expr(s.X)
		v.stmts(s.Body)
	case *syntax.IfStmt:
		v.flows(s.Cond)
		v.stmts(s.True)
		v.stmts(s.False)
	case *syntax.WhileStmt:
		v.expr(s.Cond)
		v.stmts(s.Body)
	case *syntax.ExprStmt:
		if call, ok := s.X.(*syntax.CallExpr); ok {
			if fact := v.hostCall(call); fact != nil {
				fact.statement = true
				v.arguments(call)
				return
			}
		}
		v.flows(s.X)
	case *syntax.ReturnStmt:
		v.returned(s)
	case *syntax.LoadStmt:
		f.note("loads", src.node(s), field{"module", s.ModuleName()})
		for _, id := range s.To {
			v.binds(id)
		}
	}
}

// binds notes a name that hides a host function or a built-in one.
func (v *visitor) binds(id *syntax.Ident) {
	if first(id) != id {
		return
	}
	if isHostFunction(id.Name) {
		v.facts.note("shadows", v.facts.parsed.Source.node(id), field{"name", id.Name}, field{"host", true})
	} else if isUniversal(id.Name) {
		v.facts.note("shadows", v.facts.parsed.Source.node(id), field{"name", id.Name}, field{"host", false})
	}
}

func (v *visitor) params(list []syntax.Expr) {
	for _, param := range list {
		if id := paramName(param); id != nil {
			v.binds(id)
		}
		if d, ok := param.(*syntax.BinaryExpr); ok {
			v.flows(d.Y)
		}
	}
}

func (v *visitor) returned(s *syntax.ReturnStmt) {
	if s.Result == nil {
		return
	}
	f := v.facts
	if run := f.flow.runValue(); run != nil && run.fns[v.fn] {
		types := f.flow.eval(s.Result).types
		o := []field{{"type", types.name()}}
		if dict, ok := unparen(s.Result).(*syntax.DictExpr); ok {
			keys, all := []string{}, true
			for _, item := range dict.List {
				name, ok := f.flow.stringOf(item.(*syntax.DictEntry).Key)
				all = all && ok
				keys = append(keys, name)
			}
			if all {
				o = append(o, field{"keys", keys})
			}
		}
		f.note("returns", f.parsed.Source.node(s.Result), o...)
		v.expr(s.Result)
		return
	}
	// What a helper returns is followed to its callers.
	v.flows(s.Result)
}

// flows visits an expression whose value is followed elsewhere (it goes on to a name or a parameter), or whose truth
// alone is asked for.
func (v *visitor) flows(e syntax.Expr) {
	v.parts(unparen(e))
}

// expr visits an expression whose value is used in a way that is not followed.
func (v *visitor) expr(e syntax.Expr) {
	e = unparen(e)
	val := v.facts.flow.eval(e)
	for site := range val.sites {
		if fact := v.facts.sites[site]; fact != nil {
			fact.escapes = true
		}
	}
	if val.types&tInput != 0 {
		v.facts.inputEscapes = true
	}
	v.parts(e)
}

// parts visits what an expression consists of.
func (v *visitor) parts(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		v.flows(e.X)
	case *syntax.IndexExpr:
		v.key(e.X, e.Y, v.facts.parsed.Source.node(e), false, "")
		v.flows(e.X)
		v.flows(e.Y)
	case *syntax.CallExpr:
		v.call(e)
	case *syntax.BinaryExpr:
		v.binary(e)
	case *syntax.CondExpr:
		v.flows(e.Cond)
		v.flows(e.True)
		v.flows(e.False)
	case *syntax.UnaryExpr:
		if e.X != nil {
			v.flows(e.X)
		}
	case *syntax.SliceExpr:
		for _, part := range []syntax.Expr{e.X, e.Lo, e.Hi, e.Step} {
			if part != nil {
				v.flows(part)
			}
		}
	case *syntax.DotExpr:
		v.expr(e.X)
	case *syntax.ListExpr:
		v.all(e.List)
	case *syntax.TupleExpr:
		v.all(e.List)
	case *syntax.DictExpr:
		v.all(e.List)
	case *syntax.DictEntry:
		v.expr(e.Key)
		v.expr(e.Value)
	case *syntax.Comprehension:
		for _, clause := range e.Clauses {
			switch clause := clause.(type) {
			case *syntax.ForClause:
				for _, id := range targets(clause.Vars) {
					v.binds(id)
				}
				v.iterated(clause.X)
				v.expr(clause.X)
			case *syntax.IfClause:
				v.flows(clause.Cond)
			}
		}
		v.expr(e.Body)
	case *syntax.LambdaExpr:
		outer := v.fn
		v.fn = v.facts.flow.byNode[e]
		v.params(e.Params)
		v.flows(e.Body)
		v.fn = outer
	}
}

func (v *visitor) all(list []syntax.Expr) {
	for _, e := range list {
		v.expr(e)
	}
}

func (v *visitor) binary(e *syntax.BinaryExpr) {
	switch e.Op {
	case syntax.AND, syntax.OR:
		v.flows(e.X)
		v.flows(e.Y)
		return
	case syntax.IN, syntax.NOT_IN:
		// `"k" in input` makes the key an optional one.
		if v.facts.flow.eval(e.Y).types == tInput {
			v.inputKey(e.X, v.facts.parsed.Source.node(e), true, "")
			v.flows(e.X)
			return
		}
		v.flows(e.X)
		v.flows(e.Y)
		return
	case syntax.EQL, syntax.NEQ:
		v.flows(e.X)
		v.flows(e.Y)
		return
	}
	v.expr(e.X)
	v.expr(e.Y)
}

func (v *visitor) hostCall(call *syntax.CallExpr) *callFact {
	fact := v.facts.byCall[call]
	if fact != nil {
		fact.topLevel = v.fn == nil
	}
	return fact
}

func (v *visitor) arguments(call *syntax.CallExpr) {
	callee := v.facts.flow.eval(call.Fn)
	for _, arg := range call.Args {
		arg = argumentValue(arg)
		if u, ok := arg.(*syntax.UnaryExpr); ok && (u.Op == syntax.STAR || u.Op == syntax.STARSTAR) {
			v.expr(u.X)
		} else if len(callee.fns) > 0 {
			v.flows(arg)
		} else {
			v.expr(arg)
		}
	}
}

func (v *visitor) call(call *syntax.CallExpr) {
	f := v.facts
	src := f.parsed.Source
	v.hostCall(call)
	if dot, ok := call.Fn.(*syntax.DotExpr); ok {
		v.method(call, dot)
		return
	}
	switch name := builtinName(call.Fn); name {
	case "print":
		f.note("prints", src.node(call))
	case "len":
		if len(call.Args) == 1 {
			x := f.flow.eval(call.Args[0])
			if x.types == tString && x.taint&(fromAnswer|fromOutput) != 0 {
				f.note("textLengths", src.node(call), field{"argument", src.text(call.Args[0])})
			}
		}
	case "type", "bool":
		for _, arg := range call.Args {
			v.flows(arg)
		}
		return
	}
	v.flows(call.Fn)
	v.arguments(call)
}

func (v *visitor) method(call *syntax.CallExpr, dot *syntax.DotExpr) {
	f := v.facts
	src := f.parsed.Source
	name := dot.Name.Name
	if name == "get" && len(call.Args) > 0 {
		fallback := ""
		if len(call.Args) > 1 {
			fallback = src.text(call.Args[1])
			v.expr(argumentValue(call.Args[1]))
		}
		v.key(dot.X, call.Args[0], src.node(call), true, fallback)
		v.flows(dot.X)
		v.flows(call.Args[0])
		return
	}
	if mutators[name] {
		v.grow(dot.X)
	}
	if v.facts.flow.eval(dot.X).types&(tInput|tResult) != 0 {
		v.expr(dot.X)
	} else {
		v.flows(dot.X)
	}
	v.arguments(call)
}

// key notes that a field of a result or a key of the input is read.
func (v *visitor) key(x, key syntax.Expr, span Range, optional bool, fallback string) {
	f := v.facts
	val := f.flow.eval(x)
	if val.types&tInput != 0 {
		v.inputKey(key, span, optional, fallback)
	}
	for site := range val.sites {
		fact := f.sites[site]
		if fact == nil {
			continue
		}
		if name, ok := f.flow.stringOf(key); ok {
			fact.reads[name] = true
		} else {
			fact.escapes = true
		}
	}
}

func (v *visitor) inputKey(key syntax.Expr, span Range, optional bool, fallback string) {
	names, ok := v.facts.flow.stringsOf(key, 0)
	if !ok {
		v.facts.inputEscapes = true
		return
	}
	for _, name := range names {
		v.facts.keys = append(v.facts.keys, keyFact{name, span, optional, fallback})
	}
}

func (v *visitor) iterated(e syntax.Expr) {
	val := v.facts.flow.eval(e)
	if val.types == tString {
		v.facts.note("stringLoops", v.facts.parsed.Source.node(e))
	}
}

// target visits the left side of an assignment.
func (v *visitor) target(e syntax.Expr) {
	switch e := unparen(e).(type) {
	case *syntax.IndexExpr:
		v.flows(e.X)
		v.flows(e.Y)
	case *syntax.DotExpr:
		v.expr(e.X)
	}
}

// mutation notes a write into something that is frozen.
func (v *visitor) mutation(lhs syntax.Expr) {
	if index, ok := unparen(lhs).(*syntax.IndexExpr); ok {
		v.grow(index.X)
	}
}

func (v *visitor) grow(e syntax.Expr) {
	f := v.facts
	e = unparen(e)
	if f.flow.eval(e).types == tInput {
		f.note("mutations", f.parsed.Source.node(e), field{"what", "input"}, field{"name", f.parsed.Source.text(e)})
		return
	}
	// Globals are frozen once the module is loaded.
	if id, ok := e.(*syntax.Ident); ok && v.fn != nil && scopeOf(id) == resolve.Global {
		f.note("mutations", f.parsed.Source.node(id), field{"what", "global"}, field{"name", id.Name})
	}
}
