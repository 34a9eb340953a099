// Package redact replaces secrets in what a coding agent's own tools return, before the model reads it.
//
// A hook after a tool may replace the tool's whole response, if the replacement has the tool's own shape: Claude Code ignores
// any other one and shows the original. So the response is copied byte for byte, and only the texts in it that hold a secret are
// written anew. Nothing is returned for a response without a secret.
//
// Which secrets count is a Mode. The text of a file is changed for known values only, whatever the mode: the model edits a file by
// quoting it, and a quotation that differs from the file fits nowhere. The model reads a note with the lines that differ.
//
// Responses of other tools, and of other shapes, pass unchanged and are counted, and so is a failing command that shows a known
// value: no hook can replace that. See Counts.
//
// A search that fails or is late withholds all texts of the response, and says so in their place.
//
// The input of a model's tool call must not contain a token such as [SECRET_1]: its secret is not kept, so the token itself would
// be written or run. The contributor refuses such a tool call in a session that has read a token.
package redact
