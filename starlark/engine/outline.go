package engine

import (
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// An outline is what an editor needs beside diagnostics: the functions, and for every name where it is bound.

// scope codes of a reference; the order is part of the protocol
var scopeCodes = map[resolve.Scope]int{
	resolve.Local: 0, resolve.Cell: 1, resolve.Free: 2, resolve.Global: 3, resolve.Predeclared: 4, resolve.Universal: 5, resolve.Undefined: 6,
}

type outliner struct {
	src      *Source
	bindings []object
	ids      map[any]int
	refs     []int // line, column, length, scope, binding, writes?
	symbols  []object
}

// outlineJSON describes a program, broken or not.
func (p *Parsed) outlineJSON() object {
	o := &outliner{src: p.Source, ids: map[any]int{}}
	for _, s := range p.File.Stmts {
		o.top(s)
	}
	writes := boundNames(p.File)
	syntax.Walk(p.File, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok {
			o.reference(id, writes[id])
		}
		return true
	})
	return object{{"symbols", o.symbols}, {"bindings", o.bindings}, {"references", o.refs}, {"stopLines", StopLines(p)}}
}

func (o *outliner) top(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.DefStmt:
		o.symbols = append(o.symbols, o.function(s))
	case *syntax.AssignStmt:
		for _, id := range targets(s.LHS) {
			o.symbols = append(o.symbols, object{{"kind", "variable"}, {"name", id.Name}, {"range", o.src.node(s)}, {"nameRange", o.src.node(id)}})
		}
	}
}

func (o *outliner) function(def *syntax.DefStmt) object {
	params := []object{}
	for _, param := range def.Params {
		params = append(params, o.param(param))
	}
	inner := []object{}
	for _, s := range def.Body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if nested, ok := n.(*syntax.DefStmt); ok {
				inner = append(inner, o.function(nested))
				return false
			}
			return true
		})
	}
	return object{
		{"kind", "function"}, {"name", def.Name.Name}, {"range", o.src.node(def)}, {"nameRange", o.src.node(def.Name)},
		{"params", params}, {"doc", docstring(def.Body)}, {"children", inner},
	}
}

func (o *outliner) param(param syntax.Expr) object {
	switch param := param.(type) {
	case *syntax.BinaryExpr:
		return object{{"name", param.X.(*syntax.Ident).Name}, {"default", o.src.text(param.Y)}}
	case *syntax.UnaryExpr:
		name := ""
		if id, ok := param.X.(*syntax.Ident); ok {
			name = id.Name
		}
		return object{{"name", param.Op.String() + name}}
	case *syntax.Ident:
		return object{{"name", param.Name}}
	}
	return object{{"name", "?"}}
}

func docstring(body []syntax.Stmt) string {
	if len(body) > 0 {
		if s, ok := body[0].(*syntax.ExprStmt); ok {
			if literal, ok := s.X.(*syntax.Literal); ok && literal.Token == syntax.STRING {
				return strings.TrimSpace(literal.Value.(string))
			}
		}
	}
	return ""
}

// bindingKey is the same for all names that mean the same thing: the first place that binds it, else the name.
func bindingKey(id *syntax.Ident) (any, resolve.Scope) {
	b, ok := id.Binding.(*resolve.Binding)
	if !ok || b == nil {
		return nil, resolve.Undefined
	}
	if b.First != nil {
		return b.First, b.Scope
	}
	return id.Name, b.Scope
}

func (o *outliner) reference(id *syntax.Ident, writes bool) {
	key, scope := bindingKey(id)
	if key == nil {
		return
	}
	n, seen := o.ids[key]
	if !seen {
		n = len(o.bindings)
		o.ids[key] = n
		b := object{{"name", id.Name}}
		if first, ok := key.(*syntax.Ident); ok {
			b = append(b, field{"range", o.src.node(first)})
		}
		o.bindings = append(o.bindings, b)
	}
	r := o.src.node(id)
	write := 0
	if writes {
		write = 1
	}
	o.refs = append(o.refs, r.Line, r.Col, r.EndCol-r.Col, scopeCodes[scope], n, write)
}

// boundNames are the identifiers that bind: targets, parameters, function names.
func boundNames(file *syntax.File) map[*syntax.Ident]bool {
	out := map[*syntax.Ident]bool{}
	add := func(e syntax.Expr) {
		for _, id := range targets(e) {
			out[id] = true
		}
	}
	params := func(list []syntax.Expr) {
		for _, param := range list {
			switch param := param.(type) {
			case *syntax.Ident:
				out[param] = true
			case *syntax.BinaryExpr:
				out[param.X.(*syntax.Ident)] = true
			case *syntax.UnaryExpr:
				if id, ok := param.X.(*syntax.Ident); ok {
					out[id] = true
				}
			}
		}
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			add(n.LHS)
		case *syntax.ForStmt:
			add(n.Vars)
		case *syntax.ForClause:
			add(n.Vars)
		case *syntax.DefStmt:
			out[n.Name] = true
			params(n.Params)
		case *syntax.LambdaExpr:
			params(n.Params)
		case *syntax.LoadStmt:
			for _, id := range n.To {
				out[id] = true
			}
		}
		return true
	})
	return out
}

// targets are the names that an assignment to an expression binds.
func targets(e syntax.Expr) []*syntax.Ident {
	switch e := e.(type) {
	case *syntax.Ident:
		return []*syntax.Ident{e}
	case *syntax.ParenExpr:
		return targets(e.X)
	case *syntax.TupleExpr:
		return targetsOf(e.List)
	case *syntax.ListExpr:
		return targetsOf(e.List)
	}
	return nil
}

func targetsOf(list []syntax.Expr) []*syntax.Ident {
	var out []*syntax.Ident
	for _, e := range list {
		out = append(out, targets(e)...)
	}
	return out
}

// Analyse answers for a program: diagnostics, outline, and the facts that the static rules judge.
func Analyse(src *Source) string {
	p := Check(src)
	o := object{{"diagnostics", diagnosticsJSON(p.Diagnostics)}, {"outline", p.outlineJSON()}}
	if !p.broken {
		if f := factsOf(p); f != nil {
			return toJSON(append(o, field{"facts", f.json()}))
		}
	}
	return toJSON(append(o, field{"facts", nil}))
}

// FormatJSON is Format for the protocol.
func FormatJSON(src *Source) string {
	text, diagnostics := Format(src)
	if diagnostics != nil {
		return toJSON(object{{"ok", false}, {"diagnostics", diagnosticsJSON(diagnostics)}})
	}
	return toJSON(object{{"ok", true}, {"text", text}})
}
