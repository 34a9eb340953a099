//go:build linux

package escape

import "time"

// loadWays are ways to use up the machine. Their control takes the same amount, which no machine minds.
func loadWays() []Way {
	return []Way{
		{Name: "many processes", Try: `"$TRY" children 300`, Does: passes},
		{Name: "many threads", Try: `"$TRY" threads 900 2>/dev/null || echo stopped: no more threads`, Does: passes, Partial: "nothing but a process namespace limits the threads of root", Whose: ByRoot},
		{Name: "processes that make processes", Try: `f() { f | f & }; f; sleep $SLEEP`, Does: leaves, Control: Nobody, Timeout: 3 * time.Second, Unbound: true},
		{Name: "much memory", Try: `"$TRY" memory 200 || echo stopped: it was ended`, Does: passes, MemoryMB: 128},
		{Name: "much memory in many processes", Try: `for i in 1 2 3 4 5; do "$TRY" memory 50 > out$i & done; wait; [ "$(cat out? | grep -c through)" = 5 ] && echo through: all || echo stopped: some`, Does: passes, MemoryMB: 128},
		{Name: "much memory in files without names", Try: `"$TRY" memfds 200 || echo stopped: it was ended`, Does: passes, MemoryMB: 128},
		{Name: "much memory of System V", Try: `"$TRY" segments 200 || echo stopped: it was ended`, Does: passes, MemoryMB: 128},
		{Name: "much memory in /dev/shm", Try: `head -c 200M /dev/zero > /dev/shm/$MQ.big && echo through: all || echo stopped: full; rm -f /dev/shm/$MQ.big`, Does: passes, MemoryMB: 128},
		{Name: "a giant file", Try: `truncate -s 200G giant && echo through: all || echo stopped: too large; rm -f giant`, Does: passes},
		{Name: "core file of a crash", Try: `ulimit -c unlimited && echo through: core files || echo stopped: limit`, Does: passes, Control: Root},
	}
}

// laterWays are ways to prepare something for the next command, which has another view.
func laterWays() []Way {
	key := reads(".ssh/id_ed25519")
	return []Way{
		{Name: "/tmp of another session", Try: `echo "$FIRST" > "/tmp/$MQ"; mkdir -p "/var/tmp/$MQ"; echo "$FIRST" > "/var/tmp/$MQ/a"`, Then: `cat "/tmp/$MQ" "/var/tmp/$MQ/a"`, Does: reads("first session")},
		{Name: "/dev/shm of another session", Try: `echo "$FIRST" > "/dev/shm/$MQ.first"`, Then: `cat "/dev/shm/$MQ.first"`, Does: reads("first session")},
		{Name: "link in place of a repository", Try: `mkdir n; ln -s "$HOME" n/.git`, Then: `cat "$HOME/.ssh/id_ed25519" n/.git/.ssh/id_ed25519`, Does: key},
		{Name: "file that leads to a repository", Try: `mkdir n; echo "gitdir: $HOME" > n/.git; echo "gitdir: $HOME/.ssh" > lib/.git`, Then: `cat "$HOME/.ssh/id_ed25519"; echo x >> "$HOME/.bashrc"`, Does: changes("home/.bashrc")},
		{Name: "link in place of a protected directory", Try: `ln -s "$HOME" .vscode; ln -s "$HOME/.ssh" .idea`, Without: []string{".vscode", ".idea"}, Then: `cat .vscode/.ssh/id_ed25519 .idea/id_ed25519 "$HOME/.ssh/id_ed25519"`, Does: key},
		{Name: "link in place of a protected file", Try: `ln -s "$HOME/.ssh/id_ed25519" .envrc`, Without: []string{".envrc"}, Then: `cat .envrc "$HOME/.ssh/id_ed25519"`, Does: key},
		{Name: "link in place of a cache", Try: `rm -rf "$GOCACHE"; ln -s "$HOME" "$GOCACHE"`, Then: `echo x >> "$GOCACHE/.bashrc"; cat "$GOCACHE/.ssh/id_ed25519"`, Does: changes("home/.bashrc")},
		{Name: "link in place of the cache's parent", Try: `p="$(dirname "$GOCACHE")"; rm -rf "$p"; mv "$p" "$p.was"; ln -s "$HOME" "$p"`, Then: `echo x >> "$(dirname "$GOCACHE")/.bashrc"`, Does: changes("home/.bashrc"), Partial: "no command runs any more until somebody removes the link; the error says so"},
		{Name: "link in place of what was held", Try: `mkdir -p .tidepool/exec; ln -s "$OUT" .tidepool/exec/held; ln -s "$OUT" .tidepool/exec/tmp; git init -q fresh`, Then: `echo x > .envrc; echo x > .tidepool/exec/tmp/created`, Without: []string{".envrc"}, Does: changes("outside/created")},
		{Name: "name with a line break", Try: `d="$(printf 'n\n/etc')"; mkdir -p "$d/.git" "$d/objects"; git init -q "$d"`, Then: `echo x >> "$OUT/notes"; ls "$(printf 'n\n/etc')/.git" >/dev/null; cat "$HOME/.ssh/id_ed25519"`, Does: changes("outside/notes")},
		{Name: "deep directories", Try: `i=0; while [ $i -lt 300 ]; do mkdir d 2>/dev/null; cd d || break; i=$((i+1)); done; git init -q . ; true`, Then: `echo x >> "$OUT/notes"`, Does: changes("outside/notes")},
		{Name: "new repository in a closed directory", Try: `git init -q closed/in; git -C closed/in config core.fsmonitor "$CANARY"; chmod 0 closed`, Then: `chmod 755 closed`, Later: `cd closed/in && git status`, Does: changes("outside/ran")},
		{Name: "directories without rights", Try: `mkdir -p closed/in; git init -q closed/in; chmod 0 closed`, Then: `echo x >> "$OUT/notes"`, Does: changes("outside/notes")},
		{Name: "socket made by an earlier command", Try: `rm -f serving/server.sock; ln -s "$OUT/docker.sock" serving/server.sock`, Then: `"$TRY" connect unix serving/server.sock`, Does: reaches("outside/docker.sock")},
	}
}
