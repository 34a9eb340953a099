package main

import "tidepool/internal/golang/wasmtest"

type runTestsCommand struct{}

// Run is the process that a daemon starts to run tests in: see [wasmtest.Serve].
func (runTestsCommand) Run(life lifetime, std stdio) error {
	return wasmtest.Serve(life.quit, std.in, std.out)
}
