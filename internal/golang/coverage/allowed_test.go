package coverage

import (
	"errors"
	"sync/atomic"
	"testing"
)

// Nothing of a module that is not allowed to run is measured, also of what waits already; and once it is allowed, all is.
func TestModulesThatMayNotRun(t *testing.T) {
	dir, p := t.TempDir(), newPlayer("a")
	lay(t, dir, archive)
	refused := errors.New("nobody trusts it")
	var may atomic.Bool
	k := collector(t, p, Options{Allowed: func(module string) error {
		if module != dir || may.Load() {
			return nil
		}
		return refused
	}})
	k.Want(dir)
	if _, err := k.Ask(t.Context(), about(dir, "a", "b")); !errors.Is(err, refused) {
		t.Errorf("asked: %v", err)
	}
	if states, _ := k.Status(); len(states) > 0 || p.called() != nil {
		t.Errorf("%v are measured: %v", p.called(), states)
	}
	may.Store(true)
	k.Want(dir)
	<-p.begun // a
	may.Store(false)
	close(p.gates["a"])
	if _, err := k.Ask(t.Context(), about(dir, "b")); !errors.Is(err, refused) {
		t.Errorf("asked while it is measured: %v", err)
	}
	may.Store(true)
	expect(t, "allowed", answer(t, k, about(dir, "a", "b", "c")), fresh)
}
