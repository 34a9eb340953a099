// Package state is the one owner of the paths below a project's .tidepool directory.
//
// A project that was cloned may hold anything under that name: a symbolic link to the user's home, a pipe in the place of
// a file, a hard link, a file of 20 GB without a block on the disk. Therefore:
//
//   - .tidepool is opened once, without following a link, and only if it belongs to this user. Everything below it is
//     reached through the [os.Root] of that directory, which no name, link or rename leads out of.
//   - No link is followed below it, either, even if it stays inside. Directories are directories of this user.
//   - A file is regular and belongs to this user; one that is only read may be root's. What is written has one name: a
//     hard link may be the same file elsewhere.
//   - A pipe or a device is never opened, so that nothing hangs, and a file is read up to a limit that the caller names.
//   - A file is replaced by a rename, through a new file that nothing else can have made.
//
// [Dir.Check] refuses at the start of the daemon, by name, what is not tidepool's own. The rules above hold at every access
// all the same: what is there may change at any time.
//
// The agent imports this package. It depends on os, fmt and their like only.
package state
