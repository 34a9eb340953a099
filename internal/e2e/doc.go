// Package e2e tests both programs together, as a user has them: scripts in testdata/script, and tests of what a
// script cannot do, such as a full disk, another user, or a hostile clone. Both programs are built for it.
package e2e
