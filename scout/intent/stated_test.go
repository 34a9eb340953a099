package intent

import "testing"

// What words name outright, and what they deny.
func TestStated(t *testing.T) {
	name := Subject{"Command.Name", Method, "func (c *Command) Name() string {"}
	set := Subject{"Command.SetIn", Method, "func (c *Command) SetIn(newIn io.Reader) {"}
	silent := Subject{"Command.SilenceUsage", Field, "SilenceUsage bool"}
	prefix := Subject{"EnablePrefix", Variable, "var EnablePrefix = defaultPrefix"}
	directive := Subject{"Directive", Enum, "type Directive int"}
	options := Subject{"Options", Struct, "type Options struct {"}
	load := Subject{"Load", Function, "func Load(path string, strict bool) (*Config, error) {"}
	for _, tt := range []struct {
		subject  Subject
		text     string
		kind, to string
	}{
		{name, "convert Name to a value receiver", "change_receiver", ""},
		{prefix, "change the default of EnablePrefix to false", "change_value", "false"},
		{silent, "remove the default of SilenceUsage", "change_value", ""},
		{prefix, "raise EnablePrefix from 3 to 5", "change_value", "5"},
		{set, "rename the parameter of SetIn", "rename_parameter", ""},
		{set, "What breaks if I rename SetIn's parameter newIn to r?", "rename_parameter", "r"},
		{load, "rename Load's path to name", "rename_parameter", "name"},
		{directive, "make Directive an alias for its type", "change_type", "alias"},
		{name, "mark Command.Name as deprecated", "deprecate", ""},
		{load, "add a deprecated notice to Load", "deprecate", ""},
		{load, "instead of deleting Load we deprecate it", "deprecate", ""},
		{load, "remove the deprecated Load", "delete", ""},
		{load, "Load should not return an error any more", "remove_result", ""},
		{load, "Load should return no error any more", "remove_result", ""},
		{load, "What breaks if Load returns nothing?", "remove_result", ""},
		{load, "Load takes no strict any more", "remove_parameter", ""},
		{load, "Load should accept no parameters", "remove_parameter", ""},
		{load, "remove the error result of Load", "remove_result", ""},
		{load, "drop the strict parameter from Load", "remove_parameter", ""},
		{load, "Load no longer takes strict", "remove_parameter", ""},
		{load, "change the type of the path parameter of Load to fs.FS", "retype_parameter", "fs.FS"},
		{load, "Load should accept an io.Reader instead of a path", "retype_parameter", "io.Reader"},
		{load, "swap the parameters of Load", "reorder_parameters", ""},
		{load, "make Load variadic", "make_variadic", ""},
		{load, "make Load generic", "make_generic", ""},
		{load, "move Load to the package internal/config", "move", "internal/config"},
		{directive, "move Directive to another package", "move", ""},
		{options, "add a field Timeout to Options", "add_field", ""},
		{options, "add a method Validate to Options", "add_method", ""},
		{load, "don't remove Load, only rename it to Read", "rename", "Read"},
		{load, "Please do not delete Load; rename it instead", "rename", ""},
		{options, "Options shouldn't be renamed, what would a new field break?", "add_field", ""},
		{load, "without changing Load, which tests run it?", "change_behavior", ""},
		{load, "we don't want to add a parameter to Load", "denied", ""},
		{load, "Load must never be removed. Who uses it?", "denied", ""},
		{load, "we are not going to change the signature of Load", "denied", ""},
	} {
		r := Read(tt.text, tt.subject)
		kind := r.Kind
		if r.Denied {
			kind = "denied"
		}
		if kind != tt.kind || r.Terms.To != tt.to {
			t.Errorf("%q is read as %s to %q, want %s to %q", tt.text, kind, r.Terms.To, tt.kind, tt.to)
		}
	}
}

// Questions that others have read are seldom stated otherwise.
func TestStatedAgreesWithTheCorpus(t *testing.T) {
	for _, file := range []string{"heldout.txt", "training.txt", "patterns.txt"} {
		for _, e := range corpus(t, file) {
			if kind, words, ok := stated(e.Text, e.Subject); ok && kind != e.Kind && Family(kind) != e.Kind {
				t.Errorf("%s: %q of %q states %s, want %s", file, words, e.Text, kind, e.Kind)
			}
		}
	}
}
