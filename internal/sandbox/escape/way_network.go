//go:build linux

package escape

import "strings"

// socketWays are ways to have a process outside do something, by a socket that has a name.
func socketWays() []Way {
	var ways []Way
	for _, path := range socketPaths() {
		ways = append(ways, Way{Name: "connect to " + path, Try: `"$TRY" connect unix "` + inVariables(path) + `"`, Does: reaches(path)})
	}
	return append(ways,
		Way{Name: "connect to a datagram socket", Try: `"$TRY" connect unixgram "$WORLD/outside/log.sock"`, Does: reaches("outside/log.sock")},
		Way{Name: "connect to an abstract socket", Try: `"$TRY" connect unix "@$ABSTRACT"`, Does: reaches("abstract")},
		Way{Name: "connect to a socket below /tmp", Try: `"$TRY" connect unix "$TMPSOCKET"`, Does: reaches("/tmp")},
		Way{Name: "connect to a socket below /run", Try: `"$TRY" connect unix "$RUNSOCKET"`, Does: reaches("/run")},
		Way{Name: "connect through a link to a socket", Try: `ln -s "$WORLD/outside/docker.sock" s; "$TRY" connect unix s`, Does: reaches("outside/docker.sock")},
		Way{Name: "connect in a directory that was closed", Try: `chmod 0 serving`, Then: `chmod 755 serving; "$TRY" connect unix serving/server.sock`, Does: reaches("project/serving/server.sock")},
		Way{Name: "connect through the first process's root", Try: `"$TRY" connect unix "/proc/$INIT/root$WORLD/outside/docker.sock"`, Does: reaches("outside/docker.sock")},
	)
}

// inVariables returns a path below the world as a shell line names it.
func inVariables(path string) string {
	if below, ok := strings.CutPrefix(path, "project/"); ok {
		return "$PROJECT/" + below
	}
	return "$WORLD/" + path
}

// socketPaths are the listeners of the world that have a path: the daemon's control socket, agents for keys, a bus, a screen,
// the socket by which another command calls tools.
func socketPaths() []string {
	return []string{
		"project/.tidepool/controlserver.sock", "outside/docker.sock", "outside/bus", "outside/X11-unix/X7", "outside/deep/postgres.sock",
		"home/.ssh/agent.sock", "home/.gnupg/S.gpg-agent", "home/.local/share/systemd/private", "project/serving/server.sock",
		"project/.tidepool/exec/sockets/other.sock",
	}
}

// networkWays are ways to send something to another machine, or to a service of this one.
func networkWays() []Way {
	return []Way{
		{Name: "IPv4 to the loopback", Try: `"$TRY" connect tcp "127.0.0.1:$TCP4"`, Does: reaches("tcp4")},
		{Name: "IPv6 to the loopback", Try: `"$TRY" connect tcp "[::1]:$TCP6"`, Does: reaches("tcp6")},
		{Name: "IPv4 mapped to IPv6", Try: `"$TRY" connect tcp "[::ffff:127.0.0.1]:$TCP4"`, Does: reaches("tcp4")},
		{Name: "the machine's own address", Try: `"$TRY" connect tcp "$ADDRESS:$TCP4"`, Does: reaches("tcp4")},
		{Name: "a datagram, as for a name", Try: `"$TRY" connect udp "127.0.0.1:$UDP"`, Does: reaches("udp")},
		{Name: "a datagram to the machine's own address", Try: `"$TRY" connect udp "$ADDRESS:$UDP"`, Does: reaches("udp")},
		{Name: "network by interfaces", Try: `"$TRY" links`, Does: passes},
		{Name: "listeners by netlink", Try: `"$TRY" listeners`, Does: reads("port")},
		{Name: "listeners by /proc", Try: `cat /proc/net/tcp /proc/self/net/tcp /proc/$INIT/net/tcp`, Does: reads("port"), Partial: "without a network namespace /proc tells the ports of the machine"},
		{Name: "packet socket", Try: `"$TRY" socket 17 3 0`, Does: passes, Control: Root},
		{Name: "raw socket", Try: `"$TRY" socket 2 3 1`, Does: passes, Control: Root},
		{Name: "socket to the hypervisor", Try: `"$TRY" socket 40 1 0`, Does: passes},
		{Name: "socket of the kernel's ciphers", Try: `"$TRY" socket 38 5 0`, Does: passes},
		{Name: "socket of Bluetooth", Try: `"$TRY" socket 31 3 1`, Does: passes},
		{Name: "socket of IPsec keys", Try: `"$TRY" socket 15 3 2`, Does: passes, Control: Root},
		{Name: "socket of reliable datagrams", Try: `"$TRY" socket 21 5 0`, Does: passes},
		{Name: "express data path", Try: `"$TRY" socket 44 3 0`, Does: passes, Control: Root},
	}
}
