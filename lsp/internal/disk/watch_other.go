//go:build !linux

package disk

import "context"

// A Watch would tell in which folders something has happened. It exists on Linux only: kqueue would need a
// descriptor for each file. The nil Watch knows nothing.
type Watch struct{}

func newWatch(string) *Watch { return nil }

func (w *Watch) add(string, uint64) (id int32, ok bool) { return 0, false }

func (w *Watch) enter(*folder) {}

func (w *Watch) leave(*folder) {}

func (w *Watch) clean() {}

func (w *Watch) drain() (stirred []*folder, sure bool) { return nil, false }

// Stirred returns false: there is nothing to wait for.
func (w *Watch) Stirred(context.Context) bool { return false }

func (w *Watch) close() {}
