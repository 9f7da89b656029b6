package engine

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// testHost answers calls by a function and remembers what it heard.
type testHost struct {
	mu      sync.Mutex
	run     *Run
	answer  func(c HostCall) (string, *hostError)
	calls   []HostCall
	traces  []TraceEntry
	prints  []PrintLine
	pauses  []string
	onPause func(r *Run, n int)
	yields  int
}

func (h *testHost) Call(c HostCall) {
	h.mu.Lock()
	h.calls = append(h.calls, c)
	h.mu.Unlock()
	go func() {
		if h.answer == nil {
			h.run.Reply(c.ID, `{"answer":"yes","exhausted":false,"turns":1,"truncated":false,"ok":true,"exit_code":0,"result":"out"}`)
			return
		}
		text, err := h.answer(c)
		if err != nil {
			h.run.Refuse(c.ID, err.code, err.message)
		} else if text != "" {
			h.run.Reply(c.ID, text)
		}
	}()
}
func (h *testHost) Trace(t TraceEntry)  { h.traces = append(h.traces, t) }
func (h *testHost) Print(p PrintLine)   { h.prints = append(h.prints, p) }
func (h *testHost) Progress(p Progress) {}
func (h *testHost) Paused(json string) {
	h.mu.Lock()
	h.pauses = append(h.pauses, json)
	n := len(h.pauses)
	h.mu.Unlock()
	if h.onPause != nil {
		go h.onPause(h.run, n)
	}
}
func (h *testHost) Yield() { h.yields++ }

func runText(t *testing.T, src, input string, host *testHost, change ...func(*Options)) *Result {
	t.Helper()
	opts := Options{Source: NewSource("SKILL.star", src), Input: input, Limits: Limits{Timeout: 10 * time.Second, MaxPrint: 1000}}
	for _, c := range change {
		c(&opts)
	}
	if host == nil {
		host = &testHost{}
	}
	host.run = NewRun(opts, host)
	return host.run.Exec()
}

func want(t *testing.T, r *Result, json string) {
	t.Helper()
	if r.Err != nil {
		t.Fatalf("error %s: %s", r.Err.Kind, r.Err.Message)
	}
	if r.Value != json {
		t.Fatalf("got %s, want %s", r.Value, json)
	}
}

func wantError(t *testing.T, r *Result, kind Kind, text string) {
	t.Helper()
	if r.Err == nil {
		t.Fatalf("no error, value %s; want %s", r.Value, text)
	}
	if r.Err.Kind != kind || !strings.Contains(r.Err.Message, text) {
		t.Fatalf("got %s: %s; want %s: %s", r.Err.Kind, r.Err.Message, kind, text)
	}
}

func TestValues(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `[1,2.5,"a"]`, `{"b":1,"a":2,"10":3,"2":4}`, `1.0`, `1e+100`, `-0.0`, `123456789012345678901234567890`,
		`"é😀\u0000\n\"\\"`, `[[],{}]`, `1e-07`, `0.1`,
	} {
		v, err := decodeValue(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		back, err := encodeValue(v)
		if err != nil || back != text {
			t.Errorf("%s became %s (%v)", text, back, err)
		}
	}
	for text, back := range map[string]string{`1e2`: `100.0`, `"\ud83d\ude00\ud83d"`: `"😀` + "\uFFFD" + `"`, ` { "a" : [ ] } `: `{"a":[]}`, `"\/"`: `"/"`} {
		v, err := decodeValue(text)
		if err != nil {
			t.Fatal(text, err)
		}
		if got, _ := encodeValue(v); got != back {
			t.Errorf("%s became %s, want %s", text, got, back)
		}
	}
	for _, text := range []string{``, `{`, `[1,]`, `{"a"}`, `nul`, `1 2`, `"a`, `"\x"`, `"\u12"`, `--1`, `{1:2}`, "\"\xff\"", strings.Repeat("[", 300)} {
		if _, err := decodeValue(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestRefusedValues(t *testing.T) {
	for expr, text := range map[string]string{
		`{"x": [1, 2, float("nan")]}`: `$.x[2]: nan is not JSON`,
		`{"x": float("inf")}`:         `$.x: +inf is not JSON`,
		`{"a b": b"x"}`:               `$["a b"]: a bytes is not JSON`,
		`{"f": len}`:                  `$.f: a builtin_function_or_method is not JSON`,
		`{"f": run}`:                  `$.f: a function is not JSON`,
		`{"d": {1: 2}}`:               `$.d: a key must be a string, not int`,
		`{"s": "é"[0:1]}`:             `$.s: the text is not valid UTF-8`,
		`{"l": deep(250)}`:            `nested more than 200 levels deep`,
		`cyclic()`:                    `nested more than 200 levels deep`,
	} {
		src := "def deep(n):\n  x = []\n  for _ in range(n):\n    x = [x]\n  return x\ndef cyclic():\n  x = {}\n  x[\"me\"] = x\n  return x\ndef run(input):\n  return " + expr
		wantError(t, runText(t, src, `{}`, nil), KindValue, text)
	}
	want(t, runText(t, "def run(input):\n  x = []\n  for _ in range(198):\n    x = [x]\n  return {\"x\": x, \"r\": range(3), \"t\": (1,)}", `{}`, nil),
		`{"x":`+strings.Repeat("[", 199)+strings.Repeat("]", 199)+`,"r":[0,1,2],"t":[1]}`)
}

func TestRun(t *testing.T) {
	want(t, runText(t, "def run(input):\n  return {\"k\": input[\"k\"], \"f\": 1.0, \"big\": 1 << 100}", `{"k":[1,2.0,"é\u0000"]}`, nil),
		`{"k":[1,2.0,"é\u0000"],"f":1.0,"big":1267650600228229401496703205376}`)
	want(t, runText(t, "run = lambda input: None", `{}`, nil), `null`)
	host := &testHost{}
	want(t, runText(t, "def run(input):\n  return ask(\"hi\", {\"max_turns\": 3})[\"answer\"]", `{}`, host), `"yes"`)
	if host.calls[0].Args != `{"prompt":"hi","opts":{"max_turns":3}}` || host.calls[0].Range != (Range{2, 10, 2, 37}) {
		t.Errorf("%+v", host.calls[0])
	}
	host = &testHost{}
	want(t, runText(t, "def run(input):\n  d = {\"x\": 1}\n  trace(\"a\", d)\n  d[\"x\"] = 2\n  trace(\"b\")\n  print(\"p\", 1)\n  command((\"a\",))\n", `{}`, host), `null`)
	if host.traces[0].Data != `{"x":1}` || host.traces[1].Data != `{}` || host.prints[0].Text != "p 1" {
		t.Errorf("%+v %+v", host.traces, host.prints)
	}
	if host.calls[0].Args != `{"argv":["a"],"argvType":"tuple","opts":{}}` {
		t.Error(host.calls[0].Args)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		src  string
		kind Kind
		text string
	}{
		{"x = 1", KindContract, "must define a run(input)"},
		{"run = 5", KindContract, "invalid call of non-function (int)"},
		{"def run(): pass", KindContract, "accepts no arguments (1 given)"},
		{"def run(a, b): pass", KindContract, "missing 1 argument (b)"},
		{"def run(a, *, b): pass", KindContract, "missing 1 argument (b)"},
		{"def run(input): return 1", KindContract, "invalid metaskill return value: int"},
		{"def run(input): return [1]", KindContract, "invalid metaskill return value: list"},
		{"def run(input): fail(\"boom\")", KindRuntime, "fail: boom"},
		{"def run(input): fail(\"timeout cancelled budget\")", KindRuntime, "fail: timeout cancelled budget"},
		{"def run(input): return {}[\"x\"]", KindRuntime, `key "x" not in dict`},
		{"def run(input): input[\"z\"] = 1", KindRuntime, "frozen hash table"},
		{"def run(input): input[\"l\"].append(1)", KindRuntime, "frozen list"},
		{"G = []\ndef run(input): G.append(1)", KindRuntime, "frozen list"},
		{"def run(input):\n  f = lambda: f()\n  f()", KindRuntime, "called recursively"},
		{"def run(input): ask(1)", KindRuntime, "got int, want string"},
		{"def run(input): ask()", KindRuntime, "missing argument for prompt"},
		{"def run(input): ask(\"x\", timeout=1)", KindRuntime, `unexpected keyword argument "timeout"`},
		{"def run(input): ask(\"x\", {\"max_turns\": \"4\"})", KindRuntime, "opts.max_turns must be an int, got string"},
		{"def run(input): ask(\"x\", {\"max_turns\": True})", KindRuntime, "opts.max_turns must be an int, got bool"},
		{"def run(input): ask(\"x\", [])", KindRuntime, "opts must be a dict, got list"},
		{"def run(input): command([\"a\"], {\"timeout\": 1.5})", KindRuntime, "opts.timeout must be an int, got float"},
		{"def run(input): trace(1)", KindRuntime, "got int, want string"},
		{"def run(input): trace(\"x\", [])", KindRuntime, "data must be a dict, got list"},
		{"load(\"x.star\", \"y\")\ndef run(input): pass", KindRuntime, "load not implemented"},
		{"def run(input):\n  undefined_thing()", KindResolve, "undefined: undefined_thing"},
		{"def run(input):\n  return (", KindSyntax, "want primary expression"},
		{"def run(input):\n  pass\x00", KindSyntax, "NUL"},
		{"def run(input): return ask(\"é\"[0:1])", KindRuntime, "not valid UTF-8"},
	} {
		wantError(t, runText(t, c.src, `{"l":[]}`, nil), c.kind, c.text)
	}
	for _, input := range []string{`[]`, `"x"`, `{`, `null`} {
		wantError(t, runText(t, "def run(input): pass", input, nil), KindInput, "")
	}
	for _, src := range []string{"def run(*a): pass", "def run(i, extra=2): pass", "def run(i=1, **kw): pass", "def run(data, *, k=1): pass", "run = str"} {
		if r := runText(t, src, `{}`, nil); r.Err != nil {
			t.Error(src, r.Err.Message)
		}
	}
}

func TestPosition(t *testing.T) {
	r := runText(t, "def f(x):\n  y = \"😀\" + x[\"é\"] + 1\n\ndef run(input):\n  f(input)\n", `{"é":"a"}`, nil)
	wantError(t, r, KindRuntime, "unknown binary op: string + int")
	if got := *r.Err.Where; got != (Range{2, 7, 2, 24}) {
		t.Errorf("%+v", got)
	}
	if len(r.Err.Stack) != 2 || r.Err.Stack[0].Name != "run" || r.Err.Stack[1].Name != "f" {
		t.Errorf("%+v", r.Err.Stack)
	}
}

func TestHostRefusal(t *testing.T) {
	host := &testHost{answer: func(HostCall) (string, *hostError) {
		return "", &hostError{"budget", "ask budget exhausted (100%d calls)"}
	}}
	r := runText(t, "def run(input):\n  ask(\"x\")\n  trace(\"never\")", `{}`, host)
	wantError(t, r, KindHost, "ask budget exhausted (100%d calls)")
	if r.Err.Code != "budget" || len(host.traces) != 0 {
		t.Errorf("%+v", r.Err)
	}
	host = &testHost{answer: func(HostCall) (string, *hostError) { return "{", nil }}
	wantError(t, runText(t, "def run(input): ask(\"x\")", `{}`, host), KindRuntime, "not readable")
}

const pureLoop = "def run(input):\n  n = 0\n  for i in range(10 << 40):\n    n += i\n"

func TestLimits(t *testing.T) {
	started := time.Now()
	r := runText(t, pureLoop, `{}`, nil, func(o *Options) { o.Limits.Timeout = 300 * time.Millisecond })
	wantError(t, r, KindTimeout, "the time limit of 0.3 s is over")
	if spent := time.Since(started); spent > 500*time.Millisecond {
		t.Errorf("stopped after %s", spent)
	}
	if r.Err.Where == nil || r.Err.Where.Line < 3 {
		t.Errorf("%+v", r.Err)
	}
	r = runText(t, pureLoop, `{}`, nil, func(o *Options) { o.Limits.MaxSteps = 12345 })
	wantError(t, r, KindSteps, "12345")
	if r.Stats.Steps != 12345 {
		t.Error(r.Stats.Steps)
	}
	// Steps that each take long do not delay the end.
	started = time.Now()
	r = runText(t, "def run(input):\n  for i in range(1 << 40):\n    x = \"a\" * 3000000\n", `{}`, nil, func(o *Options) { o.Limits.Timeout = 300 * time.Millisecond })
	wantError(t, r, KindTimeout, "")
	if spent := time.Since(started); spent > 600*time.Millisecond {
		t.Errorf("stopped after %s", spent)
	}
	wantError(t, runText(t, "def run(input): return [0, 0] * (1 << 30)", `{}`, nil), KindRuntime, "excessive repeat")
	grow := "def run(input):\n  x = []\n  for i in range(1 << 40):\n    x.append(\"%d\" % i)\n"
	wantError(t, runText(t, grow, `{}`, nil, func(o *Options) { o.Limits.MaxMemory = 16 << 20 }), KindMemory, "more than 16 MiB")
}

func TestWaitingHostEnds(t *testing.T) {
	silent := &testHost{answer: func(HostCall) (string, *hostError) { return "", nil }}
	r := runText(t, "def run(input): ask(\"x\")", `{}`, silent, func(o *Options) { o.Limits.Timeout = 100 * time.Millisecond })
	wantError(t, r, KindTimeout, "")

	silent = &testHost{answer: func(HostCall) (string, *hostError) { return "", nil }}
	go func() {
		time.Sleep(50 * time.Millisecond)
		silent.run.Cancel("stopped by the user")
	}()
	wantError(t, runText(t, "def run(input): ask(\"x\")", `{}`, silent), KindCancelled, "stopped by the user")

	// Cancelled during an ask, and the program returns: cancelled.
	host := &testHost{}
	host.answer = func(c HostCall) (string, *hostError) {
		host.run.Cancel("late")
		return `{"answer":""}`, nil
	}
	wantError(t, runText(t, "def run(input):\n  ask(\"x\")\n  return \"done\"", `{}`, host), KindCancelled, "late")
}

func TestClockStandsStill(t *testing.T) {
	host := &testHost{}
	host.answer = func(HostCall) (string, *hostError) {
		host.run.SetWaiting(true)
		time.Sleep(300 * time.Millisecond)
		host.run.SetWaiting(false)
		return `{"answer":"approved"}`, nil
	}
	r := runText(t, "def run(input): return ask(\"x\")[\"answer\"]", `{}`, host, func(o *Options) { o.Limits.Timeout = 200 * time.Millisecond })
	want(t, r, `"approved"`)
	if r.Stats.HeldMs < 250 || r.Stats.Ms > 150 {
		t.Errorf("%+v", r.Stats)
	}
}

func TestPrintCap(t *testing.T) {
	host := &testHost{}
	runText(t, "def run(input):\n  for i in range(5000):\n    print(\"ä\" * 99)\n", `{}`, host)
	if n := len(host.prints); n != 11 || !host.prints[10].Truncated {
		t.Errorf("%d lines", n)
	}
}

func TestPanicInside(t *testing.T) {
	defer func() {
		if e := crashError(recover()); e.Kind != KindMemory {
			t.Error(e.Kind, e.Message)
		}
	}()
	n := 1 << 60
	_ = make([]string, n)
}
