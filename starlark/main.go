//go:build js && wasm

// The engine in a worker. JavaScript puts an object `latheHost` into the global scope before it starts the module; Go
// hands its functions to latheHost.ready and then waits for calls. Values cross as text, see package engine.
package main

import (
	"runtime"
	"runtime/debug"
	"syscall/js"
	"time"

	"lathe/starlark/engine"
)

// protocol must be the same here and in src/model/starlark/protocol.ts.
const protocol = 1

var host = js.Global().Get("latheHost")

// one run per instance; a fresh worker is cheap, and memory never shrinks
var current *engine.Run

type bridge struct{}

func rangeValue(r engine.Range) any {
	return []any{r.Line, r.Col, r.EndLine, r.EndCol}
}

func (bridge) Call(c engine.HostCall) {
	host.Call("call", c.ID, c.Fn, c.Args, rangeValue(c.Range), float64(c.Steps), c.Ms)
}

func (bridge) Trace(t engine.TraceEntry) { host.Call("trace", t.Kind, t.Data, rangeValue(t.Range)) }

func (bridge) Print(p engine.PrintLine) { host.Call("print", p.Text, p.Truncated, rangeValue(p.Range)) }

func (bridge) Progress(p engine.Progress) {
	var at any
	if p.Range != nil {
		at = rangeValue(*p.Range)
	}
	host.Call("progress", float64(p.Steps), p.Ms, float64(p.MemoryBytes), at)
}

func (bridge) Paused(json string) { host.Call("paused", json) }

// Yield returns to the event loop, so that messages are handled, and waits until it comes back.
func (bridge) Yield() {
	done := make(chan struct{})
	back := js.FuncOf(func(js.Value, []js.Value) any {
		close(done)
		return nil
	})
	defer back.Release()
	host.Call("yield", back)
	<-done
}

// guard turns a panic of a language function into a message; the instance goes on.
func guard(fn func(args []js.Value) any) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) (result any) {
		defer func() {
			if crash := recover(); crash != nil {
				err := js.Global().Get("Error").New("the engine failed")
				result = err
			}
		}()
		return fn(args)
	})
}

func source(args []js.Value) *engine.Source {
	return engine.NewSource(args[0].String(), args[1].String())
}

func start(args []js.Value) any {
	opts := engine.Options{
		Source: source(args),
		Input:  args[2].String(),
		Limits: engine.Limits{
			Timeout:   time.Duration(args[3].Get("timeoutMs").Float() * float64(time.Millisecond)),
			MaxSteps:  uint64(args[3].Get("maxSteps").Float()),
			MaxPrint:  args[3].Get("maxPrint").Int(),
			MaxMemory: uint64(args[3].Get("maxMemoryBytes").Float()),
		},
	}
	file := opts.Source.File
	if d := args[4]; d.Truthy() {
		opts.Debug = &engine.DebugOptions{Breakpoints: breakpoints(d.Get("breakpoints")), StopOnEntry: d.Get("stopOnEntry").Truthy()}
	}
	run := engine.NewRun(opts, bridge{})
	current = run
	go func() {
		result := run.Exec()
		current = nil
		host.Call("done", result.JSON(file))
	}()
	return nil
}

func breakpoints(list js.Value) []engine.Breakpoint {
	out := make([]engine.Breakpoint, list.Length())
	for i := range out {
		out[i].Line = list.Index(i).Get("line").Int()
		if c := list.Index(i).Get("condition"); c.Type() == js.TypeString {
			out[i].Condition = c.String()
		}
	}
	return out
}

// during calls a method of the current run, if there is one.
func during(fn func(run *engine.Run, args []js.Value)) js.Func {
	return guard(func(args []js.Value) any {
		if current != nil {
			fn(current, args)
		}
		return nil
	})
}

// answer gives [text, error], one of them null.
func answer(text string, err error) any {
	if err != nil {
		return []any{nil, err.Error()}
	}
	return []any{text, nil}
}

func main() {
	// Below the maximum that the build declares, so that the collector works harder before memory is refused.
	debug.SetMemoryLimit(176 << 20)
	host.Call("ready", map[string]any{
		"protocol": protocol,
		"go":       runtime.Version(),
		"analyse":  guard(func(args []js.Value) any { return engine.Analyse(source(args)) }),
		"format":   guard(func(args []js.Value) any { return engine.FormatJSON(source(args)) }),
		"start":    guard(start),
		"reply":    during(func(run *engine.Run, args []js.Value) { run.Reply(args[0].Int(), args[1].String()) }),
		"refuse": during(func(run *engine.Run, args []js.Value) {
			run.Refuse(args[0].Int(), args[1].String(), args[2].String())
		}),
		"cancel":  during(func(run *engine.Run, args []js.Value) { run.Cancel(args[0].String()) }),
		"waiting": during(func(run *engine.Run, args []js.Value) { run.SetWaiting(args[0].Bool()) }),
		"pause":   during(func(run *engine.Run, args []js.Value) { run.Pause() }),
		"resume": during(func(run *engine.Run, args []js.Value) {
			// The paused goroutine takes it only after this function has returned.
			go run.Resume(engine.Command(args[0].String()))
		}),
		"breakpoints": during(func(run *engine.Run, args []js.Value) { run.SetBreakpoints(breakpoints(args[0])) }),
		"evaluate": guard(func(args []js.Value) any {
			if current == nil {
				return answer("", errNoRun)
			}
			text, err := current.Evaluate(args[0].Int(), args[1].String())
			return answer(text, err)
		}),
		"expand": guard(func(args []js.Value) any {
			if current == nil {
				return answer("", errNoRun)
			}
			text, err := current.Expand(args[0].Int())
			return answer(text, err)
		}),
	})
	select {}
}

type noRun string

func (e noRun) Error() string { return string(e) }

const errNoRun = noRun("there is no run")
