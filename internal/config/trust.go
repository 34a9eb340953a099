package config

import (
	"cmp"
	"fmt"
	"slices"

	"tidepool/internal/wording"
)

// A RefusedError is one setting of the file that does not count, because nobody knows that the user has made it.
type RefusedError struct {
	Key    string
	Source string // FILE:LINE
	Why    string // nobody knows that the user has made the file, or the project is not trusted
	Advice string // what makes it count; "": keeping the file out of version control
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s: %s is refused: %s", e.Source, e.Key, e.Why)
}

// Hint says where the setting counts.
func (e *RefusedError) Hint() string {
	advice := cmp.Or(e.Advice, "keep config.json out of version control if you want it")
	return advice + ", or set " + (key{name: e.Key}).variables()[0]
}

// restrict removes from the settings of an untrusted file what could do harm. What only restricts stays.
func (l *loader) restrict(distrust func() error) {
	granted := slices.DeleteFunc(slices.Clone(l.keys), func(k key) bool {
		w, can := k.value.(privileged)
		return !can || !w.needsTrust()
	})
	if len(granted) == 0 {
		return
	}
	why := distrust()
	if why == nil {
		return
	}
	for _, k := range granted {
		l.config.Refused = append(l.config.Refused, &RefusedError{k.name, l.config.sources[k.name], why.Error(), wording.HintOf(why)})
		k.value.(privileged).restrict()
		l.config.sources[k.name] += ", refused in part or whole"
	}
}

// A privileged value may run, send, record or permit something, and so counts only in a trusted file.
type privileged interface {
	needsTrust() bool
	restrict()
}

func (v *oneOf) needsTrust() bool { return v.grants != "" && *v.field == v.grants }
func (v *oneOf) restrict()        { *v.field = v.choices[0] }

func (v *rules) needsTrust() bool { return slices.ContainsFunc(*v.field, grants) }
func (v *rules) restrict()        { *v.field = slices.DeleteFunc(*v.field, grants) }

func grants(r Rule) bool { return r.Decision == "allow" }

// needsTrust: a server's settings may name programs, as "-toolexec" among the build flags of Go.
func (v *languageTable) needsTrust() bool {
	for _, l := range *v.field {
		if l.Command != nil || l.Settings != nil {
			return true
		}
	}
	return false
}

func (v *languageTable) restrict() {
	for id, l := range *v.field {
		(*v.field)[id] = Language{Disabled: l.Disabled}
	}
}

// needsTrust: what is asked and answered is written down.
func (v *recording) needsTrust() bool { return *v.field }
func (v *recording) restrict()        { *v.field = false }

// needsTrust: the program is run.
func (v *program) needsTrust() bool { return len(*v.field) > 0 }
func (v *program) restrict()        { *v.field = []string{} }

// needsTrust: a variable may hold a secret, or say what is run.
func (v *passes) needsTrust() bool { return len(*v.field) > 0 }
func (v *passes) restrict()        { *v.field = []string{} }

// needsTrust: the endpoint is sent pieces of code.
func (v *address) needsTrust() bool { return *v.field != "" }
func (v *address) restrict()        { *v.field = "" }

// needsTrust: what comes with a clone must not open a port.
func (v *port) needsTrust() bool { return *v.field != "" }
func (v *port) restrict()        { *v.field = "" }
