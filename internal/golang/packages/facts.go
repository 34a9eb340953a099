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
	Rows         []Row
	Indexed      []Indexed
}

// A Row is a list or array without keys that is all that a variable of a package is made of.
type Row struct {
	fact.Site
	Length int
}

// An Indexed variable is found to have values of a type as indices.
type Indexed struct{ Variable, Of fact.Place }

// A Store keeps what was found out for longer than the process lives, by what it is about and a key of what it was found in.
type Store interface {
	Load(subject, key string) []byte // nil: it is not kept
	Save(subject, key string, data []byte)
}

func (w *Work) load(dir string, of key) *Facts {
	var found Facts
	if w.Store == nil || of.name == "" || !fact.Decode(w.Store.Load(dir, of.name), &found) {
		return nil
	}
	return &found
}

func (w *Work) save(dir string, of key, facts *Facts) {
	if w.Store != nil && of.name != "" {
		w.Store.Save(dir, of.name, fact.Encode(facts))
	}
}

// interfacesSubject is the subject of interfaces beyond the tree; that of facts is a directory.
const interfacesSubject = "interfaces"

func (w *Work) loadInterfaces(of key) []fact.Type {
	var found []fact.Type
	if w.Store == nil || of.name == "" || !fact.Decode(w.Store.Load(interfacesSubject, of.name), &found) {
		return nil
	}
	return found
}

func (w *Work) saveInterfaces(of key, all []fact.Type) {
	if w.Store != nil && of.name != "" && of.settled {
		w.Store.Save(interfacesSubject, of.name, fact.Encode(all))
	}
}
