package engine

import (
	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// What the names of a program may hold, without running it: types, where a text comes from, which function it is.
// Every binding starts with nothing; values flow along assignments, arguments and results until nothing changes. Order
// of statements is ignored, so that a name holds whatever it holds anywhere.

type typeSet uint16

const (
	tNone typeSet = 1 << iota
	tBool
	tInt
	tFloat
	tString
	tBytes
	tList
	tTuple
	tDict
	tRange
	tFunction
	tInput  // the input itself
	tResult // what ask or command returned
	tUnknown
)

var typeNames = []struct {
	bit  typeSet
	name string
}{
	{tNone, "NoneType"}, {tBool, "bool"}, {tInt, "int"}, {tFloat, "float"}, {tString, "string"}, {tBytes, "bytes"}, {tList, "list"},
	{tTuple, "tuple"}, {tDict, "dict"}, {tRange, "range"}, {tFunction, "function"}, {tInput, "dict"}, {tResult, "dict"},
}

// name of the only type, or "unknown".
func (t typeSet) name() string {
	for _, n := range typeNames {
		if t == n.bit {
			return n.name
		}
	}
	return "unknown"
}

type taint uint8

const (
	fromInput taint = 1 << iota
	fromAnswer
	fromOutput
)

// A value is everything that an expression may be.
type value struct {
	types typeSet
	taint taint
	sites map[int]bool       // calls of ask and command whose result this is
	fns   map[*function]bool // functions of the program
	hosts map[string]bool    // host functions
}

func (v *value) add(o value) bool {
	changed := v.types|o.types != v.types || v.taint|o.taint != v.taint
	v.types |= o.types
	v.taint |= o.taint
	changed = mergeSet(&v.sites, o.sites) || changed
	changed = mergeSet(&v.fns, o.fns) || changed
	return mergeSet(&v.hosts, o.hosts) || changed
}

func mergeSet[K comparable](into *map[K]bool, from map[K]bool) bool {
	changed := false
	for k := range from {
		if !(*into)[k] {
			if *into == nil {
				*into = map[K]bool{}
			}
			(*into)[k] = true
			changed = true
		}
	}
	return changed
}

func of(t typeSet) value { return value{types: t} }

// A function is a def or a lambda.
type function struct {
	name    string
	node    syntax.Node
	params  []syntax.Expr
	body    []syntax.Stmt
	lambda  syntax.Expr // the body of a lambda
	returns []*syntax.ReturnStmt
	result  value
	unknown bool // called in a way that hides its arguments
}

// A source is one thing that a binding is given.
type source struct {
	expr    syntax.Expr
	element bool // an element of expr
	opaque  bool // something that cannot be told
}

type flow struct {
	src      *Source
	file     *syntax.File
	fns      []*function
	byNode   map[syntax.Node]*function
	sources  map[*syntax.Ident][]source
	values   map[*syntax.Ident]*value
	calls    map[*syntax.CallExpr]int // sites
	callList []*syntax.CallExpr
	stored   value // what lies in lists and dicts or is handed to something unknown
	args     map[*syntax.Ident]map[syntax.Expr]bool
	mutated  map[*syntax.Ident]bool
	order    []*syntax.Ident // the keys of sources, as they came
	settled  bool            // nothing changes any more; if not, nothing that was found can be relied on
}

// maxRounds is far more than a program needs, unless it is made to take long.
const maxRounds = 100

func newFlow(p *Parsed) *flow {
	f := &flow{
		src: p.Source, file: p.File, byNode: map[syntax.Node]*function{}, sources: map[*syntax.Ident][]source{},
		values: map[*syntax.Ident]*value{}, calls: map[*syntax.CallExpr]int{}, args: map[*syntax.Ident]map[syntax.Expr]bool{},
		mutated: map[*syntax.Ident]bool{},
	}
	f.collect()
	for n := 0; n < maxRounds; n++ {
		if !f.round(n%2 == 1) {
			f.settled = true
			break
		}
	}
	return f
}

// first is the place that stands for a binding; nil for names that are not the program's own.
func first(id *syntax.Ident) *syntax.Ident {
	if b, ok := id.Binding.(*resolve.Binding); ok && b != nil {
		return b.First
	}
	return nil
}

func scopeOf(id *syntax.Ident) resolve.Scope {
	if b, ok := id.Binding.(*resolve.Binding); ok && b != nil {
		return b.Scope
	}
	return resolve.Undefined
}

func (f *flow) give(target syntax.Expr, s source) {
	switch t := target.(type) {
	case *syntax.Ident:
		if at := first(t); at != nil {
			f.addSource(at, s)
		}
	case *syntax.ParenExpr:
		f.give(t.X, s)
	case *syntax.TupleExpr:
		f.giveList(t.List, s)
	case *syntax.ListExpr:
		f.giveList(t.List, s)
	}
}

func (f *flow) giveList(list []syntax.Expr, s source) {
	parts := elementsOf(s.expr)
	for i, target := range list {
		if !s.element && len(parts) == len(list) {
			f.give(target, source{expr: parts[i]})
		} else {
			f.give(target, source{opaque: true})
		}
	}
}

func elementsOf(e syntax.Expr) []syntax.Expr {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return elementsOf(e.X)
	case *syntax.TupleExpr:
		return e.List
	case *syntax.ListExpr:
		return e.List
	}
	return nil
}

func (f *flow) addFunction(name string, node syntax.Node, params []syntax.Expr, body []syntax.Stmt, lambda syntax.Expr) *function {
	fn := &function{name: name, node: node, params: params, body: body, lambda: lambda}
	f.fns = append(f.fns, fn)
	f.byNode[node] = fn
	for _, param := range params {
		switch param := param.(type) {
		case *syntax.BinaryExpr:
			f.give(param.X, source{expr: param.Y})
		case *syntax.UnaryExpr:
			if id, ok := param.X.(*syntax.Ident); ok {
				f.give(id, source{opaque: true})
			}
		}
	}
	return fn
}

var mutators = map[string]bool{"append": true, "extend": true, "insert": true, "remove": true, "pop": true, "clear": true, "update": true, "setdefault": true, "popitem": true}

// collect finds functions, assignments and calls.
func (f *flow) collect() {
	var inside []*function
	var visit func(n syntax.Node) bool
	visit = func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			fn := f.addFunction(n.Name.Name, n, n.Params, n.Body, nil)
			inside = append(inside, fn)
			for _, s := range n.Body {
				syntax.Walk(s, visit)
			}
			inside = inside[:len(inside)-1]
			for _, param := range n.Params {
				if d, ok := param.(*syntax.BinaryExpr); ok {
					syntax.Walk(d.Y, visit)
				}
			}
			return false
		case *syntax.LambdaExpr:
			f.addFunction("lambda", n, n.Params, nil, n.Body)
		case *syntax.ReturnStmt:
			if len(inside) > 0 {
				fn := inside[len(inside)-1]
				fn.returns = append(fn.returns, n)
			}
		case *syntax.AssignStmt:
			f.give(n.LHS, source{expr: n.RHS})
			if n.Op != syntax.EQ {
				f.markMutated(n.LHS)
			}
			if index, ok := n.LHS.(*syntax.IndexExpr); ok {
				f.markMutated(index.X)
			}
		case *syntax.ForStmt:
			f.give(n.Vars, source{expr: n.X, element: true})
		case *syntax.ForClause:
			f.give(n.Vars, source{expr: n.X, element: true})
		case *syntax.CallExpr:
			f.callList = append(f.callList, n)
			if dot, ok := n.Fn.(*syntax.DotExpr); ok && mutators[dot.Name.Name] {
				f.markMutated(dot.X)
			}
		case *syntax.LoadStmt:
			for _, id := range n.To {
				f.give(id, source{opaque: true})
			}
		}
		return true
	}
	syntax.Walk(f.file, visit)
}

func (f *flow) markMutated(e syntax.Expr) {
	if id, ok := unparen(e).(*syntax.Ident); ok {
		if at := first(id); at != nil {
			f.mutated[at] = true
		}
	}
}

func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

func (f *flow) at(id *syntax.Ident) *value {
	v := f.values[id]
	if v == nil {
		v = &value{}
		f.values[id] = v
	}
	return v
}

func (f *flow) addSource(id *syntax.Ident, s source) {
	if _, known := f.sources[id]; !known {
		f.order = append(f.order, id)
	}
	f.sources[id] = append(f.sources[id], s)
}

// inOrder goes through a list from either end. Arguments flow forward through a chain of functions and results flow
// back; with alternating directions both take few rounds.
func inOrder[T any](list []T, backward bool, each func(T)) {
	for i := range list {
		if backward {
			i = len(list) - 1 - i
		}
		each(list[i])
	}
}

// round moves values along; it reports whether anything changed.
func (f *flow) round(backward bool) bool {
	changed := false
	inOrder(f.order, backward, func(id *syntax.Ident) {
		v := f.at(id)
		for _, s := range f.sources[id] {
			changed = v.add(f.sourceValue(s)) || changed
		}
	})
	inOrder(f.fns, backward, func(fn *function) {
		if def, ok := fn.node.(*syntax.DefStmt); ok {
			changed = f.at(def.Name).add(value{types: tFunction, fns: map[*function]bool{fn: true}}) || changed
		}
		for _, ret := range fn.returns {
			result := of(tNone)
			if ret.Result != nil {
				result = f.eval(ret.Result)
			}
			changed = fn.result.add(result) || changed
		}
		if fn.lambda != nil {
			changed = fn.result.add(f.eval(fn.lambda)) || changed
		}
	})
	if run := f.runValue(); run != nil {
		for fn := range run.fns {
			changed = f.giveInput(fn) || changed
		}
	}
	for _, call := range f.callList {
		changed = f.passArguments(call) || changed
	}
	// Out of a list, or by a built-in function, it can be called with anything.
	for fn := range f.stored.fns {
		changed = f.hideArguments(fn) || changed
	}
	return changed
}
