// Package transcript reads the conversations that coding agents leave on disk: lines become events, events become turns.
// It opens no file and has no clock: a caller passes the lines of one file, in order, and takes turns.
//
// A transcript is foreign text. What a program's own machinery has put into it (results of tools, reminders, injected
// context, hooks) is no part of a turn, so that an archive of turns holds what people and models said and nothing twice.
// Unknown types, keys and blocks are skipped; invalid UTF-8 becomes U+FFFD; no line is an error.
package transcript
