package engine

import (
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Limits of a run; zero means none.
type Limits struct {
	Timeout   time.Duration
	MaxSteps  uint64
	MaxPrint  int    // characters on the console in all
	MaxMemory uint64 // bytes; checked while the program computes
}

// Options of a run. Input is the text of a JSON object.
type Options struct {
	Source *Source
	Input  string
	Limits Limits
	Debug  *DebugOptions
}

// A Run is one execution of a program. Exec blocks; the other methods may be called from anywhere meanwhile.
type Run struct {
	src      *Source
	input    string
	limits   Limits
	host     Host
	debugger *debugger
	clock    clock
	ranges   map[[2]int32]Range
	wake     chan struct{}

	mu        sync.Mutex
	stop      *Error // recorded by whoever ends the run
	waiting   chan reply
	waitingID int
	calls     int

	// of the goroutine in Exec
	refusal    *hostError
	contract   bool // run is being called with an argument that it does not take
	hostTime   time.Duration
	printed    int
	chunk      uint64
	chunkStart time.Time
	yielded    time.Time
	reported   time.Time
}

func NewRun(opts Options, host Host) *Run {
	r := &Run{src: opts.Source, input: opts.Input, limits: opts.Limits, host: host, wake: make(chan struct{}, 1)}
	if opts.Debug != nil {
		r.debugger = newDebugger(r, *opts.Debug)
	}
	return r
}

// Cancel ends the run with a reason. A program that waits for the host ends at once, one that computes at its next
// yield.
func (r *Run) Cancel(reason string) { r.end(&Error{Kind: KindCancelled, Message: reason}) }

// end records why the run ends; the first one counts.
func (r *Run) end(e *Error) {
	r.mu.Lock()
	if r.stop == nil {
		r.stop = e
	}
	r.mu.Unlock()
	r.nudge()
}

// nudge makes a waiting run look around.
func (r *Run) nudge() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// SetWaiting stops the clock while a person is asked something, and starts it again.
func (r *Run) SetWaiting(waiting bool) {
	if waiting {
		r.clock.hold()
	} else {
		r.clock.release()
	}
	r.nudge()
}

func (r *Run) stopped() *Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stop
}

// checkpoint returns an error if the run has to end here, and makes the interpreter end it.
func (r *Run) checkpoint(thread *starlark.Thread) error {
	if limit := r.limits.Timeout; limit > 0 && r.clock.elapsed() >= limit {
		r.end(&Error{Kind: KindTimeout, Message: fmt.Sprintf("the time limit of %g s is over", limit.Seconds())})
	}
	if stop := r.stopped(); stop != nil {
		thread.Cancel(stop.Message)
		return errors.New(stop.Message)
	}
	return nil
}

// Exec runs the program to its end. It never panics.
func (r *Run) Exec() (result *Result) {
	result = &Result{}
	r.clock.start()
	thread := &starlark.Thread{Name: "run"}
	defer func() {
		if crash := recover(); crash != nil {
			result.Value, result.Type = "", ""
			result.Err = crashError(crash)
		}
		result.Stats = Stats{Steps: thread.Steps, Ms: millis(r.clock.elapsed()), HostMs: millis(r.hostTime), HeldMs: millis(r.clock.heldTime())}
	}()
	r.exec(thread, result)
	return result
}

// crashError words a panic of the Go runtime. The one that a program can cause is asking for a list that no memory
// could hold.
func crashError(crash any) *Error {
	if err, ok := crash.(error); ok && isAllocation(err) {
		return &Error{Kind: KindMemory, Message: "the program asked for more memory than there is"}
	}
	return &Error{Kind: KindEngine, Message: fmt.Sprintf("the engine failed: %v", crash)}
}

// isAllocation knows the two messages of the Go runtime for a slice that is too long.
func isAllocation(err error) bool {
	text := err.Error()
	return text == "runtime error: makeslice: len out of range" || text == "runtime error: makeslice: cap out of range" ||
		text == "runtime error: growslice: len out of range"
}

func (r *Run) exec(thread *starlark.Thread, result *Result) {
	input, err := decodeValue(r.input)
	if err == nil && input.Type() != "dict" {
		err = fmt.Errorf("the input must be an object, got %s", input.Type())
	}
	if err != nil {
		result.Err = &Error{Kind: KindInput, Message: err.Error()}
		return
	}
	input.Freeze()

	program, failure := r.compile()
	if failure != nil {
		result.Err = failure
		return
	}
	thread.Print = r.print
	thread.OnMaxSteps = r.tick
	r.chunk = 1000
	r.chunkStart = time.Now()
	r.yielded = r.chunkStart
	r.reported = r.chunkStart
	r.schedule(thread)

	value, err := r.call0(thread, program, input)
	// Cancelled in its last moment is cancelled.
	if stop := r.stopped(); stop != nil {
		result.Err = stop
		if err != nil {
			described := r.describe(err, stop.Kind)
			described.Message = stop.Message
			result.Err = described
		}
		return
	}
	if err != nil {
		kind := KindRuntime
		switch {
		case r.refusal != nil:
			kind = KindHost
		case r.contract:
			kind = KindContract
		}
		result.Err = r.describe(err, kind)
		if r.refusal != nil {
			result.Err.Code, result.Err.Message = r.refusal.code, r.refusal.message
		}
		return
	}
	r.accept(value, result)
}

// accept takes None, a string or a dict.
func (r *Run) accept(value starlark.Value, result *Result) {
	switch value.(type) {
	case starlark.NoneType, starlark.String, *starlark.Dict:
	default:
		result.Err = &Error{Kind: KindContract, Message: "invalid metaskill return value: " + value.Type()}
		return
	}
	text, err := encodeValue(value)
	if err != nil {
		result.Err = &Error{Kind: KindValue, Message: "the result is not JSON: " + err.Error()}
		return
	}
	result.Value, result.Type = text, value.Type()
}

// call0 executes the module and then run(input), once.
func (r *Run) call0(thread *starlark.Thread, program *starlark.Program, input starlark.Value) (starlark.Value, error) {
	globals, err := program.Init(thread, r.predeclared())
	globals.Freeze()
	if err != nil {
		return nil, err
	}
	run, ok := globals["run"]
	if !ok {
		r.contract = true
		return nil, errors.New("metaskill must define a run(input) function")
	}
	r.contract = !takesOne(run)
	return starlark.Call(thread, run, starlark.Tuple{input}, nil)
}

// takesOne reports whether a value can be called with one positional argument.
func takesOne(v starlark.Value) bool {
	fn, ok := v.(*starlark.Function)
	if !ok {
		_, callable := v.(starlark.Callable)
		return callable
	}
	positional := fn.NumParams() - fn.NumKwonlyParams()
	required := 0
	last := fn.NumParams()
	if fn.HasKwargs() {
		positional--
		last--
	}
	if fn.HasVarargs() {
		positional--
		last--
	}
	for i := 0; i < last; i++ {
		if fn.ParamDefault(i) == nil {
			if i >= positional {
				return false // a keyword-only parameter without default
			}
			required++
		}
	}
	return required <= 1 && (positional >= 1 || fn.HasVarargs())
}

func (r *Run) compile() (*starlark.Program, *Error) {
	parsed := Check(r.src)
	if len(parsed.Diagnostics) > 0 {
		first := parsed.Diagnostics[0]
		where := first.Range
		return nil, &Error{Kind: Kind(first.Kind), Message: first.Original, Where: &where, Diagnostics: parsed.Diagnostics}
	}
	r.ranges = operatorRanges(r.src, parsed.File)
	// A second parse: the resolver has written into the first tree, and the debugger adds to this one.
	file, err := dialect.Parse(r.src.File, r.src.Text, 0)
	if err != nil {
		return nil, &Error{Kind: KindSyntax, Message: err.Error()}
	}
	known := isPredeclared
	if r.debugger != nil {
		r.debugger.instrument(file)
		known = func(name string) bool { return name == debugName || isPredeclared(name) }
	}
	program, err := starlark.FileProgram(file, known)
	if err != nil {
		var list resolve.ErrorList
		var bad syntax.Error
		kind := KindResolve
		if errors.As(err, &bad) || !errors.As(err, &list) {
			kind = KindSyntax
		}
		return nil, &Error{Kind: kind, Message: err.Error()}
	}
	return program, nil
}

// tick runs between the steps of a program. It keeps the time between two ticks near 5 ms, whatever a step costs.
func (r *Run) tick(thread *starlark.Thread) {
	now := time.Now()
	if r.limits.MaxSteps > 0 && thread.Steps >= r.limits.MaxSteps {
		r.end(&Error{Kind: KindSteps, Message: fmt.Sprintf("the limit of %d steps is reached", r.limits.MaxSteps)})
	}
	switch spent := now.Sub(r.chunkStart); {
	case spent > 10*time.Millisecond:
		r.chunk = max(r.chunk/2, 16)
	case spent < 3*time.Millisecond:
		r.chunk = min(r.chunk*2, 50_000)
	}
	if now.Sub(r.yielded) >= 20*time.Millisecond {
		r.observe(thread, now)
		r.host.Yield()
		now = time.Now()
		r.yielded = now
	}
	r.chunkStart = now
	if r.checkpoint(thread) == nil {
		r.schedule(thread)
	}
}

func (r *Run) schedule(thread *starlark.Thread) {
	next := thread.Steps + r.chunk
	if r.limits.MaxSteps > 0 {
		next = min(next, r.limits.MaxSteps)
	}
	thread.SetMaxExecutionSteps(max(next, 1))
}

// observe reports progress ten times a second and ends a program that grows without end.
func (r *Run) observe(thread *starlark.Thread, now time.Time) {
	if now.Sub(r.reported) < 100*time.Millisecond {
		return
	}
	r.reported = now
	used := usedMemory(r.limits.MaxMemory)
	if r.limits.MaxMemory > 0 && used > r.limits.MaxMemory {
		r.end(&Error{Kind: KindMemory, Message: fmt.Sprintf("the program uses more than %d MiB", r.limits.MaxMemory>>20)})
	}
	where := r.callerRangeAt(thread, 0)
	r.host.Progress(Progress{Steps: thread.Steps, Ms: millis(r.clock.elapsed()), MemoryBytes: used, Range: where})
}

func (r *Run) callerRangeAt(thread *starlark.Thread, depth int) *Range {
	if thread.CallStackDepth() <= depth {
		return nil
	}
	f := r.frame("", thread.CallFrame(depth).Pos)
	if f.Builtin {
		return nil
	}
	return &f.Range
}

func (r *Run) print(thread *starlark.Thread, text string) {
	if r.limits.MaxPrint > 0 && r.printed > r.limits.MaxPrint {
		return
	}
	// Every line costs at least one character, so that empty ones end as well.
	size := utf8.RuneCountInString(text) + 1
	r.printed += size
	line := PrintLine{Text: text, Range: r.callerRange(thread)}
	if r.limits.MaxPrint > 0 && r.printed > r.limits.MaxPrint {
		line.Truncated = true
		line.Text = cut(text, max(0, r.limits.MaxPrint-(r.printed-size)))
	}
	r.host.Print(line)
}
