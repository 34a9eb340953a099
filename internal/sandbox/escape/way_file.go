//go:build linux

package escape

// fileWays are ways to write a file outside of the project, and to leave one inside that is more than a file.
func fileWays() []Way {
	notes := changes("outside/notes")
	return []Way{
		{Name: "append outside", Try: `echo x >> "$OUT/notes"`, Does: notes},
		{Name: "up from the project", Try: `echo x >> ../../../outside/notes`, Does: notes},
		{Name: "replace outside", Try: `echo x > new; mv new "$OUT/notes"`, Does: notes},
		{Name: "remove outside", Try: `rm -f "$OUT/notes"`, Does: notes},
		{Name: "truncate outside", Try: `: > "$OUT/notes"`, Does: notes},
		{Name: "create outside", Try: `echo x > "$OUT/created"`, Does: changes("outside/created")},
		{Name: "change the neighbour project", Try: `echo x >> "$OTHER/Makefile"`, Does: changes("home/src/other/Makefile")},
		{Name: "through a link", Try: `ln -s "$OUT" out; echo x >> out/notes`, Does: notes},
		{Name: "through a hard link", Try: `ln "$OUT/notes" here && echo x >> here`, Does: notes},
		{Name: "through /proc/self/root", Try: `echo x >> "/proc/self/root$OUT/notes"`, Does: notes},
		{Name: "through /proc/self/cwd", Try: `echo x >> /proc/self/cwd/../../../outside/notes`, Does: notes},
		{Name: "through the first process's root", Try: `echo x >> "/proc/$INIT/root$OUT/notes"`, Does: notes},
		{Name: "through the first process's directory", Try: `cat /proc/$INIT/cwd/home/.ssh/id_ed25519 /proc/$INIT/cwd/../../../home/.ssh/id_ed25519`, Does: reads(".ssh/id_ed25519")},
		{Name: "through an inherited descriptor", Try: `for f in /proc/self/fd/*; do echo x >> "$f/notes"; done`, Does: notes},
		{Name: "through the first process's descriptors", Try: `for f in /proc/$INIT/fd/*; do echo x >> "$f/notes"; done`, Does: notes, Control: Nobody},
		{Name: "by a program without a path", Try: `"$TRY" memfd 'echo x >> "$OUT/notes"'`, Does: notes},
		{Name: "mode of a file outside", Try: `chmod 777 "$OUT/notes"`, Does: notes, Partial: landlockFiles},
		{Name: "mode of a file outside by fchmodat2", Try: `"$TRY" chmod2 "$OUT/notes" 0777`, Does: notes, Partial: landlockFiles},
		{Name: "times of a file outside", Try: `touch -d 2001-01-01 "$OUT/notes"`, Does: notes, Partial: landlockFiles},
		{Name: "attribute of a file outside", Try: `"$TRY" xattr "$OUT/notes" user.tidepool x`, Does: notes, Partial: landlockFiles},
		{Name: "owner of a file outside", Try: `chown 12345:12345 "$OUT/notes"`, Does: notes, Control: Root},
		{Name: "make a file immutable", Try: `"$TRY" immutable "$OUT/notes"`, Does: passes, Control: Root},
		{Name: "setuid by chmod", Try: `cp /bin/sh root-shell; chmod 4755 root-shell`, Does: gives},
		{Name: "setgid by chmod", Try: `cp /bin/sh root-shell; chmod 2755 root-shell`, Does: gives},
		{Name: "setuid by fchmodat2", Try: `cp /bin/sh root-shell; "$TRY" chmod2 root-shell 04755`, Does: gives},
		{Name: "setuid at creation", Try: `"$TRY" create root-shell 04755`, Does: gives},
		{Name: "setuid at creation by openat2", Try: `"$TRY" openat2 root-shell 04755`, Does: gives},
		{Name: "setuid by mknod", Try: `"$TRY" mknod root-shell 0104755 0`, Does: gives},
		{Name: "capability of a file", Try: `cp /bin/sh capable; "$TRY" capability capable`, Does: gives, Control: Root},
		{Name: "copy a setuid program with its mode", Try: `cp "$OUT/setuid" mine; cp -p "$OUT/setuid" mine; tar cf - -C "$OUT" setuid | tar xpf -`, Does: gives},
		{Name: "disk as a node in the project", Try: `"$TRY" mknod disk 060600 0xfe00`, Does: passes, Control: Root},
		{Name: "read by a handle", Try: `"$TRY" handle "$HANDLE"`, Does: reads(".ssh/id_ed25519"), Control: Root},
		{Name: "watch files outside", Try: `"$TRY" watch "$HOME/.ssh/id_ed25519"`, Does: passes, Partial: "Landlock has no right for watching"},
	}
}

// landlockFiles is what Landlock does not restrict, so that only mounts hold it.
const landlockFiles = "Landlock restricts neither times nor modes, owners and attributes of files"
