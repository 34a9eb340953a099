// Package sandbox runs commands that can do no harm outside of their project. A command writes below its project and to a /tmp of its
// session. What would run later without anybody meaning to, git's hooks and settings for example, it cannot write there either. It reads no
// credentials, reaches no network but a loopback interface of its own, sees no processes but its own, and leaves none behind.
//
// How far that holds depends on the kernel, in three levels. [Full] has namespaces, mounts, Landlock and a filter of system
// calls; it needs Linux 5.12 and user namespaces, but neither root nor other programs. [Partial] has Landlock and the filter alone; what that does not
// hold is listed with every outcome. At [None] nothing is confined. [Sandbox.Support] finds the level out once, by running true. A call
// runs at that level or is refused; it never continues at a lower one.
//
// The sandbox protects what is outside from the command. It does not judge the project's code: who writes a Makefile decides what the next
// make outside does. It is no filter of what a command prints either.
//
// The process between daemon and command is package confine; this package decides what is mounted where. Paths in plans are resolved here, and
// where directories are listed no link is followed: an earlier command may have left one to open the home directory to the next.
package sandbox
