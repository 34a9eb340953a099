// Package conversation keeps what people and models said in a project's sessions, and finds it again.
//
// The unit is the turn: a prompt, and what followed it until the next one. A turn is named by the session whose transcript it stands
// in and its number there, counted from 0. Numbers never change while a transcript grows.
//
// An answer says how complete it is. Text in an answer is foreign: secrets are replaced in it, but control characters are
// still there, and whoever shows it escapes them.
package conversation
