// Package rust is what the tools know of Rust beyond what rust-analyzer tells: items, their parts and their uses, from
// tokens.
package rust
