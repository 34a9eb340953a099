// Package recorded has outputs of real programs that failed, each with the parts of lines that a person looks for in it.
//
// A case is a small project in txtar form. Its comment has the command as "run: …" and what is looked for as "look: …", one on a
// line. That was written with the project, before the program ran, and corrected where the program has other words or columns. A
// file is a template of text/template between <% and %>, with a function seq; one with {1..40} in its name is as many files, and n is
// the number of each.
//
//	go run ./internal/preview/recorded/record    # runs every case again, into testdata/outputs
//
// Cases with an even number are kept apart: the formats of internal/preview were written and are tested with the others, and the
// bench measures with both.
package recorded
