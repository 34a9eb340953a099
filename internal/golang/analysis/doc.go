// Package analysis asks a process of its own what the types of Go packages tell: which function uses which, what lists the
// members of a type, which tests may run a function, what breaks on other systems.
//
// Type-checking the packages of a large module takes gigabytes, so the daemon does none. A [Client] starts a process, which package
// worker serves, at the first question, and ends it when nobody has asked for a while: what the process knew is then lost,
// and its memory is the system's again. Questions and answers are small values, one line of JSON each, so that the daemon keeps no
// more than what an answer is made of.
//
// The process occupies no more than a limit. It is told four fifths of that softly (GOMEMLIMIT), and is killed when it has
// taken all of it. A question that the process cannot answer fails with a [*Failure], which says why; nobody answers in its place.
//
// The process has an environment of the few variables by which Go finds packages, a process group of its own, and ends with its
// parent. Where the kernel can confine it, it reads files and does nothing else: it makes no sockets, writes no files and starts no
// programs. Which files it reads is left open, since the modules that a go.mod names may lie anywhere.
package analysis
