//go:build linux

package escape

import "time"

// processWays are ways to look at, change or end a process outside, to outlive the command, and to speak for the sandbox.
func processWays() []Way {
	ways := []Way{
		{Name: "kill a process outside", Try: `kill -9 $VICTIM`, Does: harms},
		{Name: "kill by descriptor", Try: `"$TRY" signal $VICTIM`, Does: harms},
		{Name: "stop everything", Try: `kill -9 -1`, Does: harms, Control: Nobody, Unbound: true},
		{Name: "trace a process outside", Try: `"$TRY" ptrace $VICTIM`, Does: passes},
		{Name: "read memory outside", Try: `"$TRY" read-memory $VICTIM $ADDR`, Does: reads("memory")},
		{Name: "write memory outside", Try: `"$TRY" write-memory $VICTIM $ADDR`, Does: harms},
		{Name: "read memory by its file", Try: `"$TRY" mem-file $VICTIM $ADDR`, Does: reads("memory")},
		{Name: "take a descriptor", Try: `"$TRY" take-fd $VICTIM $FD`, Does: reads(".ssh/id_ed25519")},
		{Name: "open a descriptor of a process outside", Try: `cat /proc/$VICTIM/fd/$FD`, Does: reads(".ssh/id_ed25519")},
		{Name: "root of a process outside", Try: `cat "/proc/$VICTIM/root$HOME/.ssh/id_ed25519"`, Does: reads(".ssh/id_ed25519")},
		{Name: "limits of a process outside", Try: `"$TRY" limit-other $VICTIM`, Does: passes},
		{Name: "priority of a process outside", Try: `"$TRY" nice-other $VICTIM`, Does: passes},
		{Name: "processors of a process outside", Try: `"$TRY" pin-other $VICTIM`, Does: passes, Partial: sameUser, Whose: ByUser},
		{Name: "compare with a process outside", Try: `"$TRY" compare-other $VICTIM`, Does: passes},
		{Name: "see processes outside", Try: `ls -d /proc/$VICTIM && grep -a victim /proc/$VICTIM/cmdline && echo through: seen || echo stopped: not there`, Does: passes, Partial: "without a process namespace /proc shows the machine's processes"},
		{Name: "trace the first process", Try: `"$TRY" ptrace $INIT`, Does: passes},
		{Name: "memory of the first process", Try: `"$TRY" mem-file $INIT`, Does: passes},
	}
	return append(ways, outliveWays()...)
}

// sameUser is what Landlock lets processes of one user do to each other. The kernel refuses it where the other one has capabilities, as
// those of root have.
const sameUser = "Landlock keeps signals and memory of processes apart, not their processors"

// outliveWays are ways to be there after the command, to hold it, and to report in its name.
func outliveWays() []Way {
	return []Way{
		{Name: "background process", Try: `sleep $SLEEP & true`, Does: leaves},
		{Name: "background process without files", Try: `sleep $SLEEP >/dev/null 2>&1 </dev/null & exit 0`, Does: leaves},
		{Name: "session of its own", Try: `setsid -f sleep $SLEEP >/dev/null 2>&1`, Does: leaves},
		{Name: "deaf to signals", Try: `trap '' HUP INT TERM; (trap '' HUP INT TERM; sleep $SLEEP >/dev/null 2>&1) & exit 0`, Does: leaves},
		{Name: "two forks", Try: `(setsid sh -c 'sleep $SLEEP >/dev/null 2>&1 & exit' &)`, Does: leaves},
		{Name: "adopted by another", Try: `"$TRY" orphan $SLEEP`, Does: leaves},
		{Name: "kill the first process", Try: `(trap '' TERM; sleep $SLEEP >/dev/null 2>&1) & kill -9 $PPID; kill -9 1; exit 0`, Does: leaves, Control: Nobody},
		{Name: "end with its input open", Try: `sleep $SLEEP & exit 0`, Does: leaves, Timeout: 20 * time.Second},
		{Name: "never end", Try: `trap '' TERM HUP INT; while :; do :; done`, Does: lasts, Timeout: 2 * time.Second},
		{Name: "never end, and stop the first process", Try: `trap '' TERM; kill -STOP $PPID; kill -STOP 1; while :; do :; done`, Does: lasts, Control: Nobody, Timeout: 2 * time.Second},
		{Name: "stopped instead of ended", Try: `kill -STOP $$`, Does: lasts, Timeout: 2 * time.Second},
		{Name: "output without end", Try: `yes`, Does: lasts, Timeout: 2 * time.Second},
		{Name: "report another end", Try: `for f in /proc/self/fd/* /proc/$INIT/fd/* /proc/$PPID/fd/*; do case $f in */0|*/1|*/2) ;; *) (echo '{"exit":0,"Exit":0}' > $f) 2>/dev/null;; esac; done; exit 7`, Exit: 7, Does: pretend, Control: Nobody},
		{Name: "report another end by the shell's descriptors", Try: `for n in 3 4 5 6 7 8 9; do (eval "echo '{\"exit\":0,\"Exit\":0}' >&$n") 2>/dev/null; done; exit 7`, Exit: 7, Does: pretend, Control: Nobody},
	}
}
