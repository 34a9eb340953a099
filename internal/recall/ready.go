package recall

import "context"

// Ready waits until the index has all memories, or until the context ends. The error is an *IndexError, which says how far it is.
func (s *Store) Ready(ctx context.Context) error {
	if s.live == nil {
		return &IndexError{"they were opened without an index"}
	}
	return s.live.wait(ctx)
}

func (l *live) wait(ctx context.Context) error {
	l.mu.Lock()
	ready := l.ready
	l.mu.Unlock()
	select {
	case <-ready:
		return nil
	default:
	}
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		return &IndexError{l.progress()}
	}
}
