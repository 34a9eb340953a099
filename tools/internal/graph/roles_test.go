package graph

import (
	"testing"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/code"
)

func TestRoleOf(t *testing.T) {
	tests := []struct {
		use  code.Use
		kind lsp.Kind
		want scout.Role
	}{
		{code.Use{Kind: "call", Called: true}, lsp.KindFunction, scout.RoleCall},
		{code.Use{Kind: "call", Called: true, Test: true}, lsp.KindMethod, scout.RoleTest},
		{code.Use{Kind: "call", Called: true}, lsp.KindClass, scout.RoleLiteral},
		{code.Use{Kind: "new", Called: true}, lsp.KindClass, scout.RoleLiteral},
		{code.Use{Kind: "value", Taken: true}, lsp.KindFunction, scout.RoleMethodValue},
		{code.Use{Kind: "value", Taken: true}, lsp.KindProperty, scout.RoleFieldUse},
		{code.Use{Kind: "value", Taken: true}, lsp.KindVariable, scout.RoleReference},
		{code.Use{Kind: "value", Taken: true}, lsp.KindClass, scout.RoleReference},
		{code.Use{Kind: "type"}, lsp.KindInterface, scout.RoleTypeUse},
		{code.Use{Kind: "write"}, lsp.KindField, scout.RoleFieldUse},
		{code.Use{Kind: "base"}, lsp.KindClass, scout.RoleEmbedding},
		{code.Use{Kind: "implements"}, lsp.KindInterface, scout.RoleImplementation},
		{code.Use{Kind: "case"}, lsp.KindEnumMember, scout.RoleSwitch},
		{code.Use{Kind: "case"}, lsp.KindClass, scout.RoleTypeSwitch},
		{code.Use{Kind: "key"}, lsp.KindEnumMember, scout.RoleTable},
		{code.Use{Kind: "assertion"}, lsp.KindClass, scout.RoleAssertion},
		{code.Use{Kind: "cast"}, lsp.KindClass, scout.RoleConversion},
		{code.Use{Kind: "import"}, lsp.KindClass, scout.RoleImport},
		{code.Use{Kind: "export"}, lsp.KindFunction, scout.RoleReExport},
		{code.Use{Kind: code.Unknown}, lsp.KindStruct, scout.RoleReference},
		{code.Use{Kind: code.Unknown}, lsp.KindField, scout.RoleReference},
		{code.Use{Kind: "declaration"}, lsp.KindFunction, scout.RoleDefinition},
	}
	for _, tt := range tests {
		if got := roleOf(tt.use, tt.kind); got != tt.want {
			t.Errorf("%+v of a %s is %q, want %q", tt.use, tt.kind, got, tt.want)
		}
	}
}
