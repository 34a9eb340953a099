// Package lsptest is a language server for tests: the test binary itself, run again.
//
// It serves a toy language of lines, in files named *.toy below a directory with a toy.mod:
//
//	def name      declares name
//	use name      refers to it
//	bad message   does not compile
//
// and does so as gopls does: it reads the disk when it starts and when it is told of changes, reports loading
// and checking as work-done progress, publishes diagnostics in between, and knows open documents. On request
// it misbehaves in one of the ways of Behaviour.
package lsptest

import (
	"fmt"
	"os"
	"strings"
)

// A Behaviour is a way in which the server departs from doing right.
type Behaviour string

// The ways to misbehave.
const (
	Mute       Behaviour = "mute"        // reports no progress
	Stuck      Behaviour = "stuck"       // never ends loading
	LoadFails  Behaviour = "load-fails"  // ends loading with an error
	DiesEarly  Behaviour = "dies-early"  // exits before the handshake
	IgnoreExit Behaviour = "ignore-exit" // goes on after the exit notification
	IgnoreEOF  Behaviour = "ignore-eof"  // goes on after the end of its input
	IgnoreTerm Behaviour = "ignore-term" // goes on after SIGTERM
	Garbage    Behaviour = "garbage"     // answers hover with bytes that are no message
	HoldsCheck Behaviour = "holds-check" // looks at changed files only once it has got SIGUSR1
)

// DiesOn makes the server exit with status 3 and a word on standard error when it gets a request.
func DiesOn(method string) Behaviour { return Behaviour("dies-on:" + method) }

// HangsOn makes the server leave requests of a method unanswered until they are cancelled, which it then
// reports as a message to the user: "cancelled".
func HangsOn(method string) Behaviour { return Behaviour("hangs-on:" + method) }

// Ignores makes the server leave requests of a method unanswered for ever, also when they are cancelled.
func Ignores(method string) Behaviour { return Behaviour("ignores:" + method) }

// Refuses makes the server answer requests of a method with an error, as clangd does about a file that it cannot compile at the moment.
func Refuses(method string) Behaviour { return Behaviour("refuses:" + method) }

// StopsReading makes the server read nothing any more after a request of a method.
func StopsReading(method string) Behaviour { return Behaviour("stops-reading:" + method) }

// Occupies makes the server occupy so many megabytes of its own from its start on.
func Occupies(megabytes int) Behaviour { return Behaviour(fmt.Sprintf("occupies:%d", megabytes)) }

// Grows makes the server occupy so many megabytes more with each hover.
func Grows(megabytes int) Behaviour { return Behaviour(fmt.Sprintf("grows:%d", megabytes)) }

// Limit is how many symbols the server lists at most.
const Limit = 20

// marker is the first argument of a test binary that is to be the server.
const marker = "serve-toy-language"

// Command returns the command line of the server.
func Command(behaviours ...Behaviour) []string {
	self, err := os.Executable()
	if err != nil {
		panic(err) // a test cannot go on without itself
	}
	command := []string{self, marker}
	for _, b := range behaviours {
		command = append(command, string(b))
	}
	return command
}

// Main must be called first in TestMain. If the process was started by Command it serves until its input
// ends, and exits; else it returns at once.
func Main() {
	if len(os.Args) > 1 && os.Args[1] == marker {
		behaviours := map[Behaviour]bool{}
		for _, argument := range os.Args[2:] {
			behaviours[Behaviour(argument)] = true
		}
		os.Exit(serve(behaviours))
	}
}

// argument returns what follows the colon of the behaviour named so, if the server has it.
func argument(behaviours map[Behaviour]bool, name string) string {
	for b := range behaviours {
		if value, ok := strings.CutPrefix(string(b), name+":"); ok {
			return value
		}
	}
	return ""
}
