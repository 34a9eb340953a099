// Package trust records which projects the user has allowed to run what they bring along.
//
// A daemon starts with a session, so it may start in a fresh clone that nobody has read yet. Until the user gives consent, the
// project is not trusted: nothing that came with it runs.
//
// # The record
//
// The record is in the user's state directory, never in the project. [Store.Dir] has mode 0700, the file 0600. A link in their
// place, another owner, or a mode that lets others write is an error, and an error means that nothing is trusted. Writers
// take a lock and replace the file, so readers see the whole change or nothing.
//
// # What consent is bound to
//
// Consent is bound to the resolved path of the repository's common directory (.git of the main worktree), to its inode, and to
// its birth time or, where the file system has none, to its device. So it covers linked worktrees and submodules. It does not
// cover another repository that is cloned to the same path later, even if the file system reuses the inode. For a project
// outside of a repository it is bound to the project's directory in the same way, and does not cover a repository below it.
//
// A .git that is a file or a link may name the directory of another, trusted repository. It counts only if that repository
// names the worktree, too. Otherwise the project has its own identity.
//
// The package reads a few files and starts no program and no goroutine.
package trust
