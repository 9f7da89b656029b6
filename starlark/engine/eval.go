package engine

import (
	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// eval is the value of an expression as far as it is known now.
func (f *flow) eval(e syntax.Expr) value {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return f.eval(e.X)
	case *syntax.Ident:
		return f.evalName(e)
	case *syntax.Literal:
		switch e.Token {
		case syntax.STRING:
			return of(tString)
		case syntax.BYTES:
			return of(tBytes)
		case syntax.FLOAT:
			return of(tFloat)
		}
		return of(tInt)
	case *syntax.ListExpr:
		return f.container(tList, e.List)
	case *syntax.TupleExpr:
		return f.container(tTuple, e.List)
	case *syntax.DictExpr:
		return f.container(tDict, e.List)
	case *syntax.DictEntry:
		return f.eval(e.Value)
	case *syntax.Comprehension:
		body := f.eval(e.Body)
		if e.Curly {
			return value{types: tDict, taint: body.taint}
		}
		return value{types: tList, taint: body.taint}
	case *syntax.CondExpr:
		v := f.eval(e.True)
		v = copyOf(v)
		v.add(f.eval(e.False))
		return v
	case *syntax.LambdaExpr:
		return value{types: tFunction, fns: map[*function]bool{f.byNode[e]: true}}
	case *syntax.UnaryExpr:
		if e.Op == syntax.NOT {
			return of(tBool)
		}
		if e.X != nil {
			return value{types: f.eval(e.X).types & (tInt | tFloat | tUnknown)}
		}
	case *syntax.BinaryExpr:
		return f.evalBinary(e)
	case *syntax.IndexExpr:
		return f.evalKey(f.eval(e.X), e.Y)
	case *syntax.SliceExpr:
		v := f.eval(e.X)
		return value{types: v.types &^ (tInput | tResult), taint: v.taint}
	case *syntax.CallExpr:
		return f.evalCall(e)
	}
	return of(tUnknown)
}

func copyOf(v value) value {
	var out value
	out.add(v)
	return out
}

func (f *flow) container(t typeSet, list []syntax.Expr) value {
	out := of(t)
	for _, item := range list {
		f.store(item)
		out.taint |= f.eval(item).taint
	}
	return out
}

func (f *flow) evalName(id *syntax.Ident) value {
	switch scopeOf(id) {
	case resolve.Universal:
		switch id.Name {
		case "None":
			return of(tNone)
		case "True", "False":
			return of(tBool)
		}
		return of(tFunction)
	case resolve.Predeclared:
		return value{types: tFunction, hosts: map[string]bool{id.Name: true}}
	}
	if at := first(id); at != nil {
		return *f.at(at)
	}
	return of(tUnknown)
}

func (f *flow) evalBinary(e *syntax.BinaryExpr) value {
	x, y := f.eval(e.X), f.eval(e.Y)
	switch e.Op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.GT, syntax.LE, syntax.GE, syntax.IN, syntax.NOT_IN:
		return of(tBool)
	case syntax.AND, syntax.OR:
		v := copyOf(x)
		v.add(y)
		return v
	case syntax.PERCENT:
		if x.types&tString != 0 {
			return value{types: tString, taint: x.taint | y.taint}
		}
	}
	types := (x.types | y.types) &^ (tInput | tResult | tFunction)
	// A text plus something that is not known can only be a text.
	if e.Op == syntax.PLUS && (x.types == tString || y.types == tString) {
		types = tString
	}
	return value{types: types, taint: x.taint | y.taint}
}

// stringOf is the text of a literal, or of a name that always holds the same one.
func (f *flow) stringOf(e syntax.Expr) (string, bool) {
	list, ok := f.stringsOf(e, 0)
	if ok && len(list) == 1 {
		return list[0], true
	}
	return "", false
}

// stringsOf lists all texts that an expression can be, if they are literals.
func (f *flow) stringsOf(e syntax.Expr, depth int) ([]string, bool) {
	switch e := unparen(e).(type) {
	case *syntax.Literal:
		if s, ok := e.Value.(string); ok && e.Token == syntax.STRING {
			return []string{s}, true
		}
	case *syntax.Ident:
		at := first(e)
		if at == nil || depth > 4 || f.mutated[at] {
			return nil, false
		}
		var out []string
		for _, s := range f.sources[at] {
			items := []syntax.Expr{s.expr}
			if s.element {
				items = f.literalElements(s.expr, depth)
			}
			if s.opaque || items == nil {
				return nil, false
			}
			for _, item := range items {
				list, ok := f.stringsOf(item, depth+1)
				if !ok {
					return nil, false
				}
				out = append(out, list...)
			}
		}
		return out, len(out) > 0
	}
	return nil, false
}

// literalElements are the items of a list or tuple that is written out, also behind a name.
func (f *flow) literalElements(e syntax.Expr, depth int) []syntax.Expr {
	e = unparen(e)
	if items := elementsOf(e); items != nil {
		return items
	}
	if id, ok := e.(*syntax.Ident); ok && depth <= 4 {
		if at := first(id); at != nil && !f.mutated[at] && len(f.sources[at]) == 1 {
			if s := f.sources[at][0]; !s.opaque && !s.element {
				return f.literalElements(s.expr, depth+1)
			}
		}
	}
	return nil
}

var resultFields = map[string]value{
	"answer":    {types: tString, taint: fromAnswer},
	"result":    {types: tString, taint: fromOutput},
	"ok":        of(tBool),
	"exhausted": of(tBool),
	"truncated": of(tBool),
	"turns":     of(tInt),
	"exit_code": of(tInt),
}

func (f *flow) evalKey(x value, key syntax.Expr) value {
	out := value{taint: x.taint}
	if x.types&tResult != 0 {
		if name, ok := f.stringOf(key); ok {
			out.add(resultFields[name])
		} else {
			out.types |= tUnknown
		}
	}
	if x.types&tInput != 0 {
		out.types |= tUnknown
		out.taint |= fromInput
	}
	if x.types&tString != 0 {
		out.types |= tString
	}
	if x.types&^(tResult|tInput|tString) != 0 || x.types == 0 {
		out.types |= tUnknown
	}
	return out
}

var builtinResults = map[string]typeSet{
	"len": tInt, "int": tInt, "hash": tInt, "ord": tInt, "float": tFloat, "str": tString, "repr": tString, "type": tString, "chr": tString,
	"list": tList, "sorted": tList, "reversed": tList, "enumerate": tList, "zip": tList, "dir": tList, "dict": tDict, "tuple": tTuple,
	"range": tRange, "bool": tBool, "any": tBool, "all": tBool, "hasattr": tBool, "print": tNone, "fail": tNone, "bytes": tBytes,
}

var methodResults = map[string]typeSet{
	"lower": tString, "upper": tString, "strip": tString, "lstrip": tString, "rstrip": tString, "replace": tString, "title": tString,
	"capitalize": tString, "format": tString, "join": tString, "removeprefix": tString, "removesuffix": tString,
	"split": tList, "rsplit": tList, "splitlines": tList, "elems": tList, "codepoints": tList, "codepoint_ords": tList, "elem_ords": tList,
	"partition": tTuple, "rpartition": tTuple, "find": tInt, "rfind": tInt, "rindex": tInt, "count": tInt,
	"startswith": tBool, "endswith": tBool, "isalnum": tBool, "isalpha": tBool, "isdigit": tBool, "islower": tBool, "isspace": tBool,
	"istitle": tBool, "isupper": tBool, "keys": tList, "values": tList, "items": tList,
	"append": tNone, "extend": tNone, "insert": tNone, "remove": tNone, "clear": tNone, "update": tNone,
}

func (f *flow) evalCall(call *syntax.CallExpr) value {
	var out value
	if dot, ok := call.Fn.(*syntax.DotExpr); ok {
		return f.evalMethod(call, dot)
	}
	if id, ok := call.Fn.(*syntax.Ident); ok && scopeOf(id) == resolve.Universal {
		t, known := builtinResults[id.Name]
		if !known {
			t = tUnknown
		}
		out.types = t
		if t&(tString|tList|tDict|tTuple|tUnknown) != 0 && id.Name != "type" && id.Name != "repr" {
			for _, arg := range call.Args {
				out.taint |= f.eval(argumentValue(arg)).taint
			}
		}
		return out
	}
	callee := f.eval(call.Fn)
	for host := range callee.hosts {
		if host == "trace" {
			out.types |= tNone
			continue
		}
		out.add(value{types: tResult, sites: map[int]bool{f.site(call): true}})
	}
	for fn := range callee.fns {
		out.add(fn.result)
	}
	if callee.types&tUnknown != 0 {
		out.types |= tUnknown
	}
	return out
}

func (f *flow) evalMethod(call *syntax.CallExpr, dot *syntax.DotExpr) value {
	x := f.eval(dot.X)
	name := dot.Name.Name
	if name == "get" || name == "pop" || name == "setdefault" {
		out := of(tUnknown)
		if len(call.Args) > 0 {
			out = copyOf(f.evalKey(x, call.Args[0]))
		}
		if len(call.Args) > 1 {
			out.taint |= f.eval(argumentValue(call.Args[1])).taint
		} else {
			out.types |= tNone
		}
		return out
	}
	if t, ok := methodResults[name]; ok {
		out := value{types: t}
		if t&(tString|tList|tTuple) != 0 {
			out.taint = x.taint
			for _, arg := range call.Args {
				out.taint |= f.eval(argumentValue(arg)).taint
			}
			if x.types&tInput != 0 {
				out.taint |= fromInput
			}
		}
		return out
	}
	return of(tUnknown)
}

// site numbers a call of ask or command.
func (f *flow) site(call *syntax.CallExpr) int {
	n, ok := f.calls[call]
	if !ok {
		n = len(f.calls)
		f.calls[call] = n
	}
	return n
}
