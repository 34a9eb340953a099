// Package confine is the process between the daemon and a confined command. It shuts itself in as a [Plan] says, starts the
// command, watches it, and writes a [Report]. Package sandbox decides what the plan says.
//
// The daemon starts the process by clone, with user, mount, pid, network, IPC, UTS and cgroup namespaces of its own. As the first process
// of the pid namespace it is the parent of what the command leaves behind, and when it ends the kernel ends all the rest. It reads
// the plan from descriptor [PlanFD] and writes the report to [ReportFD]. The daemon's end of the plan stays open: its
// closing, which is also the daemon's death, ends the process.
//
// # Threads
//
// A Go process has several threads, and Linux keeps capabilities, no_new_privs, keyrings, Landlock domains and seccomp filters
// for each of them apart. The namespaces and mounts are the process's: all threads are cloned into them. What is a
// thread's is set like this. [Main] works on one thread, which is not the first. The thread that calls fork hands its properties on, so
// whatever must bind the command is set on that thread: a session keyring, no_new_privs, no capabilities, the Landlock domain, then the
// filter, each after what it would forbid. The other threads keep out of the domain and the filter: they read /proc and kill. They
// lose their capabilities, too, by syscall.AllThreadsSyscall, which a program with C code does not have; there they keep
// them. The command cannot use these threads in either case: the process is not dumpable and outside of the command's Landlock domain,
// so that the kernel refuses ptrace and /proc/1/mem to the command.
//
// The package imports the standard library and golang.org/x/sys/unix, and does nothing before Main: the agent carries it, because
// the daemon's own program takes 15 ms of processor time to start and the agent takes 1.
package confine
