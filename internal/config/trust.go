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

// disarm takes from the settings of a file that is not trusted what can do harm. What only restricts stays.
func (l *loader) disarm(distrust func() error) {
	armed := slices.DeleteFunc(slices.Clone(l.keys), func(k key) bool {
		w, can := k.value.(weapon)
		return !can || !w.armed()
	})
	if len(armed) == 0 {
		return
	}
	why := distrust()
	if why == nil {
		return
	}
	for _, k := range armed {
		l.config.Refused = append(l.config.Refused, &RefusedError{k.name, l.config.sources[k.name], why.Error(), wording.HintOf(why)})
		k.value.(weapon).disarm()
		l.config.sources[k.name] += ", refused in part or whole"
	}
}

// A weapon is a value that can do harm.
type weapon interface {
	armed() bool
	disarm()
}

// armed: the one choice that grants anything is that of pre_tool_use.
func (v *oneOf) armed() bool { return *v.field == "allow" }
func (v *oneOf) disarm()     { *v.field = v.choices[0] }

func (v *rules) armed() bool { return slices.ContainsFunc(*v.field, grants) }
func (v *rules) disarm()     { *v.field = slices.DeleteFunc(*v.field, grants) }

func grants(r Rule) bool { return r.Decision == "allow" }

// armed: a server's settings may name programs, as "-toolexec" among the build flags of Go.
func (v *languageTable) armed() bool {
	for _, l := range *v.field {
		if l.Command != nil || l.Settings != nil {
			return true
		}
	}
	return false
}

func (v *languageTable) disarm() {
	for id, l := range *v.field {
		(*v.field)[id] = Language{Disabled: l.Disabled}
	}
}

// armed: what is asked and answered is written down.
func (v *recording) armed() bool { return *v.field }
func (v *recording) disarm()     { *v.field = false }

// armed: the program is run.
func (v *program) armed() bool { return len(*v.field) > 0 }
func (v *program) disarm()     { *v.field = []string{} }

// armed: a variable may hold a secret, or say what is run.
func (v *passes) armed() bool { return len(*v.field) > 0 }
func (v *passes) disarm()     { *v.field = []string{} }

// armed: the endpoint is sent pieces of code.
func (v *address) armed() bool { return *v.field != "" }
func (v *address) disarm()     { *v.field = "" }
