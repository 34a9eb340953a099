// Package jsonedit inserts values into JSON text, which may have comments and trailing commas, and removes them. Every
// other byte stays as it is.
//
// A place is named by a JSON Pointer (RFC 6901): "/mcpServers/tidepool", "/hooks/PreToolUse/0". The last token "-" of
// Insert is the end of an array. New values take the indentation of their neighbours.
//
// Remove is the inverse of Insert where the value has neighbours. An object or array that Remove leaves empty goes as
// well, so whether an empty one was there before is for the caller to know.
package jsonedit
