// Package state opens, reads and writes everything below a project's .tidepool directory. No other package opens a path there.
//
// A cloned project may contain anything under that name: a symbolic link to the user's home, a pipe in the place of
// a file, a hard link, a file of 20 GB without a block on the disk. Therefore:
//
//   - .tidepool is opened once, without following a link, and only if it belongs to this user. Everything below it is
//     reached through the [os.Root] of that directory: no name, link or rename leads out of it.
//   - No link is followed below it, either, even if it stays inside. Directories are directories of this user.
//   - A file is regular and belongs to this user; one that is only read may be root's. What is written has one name: a
//     hard link may be the same file elsewhere.
//   - A pipe or a device is never opened, so that nothing hangs, and a file is read up to a limit that the caller names.
//   - A file is replaced by a rename, through a new file that nothing else can have made.
//
// [Dir.Check] refuses, at the start of the daemon and by name, what tidepool has not made. The rules above apply at every
// access nevertheless: the directory may change at any time.
//
// The agent imports this package. It depends on os, fmt and their like only.
package state
