package clang

import (
	"fmt"
	"path/filepath"
	"strings"

	"tidepool/lsp"
)

// implicit says which calls of a method have no place that names it, of which clangd does not tell; "" if all have one.
func implicit(symbol lsp.Symbol) string {
	if filepath.Ext(symbol.Location.Path) == ".c" || symbol.Receiver == "" {
		return ""
	}
	where := ""
	switch {
	case strings.HasPrefix(symbol.Name, "~"):
		where = "where the life of a value ends"
	case symbol.Name == "begin" || symbol.Name == "end":
		where = "in for loops over a value"
	case strings.HasPrefix(symbol.Name, "await_"):
		where = "at co_await"
	}
	if where == "" {
		return ""
	}
	return fmt.Sprintf("C++ calls %s %s without naming it", symbol.Name, where)
}
