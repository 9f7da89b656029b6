package engine

import (
	"fmt"
	"time"

	"go.starlark.net/starlark"
)

// A Host hears of a run and serves it. Its methods return at once, except Yield.
type Host interface {
	// Call starts ask or command; the answer comes through Run.Reply.
	Call(c HostCall)
	Trace(t TraceEntry)
	Print(p PrintLine)
	Progress(p Progress)
	// Paused hands over a JSON object of the debugger.
	Paused(json string)
	// Yield lets messages of the outside be handled. Nothing else could reach a program that only computes.
	Yield()
}

// A HostCall is one call of ask or command. Args is a JSON object:
// {"prompt": …, "opts": {…}} or {"argv": …, "argvType": "list", "opts": {…}}.
type HostCall struct {
	ID    int
	Fn    string
	Args  string
	Range Range
	Steps uint64
	Ms    float64
}

type TraceEntry struct {
	Kind  string
	Data  string // JSON object
	Range Range
}

type PrintLine struct {
	Text      string
	Truncated bool // this is the last one: the console is full
	Range     Range
}

type Progress struct {
	Steps       uint64
	Ms          float64
	MemoryBytes uint64
	Range       *Range
}

type reply struct {
	value string
	err   *hostError
}

// A hostError is the host's refusal of a call. Its text is never a format.
type hostError struct{ code, message string }

func (e *hostError) Error() string { return e.message }

// Reply answers a call with JSON text.
func (r *Run) Reply(id int, value string) { r.answer(id, reply{value: value}) }

// Refuse answers a call with an error that ends the run.
func (r *Run) Refuse(id int, code, message string) {
	r.answer(id, reply{err: &hostError{code, message}})
}

func (r *Run) answer(id int, a reply) {
	r.mu.Lock()
	waiting := r.waiting
	fits := waiting != nil && r.waitingID == id
	if fits {
		r.waiting = nil
	}
	r.mu.Unlock()
	if fits {
		waiting <- a
	}
}

func (r *Run) predeclared() starlark.StringDict {
	env := starlark.StringDict{
		"ask":     starlark.NewBuiltin("ask", r.ask),
		"command": starlark.NewBuiltin("command", r.command),
		"trace":   starlark.NewBuiltin("trace", r.trace),
	}
	if r.debugger != nil {
		env[debugName] = starlark.NewBuiltin(debugName, r.debugger.statement)
	}
	return env
}

// optsOf reads the options of a call: None and nothing are the same, unknown ones pass.
func optsOf(fn string, v starlark.Value, types map[string]string) (*starlark.Dict, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return new(starlark.Dict), nil
	case *starlark.Dict:
		for _, item := range v.Items() {
			name, ok := item[0].(starlark.String)
			if !ok {
				continue
			}
			if want, known := types[string(name)]; known && item[1].Type() != want {
				return nil, fmt.Errorf("%s: opts.%s must be %s, got %s", fn, string(name), article(want), item[1].Type())
			}
		}
		return v, nil
	default:
		return nil, fmt.Errorf("%s: opts must be a dict, got %s", fn, v.Type())
	}
}

func article(typ string) string {
	if typ == "int" {
		return "an int"
	}
	return "a " + typ
}

func (r *Run) ask(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var prompt starlark.String
	var rawOpts starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "prompt", &prompt, "opts?", &rawOpts); err != nil {
		return nil, err
	}
	opts, err := optsOf(b.Name(), rawOpts, map[string]string{"max_turns": "int", "purpose": "string"})
	if err != nil {
		return nil, err
	}
	return r.call(thread, b.Name(), []starlark.Tuple{{starlark.String("prompt"), prompt}, {starlark.String("opts"), opts}})
}

func (r *Run) command(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var argv, rawOpts starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "argv", &argv, "opts?", &rawOpts); err != nil {
		return nil, err
	}
	opts, err := optsOf(b.Name(), rawOpts, map[string]string{"timeout": "int"})
	if err != nil {
		return nil, err
	}
	// A wrong argv is the host's to answer, as a failed command. JSON does not tell a tuple from a list.
	return r.call(thread, b.Name(), []starlark.Tuple{
		{starlark.String("argv"), argv},
		{starlark.String("argvType"), starlark.String(argv.Type())},
		{starlark.String("opts"), opts},
	})
}

func (r *Run) trace(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var kind starlark.String
	var rawData starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "kind", &kind, "data?", &rawData); err != nil {
		return nil, err
	}
	data := new(starlark.Dict)
	switch v := rawData.(type) {
	case nil, starlark.NoneType:
	case *starlark.Dict:
		data = v
	default:
		return nil, fmt.Errorf("%s: data must be a dict, got %s", b.Name(), v.Type())
	}
	if err := r.checkpoint(thread); err != nil {
		return nil, err
	}
	// Encoded at once: what the program does to the dict later is not seen.
	if _, err := encodeValue(kind); err != nil {
		return nil, fmt.Errorf("%s: kind %w", b.Name(), err)
	}
	text, err := encodeValue(data)
	if err != nil {
		return nil, fmt.Errorf("%s: data %w", b.Name(), err)
	}
	r.host.Trace(TraceEntry{Kind: string(kind), Data: text, Range: r.callerRange(thread)})
	return starlark.None, nil
}

// call hands a call to the host and waits for its answer, for a cancellation or for the end of the time.
func (r *Run) call(thread *starlark.Thread, fn string, fields []starlark.Tuple) (starlark.Value, error) {
	if err := r.checkpoint(thread); err != nil {
		return nil, err
	}
	args := new(starlark.Dict)
	for _, f := range fields {
		if err := args.SetKey(f[0], f[1]); err != nil {
			return nil, err
		}
	}
	text, err := encodeValue(args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	answers := make(chan reply, 1)
	r.mu.Lock()
	r.calls++
	id := r.calls
	r.waiting, r.waitingID = answers, id
	r.mu.Unlock()

	started := time.Now()
	r.host.Call(HostCall{ID: id, Fn: fn, Args: text, Range: r.callerRange(thread), Steps: thread.Steps, Ms: millis(r.clock.elapsed())})
	answer, err := r.await(thread, answers)
	r.hostTime += time.Since(started)
	if err != nil {
		return nil, err
	}
	if answer.err != nil {
		r.refusal = answer.err
		return nil, answer.err
	}
	value, err := decodeValue(answer.value)
	if err != nil {
		return nil, fmt.Errorf("%s: the host's answer is not readable: %w", fn, err)
	}
	return value, r.checkpoint(thread)
}

func (r *Run) await(thread *starlark.Thread, answers chan reply) (reply, error) {
	for {
		left, ticking := r.clock.left(r.limits.Timeout)
		var timer *time.Timer
		var over <-chan time.Time
		if ticking {
			timer = time.NewTimer(left)
			over = timer.C
		}
		select {
		case answer := <-answers:
			if timer != nil {
				timer.Stop()
			}
			return answer, nil
		case <-r.wake:
		case <-over:
		}
		if timer != nil {
			timer.Stop()
		}
		if err := r.checkpoint(thread); err != nil {
			r.mu.Lock()
			r.waiting = nil
			r.mu.Unlock()
			return reply{}, err
		}
	}
}

func (r *Run) callerRange(thread *starlark.Thread) Range {
	return r.widen(thread.CallFrame(1).Pos)
}
