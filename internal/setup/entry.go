package setup

import (
	"path/filepath"

	"github.com/tailscale/hujson"

	"tidepool/protocol"
)

// An entry is one hook or server that is ours.
type entry struct {
	event   protocol.Event // under which it stands; "" for a server
	reports protocol.Event // what a hook tells the agent that has happened; other than event only by mistake
	self    container
	path    []place // from the outermost object down to the entry itself

	prefix bool // it is the program that runs shell lines, and self is the environment
}

// A place is a member of a container. A hook's group is told by the place of the group and that of the hook in its
// list, so a group goes as soon as its list is empty.
type place struct {
	in container
	at int
}

// command returns the path of the agent that the entry runs.
func (e entry) command() string {
	if e.prefix {
		return filepath.Join(filepath.Dir(e.self.text(prefixName)), program)
	}
	return e.self.text("command")
}

// astray reports whether the entry is a hook that reports another event than the one under which it stands.
func (e entry) astray() bool { return e.reports != e.event }

// updateMatcher replaces the matcher of a hook's group if it is one that Init once wrote.
func (e entry) updateMatcher(former, now string) {
	group := e.path[len(e.path)-2]
	one, err := group.in.objectAt(group.at)
	if err != nil || one.text("matcher") != former {
		return
	}
	value, _ := one.find("matcher")
	value.Value = hujson.String(now)
}

// setCommand changes the program's path and leaves it as it is written if it is the same.
func (e entry) setCommand(path string) {
	if e.command() == path {
		return
	}
	value, _ := e.self.find("command")
	value.Value = hujson.String(path)
}

// remove takes the entry out, and each container around it that is then empty.
func (e entry) remove() {
	for i := len(e.path) - 1; i >= 0; i-- {
		p := e.path[i]
		p.in.remove(p.at)
		if p.in.len() > 0 {
			return
		}
	}
}

// removeAll removes entries that are in the order of the file.
func removeAll(found []entry) {
	for i := len(found) - 1; i >= 0; i-- { // backwards, so that the places of those still to come stay right
		found[i].remove()
	}
}
