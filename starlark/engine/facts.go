package engine

import (
	"sort"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Facts are what the static rules of a metaskill judge. They say what is there, not whether it is good.

type callFact struct {
	fn        string
	call      *syntax.CallExpr
	span      Range
	topLevel  bool
	statement bool // the result is not used
	reads     map[string]bool
	escapes   bool // the result goes where its fields cannot be followed
}

type keyFact struct {
	key      string
	span     Range
	optional bool
	fallback string // source text of a default
}

type facts struct {
	parsed *Parsed
	flow   *flow
	costs  *costs
	calls  []*callFact
	byCall map[*syntax.CallExpr]*callFact
	sites  map[int]*callFact
	lists  map[string][]object
	keys   []keyFact
	// The whole input is used, so that the keys it must have are not all known.
	inputEscapes bool
	worst        *cost
}

// factsOf is nil for a program that takes too long to understand.
func factsOf(p *Parsed) *facts {
	f := &facts{parsed: p, flow: newFlow(p), byCall: map[*syntax.CallExpr]*callFact{}, sites: map[int]*callFact{}, lists: map[string][]object{}}
	if !f.flow.settled {
		return nil
	}
	f.costs = newCosts(f.flow)
	f.computeWorst()
	f.findCalls()
	v := &visitor{facts: f}
	v.stmts(p.File.Stmts)
	f.findUnused()
	f.findRecursion()
	return f
}

func (f *facts) note(list string, span Range, more ...field) {
	f.lists[list] = append(f.lists[list], append(object{{"range", span}}, more...))
}

func (f *facts) computeWorst() {
	total := cost{}
	if w := f.costs.block(f.parsed.File.Stmts); w.fall != nil {
		total = *w.fall
	}
	run := f.flow.runValue()
	if run == nil {
		return
	}
	total = total.plus(f.costs.callable(*run))
	f.worst = &total
}

// findCalls lists the calls of host functions in the order of the text.
func (f *facts) findCalls() {
	for _, call := range f.flow.callList {
		callee := f.flow.eval(call.Fn)
		if len(callee.hosts) != 1 {
			continue
		}
		for host := range callee.hosts {
			fact := &callFact{fn: host, call: call, span: f.parsed.Source.node(call), reads: map[string]bool{}}
			f.calls = append(f.calls, fact)
			f.byCall[call] = fact
			if id, ok := f.flow.calls[call]; ok {
				f.sites[id] = fact
			}
		}
	}
	sort.SliceStable(f.calls, func(i, j int) bool { return before(f.calls[i].span, f.calls[j].span) })
}

func before(a, b Range) bool { return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col }

func countJSON(n int64) any {
	if n >= unbounded {
		return nil
	}
	return n
}

func costJSON(c cost) object {
	return object{{"ask", countJSON(c[costAsk])}, {"command", countJSON(c[costCommand])}, {"trace", countJSON(c[costTrace])}}
}

func (f *facts) json() object {
	calls := []object{}
	for _, c := range f.calls {
		calls = append(calls, f.callJSON(c))
	}
	loops := append([]*loopFact{}, f.costs.loops...)
	sort.SliceStable(loops, func(i, j int) bool { return before(loops[i].span, loops[j].span) })
	loopList := []object{}
	for _, l := range loops {
		o := object{{"range", l.span}, {"bound", countJSON(l.bound)}, {"each", costJSON(l.each)}, {"total", costJSON(l.total)}, {"depth", l.depth}}
		loopList = append(loopList, o)
	}
	keys := []object{}
	for _, k := range f.keys {
		keys = append(keys, object{{"key", k.key}, {"range", k.span}, {"optional", k.optional}, {"fallback", k.fallback}})
	}
	var worst any
	if f.worst != nil {
		worst = costJSON(*f.worst)
	}
	out := object{{"run", f.runJSON()}, {"calls", calls}, {"loops", loopList}, {"worst", worst}, {"inputKeys", keys}, {"inputEscapes", f.inputEscapes}}
	for _, name := range []string{
		"returns", "prints", "loads", "shadows", "stringLoops", "textLengths", "recursion", "mutations", "unused", "unreachable",
	} {
		list := f.lists[name]
		sort.SliceStable(list, func(i, j int) bool { return before(list[i][0].value.(Range), list[j][0].value.(Range)) })
		out = append(out, field{name, list})
	}
	return out
}

// runJSON describes the global run: null, or what it is and which arguments it takes.
func (f *facts) runJSON() any {
	id := f.flow.runIdent()
	if id == nil {
		return nil
	}
	o := object{{"range", f.parsed.Source.node(id)}}
	v := f.flow.runValue()
	if len(v.fns) != 1 || len(v.hosts) > 0 {
		callable := "unknown"
		if v.types != 0 && v.types&(tFunction|tUnknown) == 0 {
			callable = "no"
		}
		return append(o, field{"callable", callable}, field{"type", v.types.name()}, field{"params", nil})
	}
	for fn := range v.fns {
		required, most, keywordOnly, text := arity(fn.params, f.parsed.Source)
		var limit any = most
		if most < 0 {
			limit = nil
		}
		params := object{{"required", required}, {"most", limit}, {"keywordOnly", keywordOnly}, {"text", text}}
		if def, ok := fn.node.(*syntax.DefStmt); ok {
			params = append(params, field{"range", f.parsed.Source.span(f.parsed.Source.at(def.Lparen), f.parsed.Source.at(def.Rparen)+1)})
		}
		o = append(o, field{"callable", "yes"}, field{"type", "function"}, field{"params", params})
	}
	return o
}

// arity counts parameters: how many arguments must and may be positional (-1: any number).
func arity(params []syntax.Expr, src *Source) (required, most, keywordOnly int, text string) {
	star := false
	for i, param := range params {
		if i > 0 {
			text += ", "
		}
		text += src.text(param)
		switch param := param.(type) {
		case *syntax.Ident:
			if star {
				keywordOnly++
			} else {
				required++
				most++
			}
		case *syntax.BinaryExpr:
			if !star {
				most++
			}
		case *syntax.UnaryExpr:
			if param.Op == syntax.STAR {
				star = true
				if param.X != nil {
					most = -1 << 20
				}
			}
		}
	}
	return required, max(most, -1), keywordOnly, text
}

func (f *facts) callJSON(c *callFact) object {
	src := f.parsed.Source
	o := object{{"fn", c.fn}, {"range", c.span}, {"topLevel", c.topLevel}, {"statement", c.statement}, {"escapes", c.escapes}}
	reads := []string{}
	for name := range c.reads {
		reads = append(reads, name)
	}
	sort.Strings(reads)
	o = append(o, field{"reads", reads})
	names := map[string][2]string{"ask": {"prompt", "opts"}, "command": {"argv", "opts"}, "trace": {"kind", "data"}}[c.fn]
	if arg := argument(c.call, 0, names[0]); arg != nil {
		v := f.flow.eval(arg)
		first := object{{"range", src.node(arg)}, {"type", v.types.name()}}
		if text, ok := f.flow.stringOf(arg); ok {
			first = append(first, field{"text", text})
		}
		if items := f.flow.literalElements(arg, 0); items != nil && c.fn == "command" {
			first = append(first, field{"items", f.itemsJSON(items)})
		}
		o = append(o, field{"first", first})
	}
	if arg := argument(c.call, 1, names[1]); arg != nil {
		o = append(o, field{"opts", f.optsJSON(arg)})
	}
	return o
}

// argument finds an argument of a call by position or by name.
func argument(call *syntax.CallExpr, index int, name string) syntax.Expr {
	for i, arg := range call.Args {
		if b, ok := arg.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			if b.X.(*syntax.Ident).Name == name {
				return b.Y
			}
			continue
		}
		if u, ok := arg.(*syntax.UnaryExpr); ok && (u.Op == syntax.STAR || u.Op == syntax.STARSTAR) {
			return nil
		}
		if i == index {
			return arg
		}
	}
	return nil
}

// itemsJSON describes the items of an argv: literal text, or whether untrusted text is glued into one.
func (f *facts) itemsJSON(items []syntax.Expr) []object {
	out := []object{}
	for _, item := range items {
		v := f.flow.eval(item)
		o := object{{"range", f.parsed.Source.node(item)}, {"type", v.types.name()}}
		if text, ok := f.flow.stringOf(item); ok {
			o = append(o, field{"text", text})
		}
		out = append(out, append(o, field{"glued", v.taint != 0 && f.isGlued(item, 0)}))
	}
	return out
}

// isGlued reports whether a text is put together from parts.
func (f *facts) isGlued(e syntax.Expr, depth int) bool {
	switch e := unparen(e).(type) {
	case *syntax.BinaryExpr:
		return e.Op == syntax.PLUS || e.Op == syntax.PERCENT
	case *syntax.CallExpr:
		dot, ok := e.Fn.(*syntax.DotExpr)
		return ok && (dot.Name.Name == "format" || dot.Name.Name == "join" || dot.Name.Name == "replace")
	case *syntax.Ident:
		if at := first(e); at != nil && depth < 4 {
			for _, s := range f.flow.sources[at] {
				if s.expr != nil && !s.element && f.isGlued(s.expr, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// optsJSON describes a dict of options that is written out.
func (f *facts) optsJSON(arg syntax.Expr) object {
	src := f.parsed.Source
	o := object{{"range", src.node(arg)}, {"type", f.flow.eval(arg).types.name()}}
	dict, ok := unparen(arg).(*syntax.DictExpr)
	if !ok {
		return o
	}
	entries := []object{}
	for _, item := range dict.List {
		entry := item.(*syntax.DictEntry)
		name, ok := f.flow.stringOf(entry.Key)
		if !ok {
			continue
		}
		e := object{{"key", name}, {"range", src.node(entry.Value)}, {"type", f.flow.eval(entry.Value).types.name()}}
		if n, ok := f.costs.bounds.constant(entry.Value); ok {
			e = append(e, field{"int", n})
		}
		entries = append(entries, e)
	}
	return append(o, field{"entries", entries})
}

// findUnused lists local names that are never read. Parameters and loop variables are often there by necessity.
func (f *facts) findUnused() {
	type use struct {
		id    *syntax.Ident
		reads int
	}
	uses := map[*syntax.Ident]*use{}
	plain := map[*syntax.Ident]bool{}
	syntax.Walk(f.parsed.File, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.AssignStmt); ok && s.Op == syntax.EQ {
			if id, ok := s.LHS.(*syntax.Ident); ok {
				plain[id] = true
			}
		}
		return true
	})
	syntax.Walk(f.parsed.File, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		if !ok || first(id) == nil {
			return true
		}
		u := uses[first(id)]
		if u == nil {
			u = &use{id: first(id)}
			uses[first(id)] = u
		}
		if !plain[id] {
			u.reads++
		}
		return true
	})
	for at, u := range uses {
		scope := scopeOf(at)
		if u.reads == 0 && plain[at] && (scope == resolve.Local || scope == resolve.Cell) && at.Name[0] != '_' {
			f.note("unused", f.parsed.Source.node(at), field{"name", at.Name})
		}
	}
}

// findRecursion lists functions that can reach themselves.
func (f *facts) findRecursion() {
	for _, fn := range f.flow.fns {
		if def, ok := fn.node.(*syntax.DefStmt); ok {
			f.costs.function(fn)
			if f.costs.cycles[fn] {
				f.note("recursion", f.parsed.Source.node(def.Name), field{"name", fn.name})
			}
		}
	}
}

func isUniversal(name string) bool { return starlark.Universe.Has(name) }
