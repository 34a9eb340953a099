//go:build linux

// Package escape lists the ways out of a sandbox and tries each of them: on files, on repositories, on credentials, by sockets, by
// processes, by system calls, by using everything up, and by what one command leaves to the next.
//
// A [Way] is a shell line. A [Trial] builds a world of its own for it: a home with credentials, a project with a repository, a
// neighbour, listeners, a process. It runs the line inside the sandbox, twice, and looks from outside at what has changed, what was
// heard and what was printed: each such [Breach] is an escape. Then it runs the same line unconfined in the same world, where it must
// cause the breach that the table names; otherwise the row would hold for a wrong reason.
package escape
