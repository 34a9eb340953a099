// Package ollama asks a model in Ollama for one tool call at a time, or for one
// JSON value of a given form, and accepts only an unambiguous one.
//
// Ollama answers many failures with status 200: a call that was cut off, that
// could not be parsed, or that holds a number JSON has no word for. So an answer
// counts only if it is not empty, done, stopped by the model itself, and calls
// the tool that was offered with the arguments that the tool requires.
// Everything else is an [*Error] that says what happened and, where somebody can
// do something about it, what.
//
// # Requests
//
// Options that would make the server load the model anew (num_ctx above all)
// are the same in every request of a [Client]. num_predict is always sent,
// because without it a model may write ten times its context. Truncation is
// switched off: it drops the tool declarations first, without a word.
//
// # Loading
//
// A server gives no sign while it loads a model, and a client that hangs up
// aborts the load. So a client loads the model before its first call, under a
// timeout of its own that no caller's context shortens, and again after a pause
// in which the server may have unloaded it.
package ollama
