package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

// TestNative is not a test: bench/starlark.bench.ts builds it and runs a program with the machine's own instructions, to
// compare it with the module. LATHE_BENCH is the program's file.
func TestNative(t *testing.T) {
	file := os.Getenv("LATHE_BENCH")
	if file == "" {
		t.Skip("only for the benchmark: LATHE_BENCH is not set")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	host := &testHost{}
	host.run = NewRun(Options{Source: NewSource("SKILL.star", string(text)), Input: `{"k":1}`}, host)
	result := host.run.Exec()
	if result.Err != nil {
		t.Fatal(result.Err.Message)
	}
	out, err := json.Marshal(map[string]any{"ms": result.Stats.Ms, "valueJson": result.Value})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("native: %s\n", out)
}
