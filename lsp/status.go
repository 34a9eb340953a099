package lsp

import "tidepool/lsp/internal/workspace"

// A ServerState says what a language server is doing, for people.
type ServerState = workspace.ServerState

// The states of a server.
const (
	Starting  = workspace.Starting
	Loading   = workspace.Loading
	Ready     = workspace.Ready
	Backoff   = workspace.Backoff
	Missing   = workspace.Missing
	Untrusted = workspace.Untrusted
	Failed    = workspace.Failed
	Idle      = workspace.Idle
	Stopped   = workspace.Stopped
)

// ServerStatus describes one language server.
type ServerStatus = workspace.ServerStatus

// A MemoryUsage is what this program and all that it has started occupy.
type MemoryUsage = workspace.MemoryUsage

// An Occupant is what some processes occupy together.
type Occupant = workspace.Occupant

// An Event is what became of a server without anybody asking.
type Event = workspace.Event

// A Trust says what of a project may be run. It is asked often and answers from a few files.
type Trust = workspace.Trust
