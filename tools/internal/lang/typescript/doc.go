// Package typescript answers about TypeScript and JavaScript what their language server does not: how a name is used, from
// the tokens around it, what types consist of, and what a change breaks, by edits that are tried out.
package typescript
