package doctor

import (
	"errors"
	"testing"
)

func TestPolicies(t *testing.T) {
	found := Policies{func() (string, []error) { return "2 policies", nil }}.Look(t.Context())
	if len(found) != 1 || !found[0].OK || found[0].Text != "2 policies" {
		t.Errorf("got %+v", found)
	}
	found = Policies{func() (string, []error) { return "", []error{errors.New("a"), errors.New("b")} }}.Look(t.Context())
	if len(found) != 2 || found[0].OK || found[1].Text != "b" || found[1].Fix == "" {
		t.Errorf("got %+v", found)
	}
}
