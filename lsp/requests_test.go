package lsp

import "testing"

func TestRequests(t *testing.T) {
	t.Parallel()
	p, _ := project(t, shopAndTill)
	v := view(t, p)
	steps := []struct {
		name string
		do   func()
		want int
	}{
		{"nothing", func() {}, 0},
		{"a symbol", func() { one(t, v, "price.Of") }, 1},
		{"the same again", func() { one(t, v, "price.Of") }, 0},
		{"a hover", func() { v.Hover(t.Context(), At("price/price.go", 3, 6)) }, 1},
		{"references", func() { v.References(t.Context(), At("price/price.go", 3, 6), false) }, 1},
	}
	for _, step := range steps {
		before := v.Requests()
		step.do()
		if got := v.Requests() - before; got != step.want {
			t.Errorf("%s takes %d requests, want %d", step.name, got, step.want)
		}
	}
	if got := view(t, p).Requests(); got != 0 {
		t.Errorf("another View has made %d", got)
	}
}
