// Package typescript has what the tools know of TypeScript and JavaScript beyond their language server: how a name is
// used, from the tokens around it, what types consist of, and edits that show what a change breaks.
package typescript
