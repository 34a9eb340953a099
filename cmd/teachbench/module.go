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
		{"github.com/gorilla/mux@v1.8.1", true},
		{"github.com/Masterminds/squirrel@v1.5.4", true},
		{"github.com/beevik/etree@v1.5.1", true},
		{"github.com/allegro/bigcache/v3@v3.1.0", true},
		{"github.com/golang-jwt/jwt/v5@v5.2.2", true},
		{"github.com/huandu/go-sqlbuilder@v1.35.0", true},
		{"go.etcd.io/raft/v3@v3.6.0", false},
		{"github.com/alecthomas/kong@v1.10.0", false},
		{"github.com/expr-lang/expr@v1.17.2", false},
		{"github.com/robfig/cron/v3@v3.0.1", false},
		{"github.com/pelletier/go-toml/v2@v2.2.3", false},
		{"github.com/hashicorp/hcl/v2@v2.23.0", false},
		{"github.com/goccy/go-yaml@v1.15.23", false},
		{"github.com/graph-gophers/graphql-go@v1.5.0", false},
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
