/** The version of everything that crosses between the page, the worker and Go; `starlark/main.go` has the same number. */
export const PROTOCOL = 1;
