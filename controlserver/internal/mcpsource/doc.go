// Package mcpsource lists and reads, from the parts of a daemon, what package mcpfeature offers: references, sessions, memories,
// symbols.
package mcpsource
