package setup

import (
	"path/filepath"
	"slices"

	"tidepool/protocol"
)

// findHooks returns the hooks that are ours, in the order of the file. Its errors name what has a shape that Claude Code
// does not know.
func findHooks(d *document) ([]entry, error) {
	all, err := d.outermost().objectIn("hooks")
	if all == nil || err != nil {
		return nil, err
	}
	var found []entry
	for i := range all.object.Members {
		name := literal(all.object.Members[i].Name)
		groups, err := all.arrayIn(name)
		if err != nil {
			return nil, err
		}
		within := []place{{d.outermost(), d.outermost().index("hooks")}, {*all, i}}
		for j := range groups.len() {
			ours, err := findInGroup(protocol.Event(name), append(slices.Clip(within), place{*groups, j}))
			if err != nil {
				return nil, err
			}
			found = append(found, ours...)
		}
	}
	return found, nil
}

// findInGroup looks into the group at the last place of path.
func findInGroup(event protocol.Event, path []place) ([]entry, error) {
	last := path[len(path)-1]
	one, err := last.in.objectAt(last.at)
	if err != nil {
		return nil, err
	}
	handlers, err := one.arrayIn("hooks")
	if handlers == nil || err != nil {
		return nil, err
	}
	var found []entry
	for i := range handlers.len() {
		h, err := handlers.objectAt(i)
		if err != nil {
			return nil, err
		}
		if reports := reportedBy(*h); reports == event || slices.Contains(protocol.Events(), reports) {
			path := append(slices.Clip(path), place{*handlers, i})
			found = append(found, entry{event: event, reports: reports, self: *h, path: path})
		}
	}
	return found, nil
}

// reportedBy returns the event that a hook reports to the agent, "" if it is no hook of ours.
func reportedBy(h container) protocol.Event {
	args := h.strings("args")
	if h.text("type") != "command" || filepath.Base(h.text("command")) != program || len(args) < 2 || args[0] != "hook" {
		return ""
	}
	return protocol.ParseEvent(args[1])
}
