package engine

import (
	"sync"
	"time"
)

// A clock measures the time that counts against a limit. It stands still while anybody holds it: the debugger, or a
// person who is asked for an approval.
type clock struct {
	mu      sync.Mutex
	started time.Time
	holders int
	since   time.Time
	held    time.Duration
}

func (c *clock) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started = time.Now()
	c.since = c.started
}

func (c *clock) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holders == 0 {
		c.since = time.Now()
	}
	c.holders++
}

func (c *clock) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holders--
	if c.holders == 0 {
		c.held += time.Since(c.since)
	}
}

func (c *clock) heldTime() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.heldLocked()
}

func (c *clock) heldLocked() time.Duration {
	if c.holders > 0 {
		return c.held + time.Since(c.since)
	}
	return c.held
}

func (c *clock) elapsed() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.started.IsZero() {
		return 0
	}
	return time.Since(c.started) - c.heldLocked()
}

// left is the time until a limit; not ticking while held, or without a limit.
func (c *clock) left(limit time.Duration) (left time.Duration, ticking bool) {
	left = limit - c.elapsed()
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(left, 0), limit > 0 && c.holders == 0
}
