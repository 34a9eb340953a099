//go:build linux

package escape

// mountWays are ways to get another view of files than the sandbox's.
func mountWays() []Way {
	return []Way{
		{Name: "user namespace by unshare", Try: `"$TRY" unshare 0x10000000`, Does: passes},
		{Name: "user namespace by clone", Try: `"$TRY" clone 0x10000000`, Does: passes},
		{Name: "user namespace by clone3", Try: `"$TRY" clone3 0x10000000`, Does: passes},
		{Name: "user and mount namespace by unshare", Try: `"$TRY" unshare 0x10020000`, Does: passes},
		{Name: "mount namespace", Try: `"$TRY" unshare 0x20000`, Does: passes, Control: Root},
		{Name: "network namespace", Try: `"$TRY" unshare 0x40000000`, Does: passes, Control: Root},
		{Name: "namespace of a process outside", Try: `"$TRY" setns /proc/$VICTIM/ns/mnt`, Does: passes, Control: Root},
		{Name: "network of a process outside", Try: `"$TRY" setns /proc/$VICTIM/ns/net`, Does: passes, Control: Root},
		{Name: "namespace by a descriptor", Try: `"$TRY" join $VICTIM`, Does: passes, Control: Root},
		{Name: "namespace of the first process", Try: `"$TRY" setns /proc/$INIT/ns/mnt`, Does: passes, Control: Root},
		{Name: "mount", Try: `"$TRY" mount "$PWD/lib"`, Does: passes, Control: Root},
		{Name: "bind", Try: `"$TRY" bind "$PWD/lib" "$PWD/.git"`, Does: passes, Control: Root},
		{Name: "writable again by mount", Try: `"$TRY" remount /`, Does: passes, Control: Root},
		{Name: "writable again by mount_setattr", Try: `"$TRY" mount-setattr /`, Does: passes, Control: Root},
		{Name: "take a cover off the home", Try: `"$TRY" unmount "$HOME"; "$TRY" unmount /; cat "$HOME/.ssh/id_ed25519"`, Does: reads(".ssh/id_ed25519")},
		{Name: "new filesystem", Try: `"$TRY" fsopen`, Does: passes, Control: Root},
		{Name: "copy of a mount tree", Try: `"$TRY" open-tree /`, Does: passes, Control: Root},
		{Name: "another root", Try: `"$TRY" chroot "$PWD"`, Does: passes, Control: Root},
		{Name: "pivot", Try: `"$TRY" bind "$PWD" "$PWD" && "$TRY" pivot "$PWD"; "$TRY" bind "$PWD" "$PWD"`, Does: passes, Control: Root},
	}
}

// kernelWays are system calls that have been ways into the kernel, or that change the machine.
func kernelWays() []Way {
	return []Way{
		{Name: "io_uring", Try: `"$TRY" io_uring`, Does: passes},
		{Name: "userfaultfd", Try: `"$TRY" userfaultfd`, Does: passes},
		{Name: "bpf", Try: `"$TRY" bpf`, Does: passes, Control: Root},
		{Name: "performance counters", Try: `"$TRY" perf`, Does: passes, Control: Root},
		{Name: "fanotify", Try: `"$TRY" fanotify`, Does: passes, Control: Root},
		{Name: "kernel modules", Try: `"$TRY" module`, Does: passes, Control: Root},
		{Name: "swap", Try: `"$TRY" swapon`, Does: passes, Control: Root},
		{Name: "reboot", Try: `"$TRY" reboot`, Does: passes, Control: Root},
		{Name: "kernel log", Try: `"$TRY" dmesg`, Does: passes, Control: Root},
		{Name: "clock", Try: `"$TRY" clock`, Does: passes, Control: Root},
		{Name: "host name", Try: `"$TRY" host`, Does: passes, Control: Root},
		{Name: "calls of 32-bit programs", Try: `"$TRY" int80`, Does: passes},
		{Name: "calls of the x32 kind", Try: `"$TRY" x32`, Does: passes},
		{Name: "type into a terminal", Try: `"$TRY" tiocsti`, Does: passes},
		{Name: "keys of the user", Try: `"$TRY" key "$KEY"`, Does: reads("key")},
		{Name: "new key", Try: `"$TRY" add-key`, Does: passes},
		{Name: "new keyring", Try: `"$TRY" keyring`, Does: passes},
		{Name: "shared memory of System V", Try: `"$TRY" shm $SHM`, Does: reads("shared memory")},
		{Name: "semaphores of System V", Try: `"$TRY" sem $SHM`, Does: passes},
		{Name: "messages of System V", Try: `"$TRY" msg $SHM`, Does: reads("message")},
		{Name: "POSIX message queue", Try: `"$TRY" mq "$MQ"`, Does: reads("queue")},
		{Name: "/dev/shm of others", Try: `cat "/dev/shm/$MQ"`, Does: reads("/dev/shm")},
	}
}

// deviceWays are ways to the machine by files of /dev, /proc and /sys. They only open: what a control writes there counts for the machine.
func deviceWays() []Way {
	var ways []Way
	for _, path := range []string{
		"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/net/ipv4/ip_forward", "/proc/sys/vm/overcommit_memory",
		"/proc/sysrq-trigger", "/sys/kernel/uevent_helper", "/sys/power/state", "/sys/fs/cgroup/cgroup.procs", "/proc/sys/fs/binfmt_misc/register",
		"/dev/kmsg", "/dev/mem", "/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/loop-control", "/dev/loop0", "/dev/console", "/dev/tty1",
	} {
		ways = append(ways, Way{Name: "open " + path, Try: `"$TRY" open w ` + path, Does: passes, Control: Root})
	}
	return append(ways, Way{Name: "read the disk", Try: `"$TRY" open r "${DISK:-/dev/sda}"`, Does: passes, Control: Nobody}) // some machines refuse it to root, too
}
