"""Ferry tickets: a small part of Harbour, enough to run its tests."""
