// Package work finds the state of the work in a project: the issue of its
// branch, the checkout, and the pull request.
//
// It runs the programs that people use for that: git always; bd (beads, an issue
// tracker inside the repository) and gh (GitHub) where they are installed. Each is
// a source with its own deadline and its own failure: what a source cannot answer
// is a [Gap], with the reason and what to do, and the rest is answered. Nothing
// about a repository is assumed: its place on GitHub comes from the remote, the
// issue from the name of the branch.
//
// Names in JSON are those of the control server that tidepool is a port of.
package work
