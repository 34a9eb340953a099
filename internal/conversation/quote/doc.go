// Package quote writes what an archive of conversations answers as text: on a line, as the command that resumes a session, as
// a file of Markdown.
//
// The text is foreign. Whatever this package returns can neither control a terminal nor hide from its reader, and a file of
// Markdown marks every line that is quoted, so that none of them poses as a heading of the file.
package quote
