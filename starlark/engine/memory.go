package engine

import "runtime"

// usedMemory is what the program holds. Near the limit, garbage is collected before it is counted.
func usedMemory(limit uint64) uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	if limit > 0 && stats.HeapAlloc > limit {
		runtime.GC()
		runtime.ReadMemStats(&stats)
	}
	return stats.HeapAlloc
}
