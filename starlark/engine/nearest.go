package engine

import "go.starlark.net/starlark"

// nearest finds a host or built-in function with a name one or two letters away. The resolver only compares with names
// that the program uses.
func nearest(name string) string {
	best, found := min(2, len(name)/3), ""
	for _, candidate := range append(append([]string{}, hostFunctions...), starlark.Universe.Keys()...) {
		if candidate == "set" {
			continue
		}
		if d := distance(name, candidate); d <= best && (found == "" || d < best) {
			best, found = d, candidate
		}
	}
	return found
}

// distance counts the letters to insert, remove or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := diagonal
			if a[i-1] != b[j-1] {
				change++
			}
			diagonal = row[j]
			row[j] = min(change, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
