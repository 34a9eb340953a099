// Package work finds the state of the work in a project: the issue of its
// branch, the checkout, and the pull request.
//
// It asks the programs that people use for that: git always; bd (beads, an
// issue tracker that lives in the repository) and gh (GitHub) where they are
// installed. Each is a source with a deadline and a failure of its own: what
// one cannot tell is a [Gap] in the answer, with the reason and what to do, and
// the rest is answered. Nothing about a repository is assumed: its place on
// GitHub comes from the remote, the issue from the name of the branch.
//
// Names in JSON are those of the control server that tidepool is a port of.
package work
