// Package model is full of structs.
package model

import (
	"net/http"
	"sync"
	"time"

	"example.test/zoo/model/base"
)

// Server serves.
type Server struct {
	// Addr is where it listens.
	Addr string `json:"addr,omitempty"`
	Port int    // above 1024
	base.Common
	*base.Linked
	mu            sync.Mutex
	Timeout, Wait time.Duration
	handler       func(w http.ResponseWriter, r *http.Request) error
	nested        struct {
		A int
		B []string
	}
}

// Close shadows what Common's Close field promotes.
func (s *Server) Close() error { return nil }

// Wrapped embeds the standard library.
type Wrapped struct {
	http.Server
	sync.Locker
}

// Box is generic.
type Box[T any] struct {
	Value T
	Items map[string][]T
}

// IntBox embeds a generic type's instance.
type IntBox struct {
	Box[int]
	Label string
}

// Alias is another name.
type Alias = Server

// Far is another name for another package's type.
type Far = base.Common

// Near is defined by another struct, whose fields it has.
type Near base.Common

// Ring embeds itself.
type Ring struct {
	*Ring
	Left int
	*Other
}

// Other completes the circle.
type Other struct {
	*Ring
	Right int
}

// Twice gets ID from two sides at the same depth, so it has none.
type Twice struct {
	base.Common
	base.Second
}

// Empty has nothing.
type Empty struct{}

// Handler is no struct.
type Handler func(w http.ResponseWriter) error

// Store is an interface.
type Store interface {
	// Get finds.
	Get(key string) (string, error)
	Close() error
}

// ReadStore embeds one.
type ReadStore interface {
	Store
	Len() int
}

// Table is a map.
type Table map[string]Server

// Pointer points.
type Pointer = *Server

// NewServer makes one.
func NewServer(addr string) *Server { return &Server{Addr: addr} }

// Parse makes one, or fails.
func Parse(s string) (Server, error) { return Server{}, nil }

// All makes many.
func All() (map[string][]*Server, error) { return nil, nil }

// Factory makes later.
func Factory() func() *Server { return nil }

func (s *Server) clone() *Server { c := Server{Addr: s.Addr}; return &c }

// Use takes, but does not make.
func Use(s *Server) error { return s.clone().Close() }

// Failure embeds a predeclared type.
type Failure struct {
	error
	Code int
}

// Closer shares a method with Store.
type Closer interface{ Close() error }

// Both asks once for what it embeds twice.
type Both interface {
	Store
	Closer
}

// Clash embeds twice what it then lacks.
type Clash struct {
	Store
	Closer
}
