package recall

import (
	"testing"
	"time"
)

// A session that goes on after its end has not ended.
func TestSessions(t *testing.T) {
	s := newFixture(t).open()
	ended := func() (at *int64) {
		t.Helper()
		must(t, s.Flush(t.Context()))
		rows, err := s.Database().Query(t.Context(), "SELECT ended_at FROM session WHERE id = 's'")
		must(t, err)
		defer rows.Close()
		if !rows.Next() {
			t.Fatal("the session is not known")
		}
		must(t, rows.Scan(&at))
		return at
	}
	s.SessionEnded("s")
	if at := ended(); at == nil || time.Since(time.UnixMilli(*at)).Abs() > time.Hour {
		t.Errorf("it ended at %v", at)
	}
	s.SessionBegan(Beginning{ID: "s"})
	if at := ended(); at != nil {
		t.Errorf("it goes on and ended at %v", *at)
	}
	s.SessionEnded("s")
	if ended() == nil {
		t.Error("it has not ended")
	}
}
