package activity

import (
	"fmt"
	"sync"
	"testing"

	"tidepool/protocol"
)

func TestSince(t *testing.T) {
	var l Log
	if list, count, _ := l.Since(0); len(list) != 0 || count != 0 {
		t.Errorf("%v of %d", list, count)
	}
	for i := range kept + 10 {
		l.Note(protocol.Activity{Name: fmt.Sprint(i)})
	}
	list, count, changed := l.Since(0)
	if len(list) != kept || count != kept+10 || list[0].Name != "10" || list[kept-1].Name != fmt.Sprint(kept+9) {
		t.Errorf("%d of %d, from %v", len(list), count, list[0])
	}
	l.Note(protocol.Activity{Name: "last"})
	<-changed
	if list, _, _ := l.Since(count); len(list) != 1 || list[0].Name != "last" {
		t.Errorf("%v", list)
	}
}

// TestNothingIsMissed follows the log while many write it.
func TestNothingIsMissed(t *testing.T) {
	var l Log
	var writers sync.WaitGroup
	const each, all = 20, 200
	for range all / each {
		writers.Go(func() {
			for range each {
				l.Note(protocol.Activity{})
			}
		})
	}
	seen := 0
	for n := 0; seen < all; {
		list, count, changed := l.Since(n)
		seen, n = seen+len(list), count
		if seen < all {
			<-changed
		}
	}
	writers.Wait()
	if seen != all {
		t.Errorf("saw %d of %d", seen, all)
	}
}
