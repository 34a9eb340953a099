package tools

import (
	"testing"

	"tidepool/lsp"
	"tidepool/scout"
)

func TestRoleOf(t *testing.T) {
	tests := []struct {
		use  use
		kind lsp.Kind
		want scout.Role
	}{
		{use{kind: "call", called: true}, lsp.KindFunction, scout.RoleCall},
		{use{kind: "call", called: true, test: true}, lsp.KindMethod, scout.RoleTest},
		{use{kind: "call", called: true}, lsp.KindClass, scout.RoleLiteral},
		{use{kind: "new", called: true}, lsp.KindClass, scout.RoleLiteral},
		{use{kind: "value", taken: true}, lsp.KindFunction, scout.RoleMethodValue},
		{use{kind: "value", taken: true}, lsp.KindProperty, scout.RoleFieldUse},
		{use{kind: "value", taken: true}, lsp.KindVariable, scout.RoleReference},
		{use{kind: "value", taken: true}, lsp.KindClass, scout.RoleReference},
		{use{kind: "type"}, lsp.KindInterface, scout.RoleTypeUse},
		{use{kind: "write"}, lsp.KindField, scout.RoleFieldUse},
		{use{kind: "base"}, lsp.KindClass, scout.RoleEmbedding},
		{use{kind: "implements"}, lsp.KindInterface, scout.RoleImplementation},
		{use{kind: "case"}, lsp.KindEnumMember, scout.RoleSwitch},
		{use{kind: "case"}, lsp.KindClass, scout.RoleTypeSwitch},
		{use{kind: "key"}, lsp.KindEnumMember, scout.RoleTable},
		{use{kind: "assertion"}, lsp.KindClass, scout.RoleAssertion},
		{use{kind: "cast"}, lsp.KindClass, scout.RoleConversion},
		{use{kind: "import"}, lsp.KindClass, scout.RoleImport},
		{use{kind: "export"}, lsp.KindFunction, scout.RoleReExport},
		{use{kind: "declaration"}, lsp.KindFunction, scout.RoleDefinition},
	}
	for _, tt := range tests {
		if got := roleOf(tt.use, tt.kind); got != tt.want {
			t.Errorf("%+v of a %s is %q, want %q", tt.use, tt.kind, got, tt.want)
		}
	}
}
