package engine

import (
	"strings"
	"testing"
	"time"
)

const steps = `LIMIT = 2

def inner(n):
    m = n + 1
    return m

def run(input):
    total = 0
    for i in range(LIMIT):
        total = inner(total)
    add = lambda x: x + total
    return {"total": add(1)}
`

// session runs steps in the debugger and plays a list of commands, one per pause.
func session(t *testing.T, src string, opts DebugOptions, commands ...func(r *Run)) (*testHost, *Result) {
	t.Helper()
	host := &testHost{}
	host.onPause = func(r *Run, n int) {
		if n <= len(commands) {
			commands[n-1](r)
		} else {
			r.Resume(Continue)
		}
	}
	return host, runText(t, src, `{}`, host, func(o *Options) { o.Debug = &opts })
}

func how(c Command) func(*Run) { return func(r *Run) { r.Resume(c) } }

func linesOf(host *testHost) string {
	var out []string
	for _, p := range host.pauses {
		_, rest, _ := strings.Cut(p, `"range":{"line":`)
		line, _, _ := strings.Cut(rest, ",")
		_, reason, _ := strings.Cut(p, `"reason":"`)
		reason, _, _ = strings.Cut(reason, `"`)
		out = append(out, reason+line)
	}
	return strings.Join(out, " ")
}

func TestStepping(t *testing.T) {
	in, over, out, on := how(StepIn), how(StepOver), how(StepOut), how(Continue)
	for _, c := range []struct {
		opts DebugOptions
		list []func(*Run)
		want string
	}{
		{DebugOptions{Breakpoints: []Breakpoint{{Line: 10}}}, nil, "breakpoint10 breakpoint10"},
		{DebugOptions{Breakpoints: []Breakpoint{{Line: 10}}}, []func(*Run){in, in, in, in, on}, "breakpoint10 step4 step5 step10 step4"},
		{DebugOptions{Breakpoints: []Breakpoint{{Line: 10}}}, []func(*Run){over, over, over}, "breakpoint10 step10 step11 step12"},
		{DebugOptions{Breakpoints: []Breakpoint{{Line: 4}}}, []func(*Run){out, out}, "breakpoint4 step10 breakpoint4"},
		{DebugOptions{StopOnEntry: true}, []func(*Run){over, over, over, in}, "entry1 step3 step7 step8 step9"},
		{DebugOptions{Breakpoints: []Breakpoint{{Line: 4, Condition: "n == 1"}}}, nil, "breakpoint4"},
		{DebugOptions{Breakpoints: []Breakpoint{{Line: 2}}}, nil, "breakpoint3"},
		{DebugOptions{Breakpoints: []Breakpoint{{Line: 99}}}, nil, ""},
	} {
		host, result := session(t, steps, c.opts, c.list...)
		want(t, result, `{"total":3}`)
		if got := linesOf(host); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestVariables(t *testing.T) {
	var seen []string
	look := func(r *Run) {
		for _, expr := range []string{"total + 1", "i", "[total, i, LIMIT]", "ask", "nope", "inner(5)", "total *", "[x for x in range(100000)]"} {
			text, err := r.Evaluate(0, expr)
			if err != nil {
				text = err.Error()
			}
			seen = append(seen, expr+" → "+text)
		}
		text, _ := r.Expand(1)
		seen = append(seen, text)
		r.Resume(Continue)
	}
	host, result := session(t, steps, DebugOptions{Breakpoints: []Breakpoint{{Line: 11}}}, look)
	want(t, result, `{"total":3}`)
	all := strings.Join(append(seen, host.pauses...), "\n")
	for _, part := range []string{
		`total + 1 → {"name":"total + 1","type":"int","repr":"3"`, `i → {"name":"i","type":"int","repr":"1"`, `"repr":"[2, 1, 2]"`,
		`undefined: ask`, `undefined: nope`, `"repr":"6"`, `total * → `, `too many steps`,
		`{"name":"total","type":"int","repr":"2","scope":"cell"}`, `{"name":"add","type":"unassigned"`, `"scope":"global"`,
		`{"name":"[0]","type":"int","repr":"2","scope":"part"}`,
	} {
		if !strings.Contains(all, part) {
			t.Errorf("%s is missing in\n%s", part, all)
		}
	}
	// The captured variable inside the lambda's own frame is a free one.
	host, _ = session(t, strings.Replace(steps, "add = lambda x: x + total", "def add(x):\n        return x + total", 1), DebugOptions{Breakpoints: []Breakpoint{{Line: 12}}})
	if !strings.Contains(host.pauses[0], `{"name":"total","type":"int","repr":"2","scope":"free"}`) {
		t.Error(host.pauses[0])
	}
}

func TestPauseAndCancel(t *testing.T) {
	host := &testHost{}
	host.onPause = func(r *Run, n int) {
		if n == 1 {
			time.Sleep(400 * time.Millisecond)
			r.SetBreakpoints([]Breakpoint{{Line: 4}})
			r.Resume(Continue)
			return
		}
		r.Cancel("enough")
	}
	go func() {
		time.Sleep(50 * time.Millisecond)
		host.run.Pause()
	}()
	r := runText(t, pureLoop, `{}`, host, func(o *Options) {
		o.Debug = &DebugOptions{}
		o.Limits.Timeout = 300 * time.Millisecond
	})
	wantError(t, r, KindCancelled, "enough")
	if r.Stats.HeldMs < 350 || !strings.HasPrefix(linesOf(host), "pause") {
		t.Errorf("%+v %s", r.Stats, linesOf(host))
	}
}

func TestBadCondition(t *testing.T) {
	host, _ := session(t, steps, DebugOptions{Breakpoints: []Breakpoint{{Line: 8, Condition: "nope("}}})
	if len(host.pauses) != 1 || !strings.Contains(host.pauses[0], "cannot be evaluated") {
		t.Error(host.pauses)
	}
}

func TestRepr(t *testing.T) {
	src := "def run(input):\n    x = []\n    for _ in range(20000):\n        x = [x]\n    y = {}\n    y[1] = y\n    z = \"é\" * 100000\n    n = (1 << 500) * (1 << 500) * (1 << 500) * (1 << 500) * (1 << 500)\n    t = (1,)\n    return None\n"
	host, result := session(t, src, DebugOptions{Breakpoints: []Breakpoint{{Line: 10}}})
	want(t, result, "null")
	if len(host.pauses[0]) > 4000 || !strings.Contains(host.pauses[0], `"repr":"(1,)"`) {
		t.Error(len(host.pauses[0]))
	}
}
