module lathe/starlark

go 1.26

toolchain go1.26.8

require (
	github.com/bazelbuild/buildtools v0.0.0-20260904073137-eaa4d125b423
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5
)

require golang.org/x/sys v0.42.0 // indirect
