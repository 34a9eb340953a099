// Package wasmtest runs the tests of a Go module in a sandbox, and reports which functions each of them ran.
//
// A [Runner] has the go command build the test binary of one package after the other for WebAssembly (GOOS=wasip1), with all
// packages of the module watched for coverage. The go command runs nothing of the module, fetches nothing, and sees nothing of the
// user's environment but where Go and its caches are. For each binary the runner starts a process, [Serve], that runs each test,
// example and fuzz test alone, from the beginning of the program, and reads from its coverage data what it ran.
//
// What a test sees: the module's directory, read-only, where it really is; an empty /tmp in memory; three variables; a clock on
// which sleeping takes no time; a network that is only the program's own, as Go has it there. It can write no file of the
// machine, follow no link out of the module, start no program, reach nobody. The process around it is confined by the kernel, too,
// in case that fails: it cannot write files. It has an empty environment, is the last in line for a processor, is limited in time
// and memory by [Bounds], and ends with the program that started it.
//
// What follows for the results: tests are those that are built for wasip1, which are not all where files have build constraints.
// A test that needs more than it gets here fails, or skips itself: its result has not passed, and lists what ran until then.
// Two goroutines never run at the same time, and none is interrupted: one that waits by turning in a loop may wait for
// ever. What a test of a binary runs includes what every test of it does: initialisation, TestMain.
//
// Goroutines and processes: Run starts one program at a time, in a process group of its own, and returns when nothing of it is
// left. Its temporary files, the binary that is run among them, are in one directory that it removes.
package wasmtest
