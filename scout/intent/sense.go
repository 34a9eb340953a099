package intent

import "slices"

// Sensible lists the kinds of change that can be made to a symbol of a class, in
// no order of likelihood; nil if nothing is known of it.
func Sensible(class Class) []string {
	switch class {
	case Function, Method, InterfaceMethod:
		return []string{"add_parameter", "change_signature", "return_error", "change_behavior", "rename", "delete", "other"}
	case Interface:
		return []string{"add_method", "add_implementation", "rename", "delete", "change_behavior", "other"}
	case Struct:
		return []string{"remove_field", "rename", "delete", "change_type", "change_behavior", "other"}
	case Field, Embedded:
		return []string{"remove_field", "change_type", "rename", "change_behavior", "other"}
	case Enum:
		return []string{"add_variant", "rename", "delete", "change_type", "change_behavior", "other"}
	case Type:
		return []string{
			"change_type", "add_variant", "add_implementation", "add_method", "add_parameter", "change_signature",
			"rename", "delete", "change_behavior", "other",
		}
	case Constant, Variable:
		return []string{"change_type", "rename", "delete", "change_behavior", "other"}
	}
	return nil
}

// meant returns what a kind means of a symbol of a class, where one says the same of
// it in other words: a field is deleted by removing it from its struct.
func meant(kind string, class Class) string {
	switch class {
	case Field, Embedded:
		switch kind {
		case "delete":
			return "remove_field"
		case "add_parameter", "change_signature": // of the function that it holds
			return "change_type"
		}
	case Function, Method, InterfaceMethod:
		switch kind {
		case "change_type":
			return "change_signature"
		case "remove_field":
			return "delete"
		}
	case Enum:
		if kind == "add_implementation" || kind == "add_method" {
			return "add_variant"
		}
	case Interface:
		if kind == "add_variant" {
			return "add_implementation"
		}
	case Constant, Variable:
		switch kind {
		case "remove_field":
			return "delete"
		case "add_parameter", "change_signature": // of the function that it holds
			return "change_type"
		}
	}
	return kind
}

// among keeps of probabilities those of the kinds that make sense for a class,
// and gives each what its synonyms have. They add up to 1 again, unless nothing
// is left.
func (m *Model) among(p []float64, class Class) []float64 {
	sensible := Sensible(class)
	if sensible == nil {
		return p
	}
	kept, total := make([]float64, len(p)), 0.0
	for i, kind := range m.kinds {
		at := slices.Index(m.kinds, meant(kind, class))
		if at >= 0 && slices.Contains(sensible, m.kinds[at]) {
			kept[at] += p[i]
			total += p[i]
		}
	}
	for i := range kept {
		kept[i] /= max(total, 1e-9)
	}
	return kept
}
