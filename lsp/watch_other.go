//go:build !linux

package lsp

import "context"

// A watch would tell in which folders something has happened. It exists on Linux only: kqueue would need a
// descriptor for each file. The nil watch knows nothing.
type watch struct{}

func newWatch(string) *watch { return nil }

func (w *watch) add(string, uint64) (id int32, ok bool) { return 0, false }

func (w *watch) enter(*folder) {}

func (w *watch) leave(*folder) {}

func (w *watch) clean() {}

func (w *watch) drain() (stirred []*folder, sure bool) { return nil, false }

func (w *watch) stirred(context.Context) bool { return false }

func (w *watch) close() {}
