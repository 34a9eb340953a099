package main

import (
	"context"

	"tidepool/internal/checkout"
)

// A subject is a public module with its version.
type subject struct {
	module string
	tuned  bool // the rules were made with its topics at hand; those of the others were kept apart
}

func subjects() []subject {
	return []subject{
		{"github.com/go-chi/chi/v5@v5.2.1", true},
		{"github.com/spf13/cobra@v1.9.1", true},
		{"github.com/BurntSushi/toml@v1.5.0", true},
		{"github.com/alecthomas/participle/v2@v2.1.4", true},
		{"go.etcd.io/raft/v3@v3.6.0", false},
		{"github.com/alecthomas/kong@v1.10.0", false},
		{"github.com/expr-lang/expr@v1.17.2", false},
		{"github.com/robfig/cron/v3@v3.0.1", false},
	}
}

// A module is a subject on the disk.
type module struct {
	*checkout.Checkout
	subject
}

// fetch lays a module out.
func (b *bench) fetch(ctx context.Context, s subject) (*module, error) {
	m := &module{checkout.New(b.temp, s.module, b.bin), s}
	return m, m.FetchModule(ctx, s.module)
}
