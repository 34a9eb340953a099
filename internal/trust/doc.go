// Package trust records which projects their user has allowed to run what they bring along.
//
// A daemon starts with a session, so a repository that somebody has just cloned meets it before anybody has read what is
// in it. Until its user says yes, the project is not trusted: nothing that came with it runs.
//
// # The record
//
// It lies in the user's state directory and never in the project: [Store.Dir] has mode 0700, the file 0600. A link in their
// place, another owner, or a mode that lets others write is an error, and an error means that nothing is trusted. Writers
// take a lock and replace the file, so that readers see all of a change or nothing.
//
// # What a yes is bound to
//
// To the resolved path of the repository's common directory (.git of the main worktree), to its inode, and to when that was
// made or, where the file system does not tell, to its device. So the yes covers linked worktrees and submodules, and
// does not cover another repository that is cloned to the same path later, even if the file system uses the inode again.
// A project outside of a repository is bound to its own directory in the same way; a repository below it is not covered.
//
// A .git that is a file or a link may name the directory of a repository that its user does trust. It counts only if that
// repository names the worktree, too; else the project stands for itself.
//
// The package reads a few files and starts no program and no goroutine.
package trust
