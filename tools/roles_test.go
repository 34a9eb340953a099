package tools

import (
	"testing"

	"tidepool/lsp"
	"tidepool/scout"
)

func TestRoleOf(t *testing.T) {
	tests := []struct {
		use  Use
		kind lsp.Kind
		want scout.Role
	}{
		{Use{Kind: "call", Called: true}, lsp.KindFunction, scout.RoleCall},
		{Use{Kind: "call", Called: true, Test: true}, lsp.KindMethod, scout.RoleTest},
		{Use{Kind: "call", Called: true}, lsp.KindClass, scout.RoleLiteral},
		{Use{Kind: "new", Called: true}, lsp.KindClass, scout.RoleLiteral},
		{Use{Kind: "value", Taken: true}, lsp.KindFunction, scout.RoleMethodValue},
		{Use{Kind: "value", Taken: true}, lsp.KindProperty, scout.RoleFieldUse},
		{Use{Kind: "value", Taken: true}, lsp.KindVariable, scout.RoleReference},
		{Use{Kind: "value", Taken: true}, lsp.KindClass, scout.RoleReference},
		{Use{Kind: "type"}, lsp.KindInterface, scout.RoleTypeUse},
		{Use{Kind: "write"}, lsp.KindField, scout.RoleFieldUse},
		{Use{Kind: "base"}, lsp.KindClass, scout.RoleEmbedding},
		{Use{Kind: "implements"}, lsp.KindInterface, scout.RoleImplementation},
		{Use{Kind: "case"}, lsp.KindEnumMember, scout.RoleSwitch},
		{Use{Kind: "case"}, lsp.KindClass, scout.RoleTypeSwitch},
		{Use{Kind: "key"}, lsp.KindEnumMember, scout.RoleTable},
		{Use{Kind: "assertion"}, lsp.KindClass, scout.RoleAssertion},
		{Use{Kind: "cast"}, lsp.KindClass, scout.RoleConversion},
		{Use{Kind: "import"}, lsp.KindClass, scout.RoleImport},
		{Use{Kind: "export"}, lsp.KindFunction, scout.RoleReExport},
		{Use{Kind: "declaration"}, lsp.KindFunction, scout.RoleDefinition},
	}
	for _, tt := range tests {
		if got := roleOf(tt.use, tt.kind); got != tt.want {
			t.Errorf("%+v of a %s is %q, want %q", tt.use, tt.kind, got, tt.want)
		}
	}
}
