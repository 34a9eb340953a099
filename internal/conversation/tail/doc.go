// Package tail finds the transcripts of a project and reads what was added to them.
//
// A [Finder] knows where the sources keep their files, which of them belong to the project, and opens them safely. A [File] is
// read line by line from a [Place]; the place also tells whether the file has grown since, or was written anew. A [Watch] says
// which files to look at: it watches their directories and looks at all of them once in a while.
//
// What a file says is decided by internal/transcript, what is kept of it by the caller: neither offsets nor turns are stored
// here.
package tail
