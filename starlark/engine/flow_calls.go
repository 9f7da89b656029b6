package engine

import (
	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// giveInput: the host calls run with the input as its first parameter.
func (f *flow) giveInput(fn *function) bool {
	if len(fn.params) == 0 {
		return false
	}
	if id := paramName(fn.params[0]); id != nil {
		if _, star := fn.params[0].(*syntax.UnaryExpr); !star {
			return f.at(id).add(of(tInput))
		}
	}
	return false
}

func paramName(param syntax.Expr) *syntax.Ident {
	switch param := param.(type) {
	case *syntax.Ident:
		return param
	case *syntax.BinaryExpr:
		return param.X.(*syntax.Ident)
	case *syntax.UnaryExpr:
		id, _ := param.X.(*syntax.Ident)
		return id
	}
	return nil
}

// runValue is what the global name run holds.
func (f *flow) runValue() *value {
	if id := f.runIdent(); id != nil {
		return f.at(id)
	}
	return nil
}

func (f *flow) runIdent() *syntax.Ident {
	module, ok := f.file.Module.(*resolve.Module)
	if !ok {
		return nil
	}
	for _, b := range module.Globals {
		if b.First.Name == "run" {
			return b.First
		}
	}
	return nil
}

// sourceValue is what one source gives to a binding.
func (f *flow) sourceValue(s source) value {
	if s.opaque {
		return of(tUnknown)
	}
	v := f.eval(s.expr)
	if !s.element {
		return v
	}
	out := value{types: tUnknown, taint: v.taint}
	for _, item := range elementsOf(s.expr) {
		part := f.eval(item)
		out.add(part)
		out.types &^= tUnknown
		out.types |= part.types
	}
	if v.types == tRange {
		out.types = tInt
	}
	return out
}

// passArguments hands the arguments of a call to the parameters of whatever it may call.
func (f *flow) passArguments(call *syntax.CallExpr) bool {
	callee := f.eval(call.Fn)
	changed := false
	for fn := range callee.fns {
		changed = f.bindArguments(fn, call) || changed
	}
	if len(callee.fns) == 0 && len(callee.hosts) == 0 {
		for _, arg := range call.Args {
			changed = f.store(argumentValue(arg)) || changed
		}
	}
	return changed
}

func argumentValue(arg syntax.Expr) syntax.Expr {
	if b, ok := arg.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
		return b.Y
	}
	return arg
}

func (f *flow) store(e syntax.Expr) bool {
	v := f.eval(e)
	return f.stored.add(value{fns: v.fns, hosts: v.hosts})
}

func (f *flow) bindArguments(fn *function, call *syntax.CallExpr) bool {
	changed := false
	pass := func(id *syntax.Ident, arg syntax.Expr) {
		if f.args[id] == nil {
			f.args[id] = map[syntax.Expr]bool{}
		}
		if !f.args[id][arg] {
			f.args[id][arg] = true
			f.addSource(id, source{expr: arg})
			changed = true
		}
	}
	for i, arg := range call.Args {
		if b, ok := arg.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			for _, param := range fn.params {
				if id := paramName(param); id != nil && id.Name == b.X.(*syntax.Ident).Name {
					pass(id, b.Y)
				}
			}
			continue
		}
		if u, ok := arg.(*syntax.UnaryExpr); ok && (u.Op == syntax.STAR || u.Op == syntax.STARSTAR) {
			changed = f.hideArguments(fn) || changed
			continue
		}
		if i < len(fn.params) {
			if _, star := fn.params[i].(*syntax.UnaryExpr); !star {
				if id := paramName(fn.params[i]); id != nil {
					pass(id, arg)
				}
			}
		}
	}
	return changed
}

// hideArguments: the parameters of a function may be anything.
func (f *flow) hideArguments(fn *function) bool {
	if fn.unknown {
		return false
	}
	fn.unknown = true
	for _, param := range fn.params {
		if id := paramName(param); id != nil {
			f.addSource(id, source{opaque: true})
		}
	}
	return true
}
