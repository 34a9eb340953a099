package ollama

import (
	"fmt"
	"strings"
)

// A Kind is a way in which asking fails.
type Kind string

// Faults of the server or the request.
const (
	Unreachable  Kind = "the server cannot be reached"
	NotOllama    Kind = "what answers there is not Ollama"
	Forbidden    Kind = "the server refuses this host name"
	ModelMissing Kind = "the server does not have the model"
	Refused      Kind = "the server refuses the request"
	LoadFailed   Kind = "the model cannot be loaded"
	Busy         Kind = "the server is busy"
	TooLong      Kind = "the prompt is longer than the context"
	RunnerDied   Kind = "the model's process died"
	ServerFault  Kind = "the server failed"
	TimedOut     Kind = "no answer in time"
	Closed       Kind = "the client is closed"
)

// Faults of an answer.
const (
	EmptyReply  Kind = "the reply is empty"
	Malformed   Kind = "the reply is not what Ollama sends"
	Unfinished  Kind = "the reply is unfinished"
	CutOff      Kind = "the answer was cut off"
	NoCall      Kind = "the model called no tool"
	WrongCall   Kind = "the model called something else"
	BadArgument Kind = "the call's arguments are wrong"
	WrongForm   Kind = "the answer does not have the form that was asked for"
)

// An Error says why there is no answer.
type Error struct {
	Kind     Kind
	Status   int    // of the HTTP reply; 0: there was none, or it was 200
	Detail   string // the server's words, or what exactly is wrong; one line
	Endpoint string // without a password
	Model    string
	Err      error // the cause, if it was an error; may be nil
}

func (e *Error) Error() string {
	text := fmt.Sprintf("cannot ask %s at %s: %s", e.Model, e.Endpoint, e.Kind)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	if e.Status != 0 {
		text += fmt.Sprintf(" (status %d)", e.Status)
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// Lasting reports whether the next call will fail in the same way until somebody
// does something.
func (e *Error) Lasting() bool {
	switch e.Kind {
	case Unreachable, NotOllama, Forbidden, ModelMissing, Refused, LoadFailed, Closed:
		return true
	}
	return false
}

// Hint says what to do; "" where there is nothing to do.
func (e *Error) Hint() string {
	switch e.Kind {
	case Unreachable:
		return "start it with `ollama serve`, or point GEMMA_ENDPOINT at where it runs"
	case NotOllama:
		return "point GEMMA_ENDPOINT at Ollama itself, without a path: http://127.0.0.1:11434"
	case Forbidden:
		return "use a loopback address in GEMMA_ENDPOINT, or start Ollama with OLLAMA_HOST=0.0.0.0"
	case ModelMissing:
		return "run `ollama pull " + e.Model + "`"
	case Refused:
		return "check that `" + e.Model + "` is a model that can call tools: `ollama show " + e.Model + "`"
	case LoadFailed:
		return "read Ollama's log; if the model is damaged, `ollama rm " + e.Model + "` and `ollama pull " + e.Model + "`"
	case Busy:
		return "wait, or start Ollama with a larger OLLAMA_MAX_QUEUE"
	case RunnerDied, ServerFault:
		return "ask again: Ollama restarts the model by itself; if it stays so, read Ollama's log"
	case TimedOut:
		return "raise scout.timeout, or lower scout.concurrency"
	case TooLong:
		return "shorten what is asked"
	}
	return ""
}

// statusKind reads a reply other than 200. isJSON says whether its body was the
// JSON error that Ollama sends.
func statusKind(status int, message string, isJSON bool) Kind {
	says := func(part string) bool { return strings.Contains(message, part) }
	switch {
	case status == 403:
		return Forbidden
	case !isJSON && status < 500:
		return NotOllama
	case status == 404:
		return ModelMissing
	case status == 503:
		return Busy
	case says("exceeds the context length"):
		return TooLong
	case status < 500, status == 501, says("must be of type"), says("invalid JSON schema"):
		return Refused
	case says("failed to load"), says("unable to load model"):
		return LoadFailed
	case says("while running the model"), says("runner"):
		return RunnerDied
	}
	return ServerFault
}
