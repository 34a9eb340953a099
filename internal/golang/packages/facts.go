package packages

import "tidepool/internal/golang/fact"

// Facts are what is known of the packages of one directory: the one that others import, its tests, and what other
// systems build of it. Read only.
type Facts struct {
	Functions    []fact.Function
	Types        []fact.Type
	Switches     []fact.Switch
	TypeSwitches []fact.TypeSwitch
	Selections   []fact.Selection
	rows         []row
	indexed      []indexed
}

// A row is a list or array without keys that is all that a variable of a package is made of.
type row struct {
	fact.Site
	length int
}

// An indexed variable is found to have values of a type as indices.
type indexed struct{ variable, of fact.Place }
