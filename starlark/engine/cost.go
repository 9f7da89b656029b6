package engine

import "go.starlark.net/syntax"

// The largest number of asks, commands and traces that a run can make. Paths are told apart: a branch that returns does
// not add to what stands after it.

const (
	costAsk = iota
	costCommand
	costTrace
)

type cost [3]int64

func (c cost) plus(o cost) cost {
	for i := range c {
		c[i] = plus(c[i], o[i])
	}
	return c
}

func (c cost) times(n int64) cost {
	for i := range c {
		c[i] = times(c[i], n)
	}
	return c
}

func (c cost) max(o cost) cost {
	for i := range c {
		c[i] = max(c[i], o[i])
	}
	return c
}

// ways in which a block can be left, each with the most that was spent until then
type ways struct{ fall, brk, cont, exit *cost }

func larger(a, b *cost) *cost {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	c := a.max(*b)
	return &c
}

func after(spent cost, w *cost) *cost {
	if w == nil {
		return nil
	}
	c := spent.plus(*w)
	return &c
}

type loopFact struct {
	span  Range
	bound int64 // unbounded: not known
	each  cost  // of one round
	total cost
	fn    *function
	depth int // loops around it in the same function
}

type costs struct {
	flow   *flow
	bounds *bounds
	known  map[*function]cost
	busy   map[*function]bool
	cycles map[*function]bool
	loops  []*loopFact
	seen   map[syntax.Node]bool
	inside *function
	depth  int
}

func newCosts(f *flow) *costs {
	return &costs{flow: f, bounds: newBounds(f), known: map[*function]cost{}, busy: map[*function]bool{}, cycles: map[*function]bool{}, seen: map[syntax.Node]bool{}}
}

func (c *costs) function(fn *function) cost {
	if done, ok := c.known[fn]; ok {
		return done
	}
	if c.busy[fn] {
		// A call of itself fails when it is reached; what was spent before that is counted elsewhere.
		c.cycles[fn] = true
		return cost{}
	}
	c.busy[fn] = true
	outer, outerDepth := c.inside, c.depth
	c.inside, c.depth = fn, 0
	var total cost
	if fn.lambda != nil {
		total = c.expr(fn.lambda)
	} else if w := c.block(fn.body); true {
		for _, way := range []*cost{w.fall, w.exit, w.brk, w.cont} {
			if way != nil {
				total = total.max(*way)
			}
		}
	}
	c.inside, c.depth = outer, outerDepth
	delete(c.busy, fn)
	c.known[fn] = total
	return total
}

func (c *costs) block(list []syntax.Stmt) ways {
	var out ways
	spent := cost{}
	for _, s := range list {
		w := c.stmt(s)
		out.brk = larger(out.brk, after(spent, w.brk))
		out.cont = larger(out.cont, after(spent, w.cont))
		out.exit = larger(out.exit, after(spent, w.exit))
		if w.fall == nil {
			return out
		}
		spent = spent.plus(*w.fall)
	}
	out.fall = &spent
	return out
}

func (c *costs) stmt(s syntax.Stmt) ways {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		spent := c.expr(s.X)
		if call, ok := s.X.(*syntax.CallExpr); ok && builtinName(call.Fn) == "fail" {
			return ways{exit: &spent}
		}
		return ways{fall: &spent}
	case *syntax.AssignStmt:
		spent := c.expr(s.LHS).plus(c.expr(s.RHS))
		return ways{fall: &spent}
	case *syntax.ReturnStmt:
		spent := cost{}
		if s.Result != nil {
			spent = c.expr(s.Result)
		}
		return ways{exit: &spent}
	case *syntax.BranchStmt:
		switch s.Token {
		case syntax.BREAK:
			return ways{brk: &cost{}}
		case syntax.CONTINUE:
			return ways{cont: &cost{}}
		}
	case *syntax.IfStmt:
		cond := c.expr(s.Cond)
		yes, no := c.block(s.True), c.block(s.False)
		return ways{
			fall: after(cond, larger(yes.fall, no.fall)), brk: after(cond, larger(yes.brk, no.brk)),
			cont: after(cond, larger(yes.cont, no.cont)), exit: after(cond, larger(yes.exit, no.exit)),
		}
	case *syntax.ForStmt:
		return c.loop(s)
	case *syntax.WhileStmt:
		spent := cost{unbounded, unbounded, unbounded}
		return ways{fall: &spent}
	case *syntax.DefStmt:
		// The body costs where it is called; defaults cost here.
		spent := cost{}
		for _, param := range s.Params {
			if d, ok := param.(*syntax.BinaryExpr); ok {
				spent = spent.plus(c.expr(d.Y))
			}
		}
		return ways{fall: &spent}
	}
	return ways{fall: &cost{}}
}

func (c *costs) loop(s *syntax.ForStmt) ways {
	before := c.expr(s.X)
	n, ok := c.bounds.length(s.X)
	if !ok {
		n = unbounded
	}
	head := headRange(c.flow.src, s)
	var fact *loopFact
	if !c.seen[s] {
		c.seen[s] = true
		fact = &loopFact{span: head, bound: n, fn: c.inside, depth: c.depth}
		c.loops = append(c.loops, fact)
	}
	c.depth++
	w := c.block(s.Body)
	c.depth--
	var each, last cost
	for _, way := range []*cost{w.fall, w.cont} {
		if way != nil {
			each = each.max(*way)
		}
	}
	last = each
	if w.brk != nil {
		last = last.max(*w.brk)
	}
	// A body that always leaves the loop runs at most once.
	rounds := n
	if w.fall == nil && w.cont == nil {
		rounds = min(n, 1)
	}
	total := cost{}
	if rounds > 0 {
		total = each.times(min(rounds, unbounded) - 1).plus(last)
	}
	if rounds >= unbounded {
		total = each.times(unbounded).plus(last)
	}
	out := ways{fall: after(before, &total)}
	if w.exit != nil && rounds > 0 {
		leaving := before.plus(each.times(max(rounds-1, 0))).plus(*w.exit)
		out.exit = &leaving
	}
	if fact != nil {
		fact.each = last
		fact.total = total
		if w.exit != nil {
			fact.each = fact.each.max(*w.exit)
			fact.total = fact.total.max(each.times(max(rounds-1, 0)).plus(*w.exit))
		}
	}
	return out
}

// expr is what evaluating an expression can spend.
func (c *costs) expr(e syntax.Expr) cost {
	switch e := e.(type) {
	case nil:
		return cost{}
	case *syntax.LambdaExpr:
		return cost{}
	case *syntax.CondExpr:
		return c.expr(e.Cond).plus(c.expr(e.True).max(c.expr(e.False)))
	case *syntax.Comprehension:
		return c.comprehension(e)
	case *syntax.CallExpr:
		return c.call(e)
	}
	var total cost
	top := true
	syntax.Walk(e, func(n syntax.Node) bool {
		if n == nil {
			return false
		}
		if top {
			top = false
			return true
		}
		if sub, ok := n.(syntax.Expr); ok {
			total = total.plus(c.expr(sub))
			return false
		}
		return true
	})
	return total
}

func (c *costs) comprehension(e *syntax.Comprehension) cost {
	total, rounds := cost{}, int64(1)
	for _, clause := range e.Clauses {
		switch clause := clause.(type) {
		case *syntax.ForClause:
			total = total.plus(c.expr(clause.X).times(rounds))
			n, ok := c.bounds.length(clause.X)
			if !ok {
				n = unbounded
			}
			rounds = times(rounds, n)
		case *syntax.IfClause:
			total = total.plus(c.expr(clause.Cond).times(rounds))
		}
	}
	body := c.expr(e.Body)
	if entry, ok := e.Body.(*syntax.DictEntry); ok {
		body = c.expr(entry.Key).plus(c.expr(entry.Value))
	}
	return total.plus(body.times(rounds))
}

func (c *costs) call(e *syntax.CallExpr) cost {
	total := c.expr(e.Fn)
	var handed value
	for _, arg := range e.Args {
		arg = argumentValue(arg)
		total = total.plus(c.expr(arg))
		handed.add(c.flow.eval(arg))
	}
	callee := c.flow.eval(e.Fn)
	total = total.plus(c.callable(callee))
	if len(callee.fns) == 0 && len(callee.hosts) == 0 {
		if name := builtinName(e.Fn); name != "" {
			// sorted(xs, key = f) calls f once per element.
			if inner := c.callable(handed); inner != (cost{}) {
				n, ok := c.bounds.length(e.Args[0])
				if !ok {
					n = unbounded
				}
				total = total.plus(inner.times(n))
			}
		} else if _, method := e.Fn.(*syntax.DotExpr); !method {
			// Something out of a list or dict is called: it may be anything that was put into one.
			total = total.plus(c.callable(c.flow.stored))
		}
	}
	return total
}

// callable is the most that calling one of these can spend.
func (c *costs) callable(v value) cost {
	var most cost
	for host := range v.hosts {
		switch host {
		case "ask":
			most = most.max(cost{costAsk: 1})
		case "command":
			most = most.max(cost{costCommand: 1})
		case "trace":
			most = most.max(cost{costTrace: 1})
		}
	}
	for fn := range v.fns {
		most = most.max(c.function(fn))
	}
	return most
}
