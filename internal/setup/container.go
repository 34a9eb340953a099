package setup

import (
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// A container is an object or array of a document. Elements of arrays are treated as members without a name.
type container struct {
	doc    *document
	indent string // of the line on which it begins
	object *hujson.Object
	array  *hujson.Array
}

func (d *document) outermost() container { return container{doc: d, object: d.top} }

// find returns the value of a member of an object, or nil. A name that stands there twice is an error: readers differ
// in which of them counts.
func (c container) find(name string) (*hujson.Value, error) {
	var found *hujson.Value
	for i := range c.object.Members {
		m := &c.object.Members[i]
		if literal(m.Name) != name {
			continue
		}
		if found != nil {
			return nil, c.doc.errorAt(m.Name.StartOffset, fmt.Sprintf("%q stands there twice", name))
		}
		found = &m.Value
	}
	return found, nil
}

// objectIn returns the object that is a member of c, or nil if there is none of that name.
func (c container) objectIn(name string) (*container, error) {
	value, err := c.find(name)
	if value == nil || err != nil {
		return nil, err
	}
	object, ok := value.Value.(*hujson.Object)
	if !ok {
		return nil, c.doc.errorAt(value.StartOffset, fmt.Sprintf("%q is not an object", name))
	}
	return &container{doc: c.doc, indent: c.indentOfMembers(), object: object}, nil
}

// ensureObject is objectIn, and makes an empty one if there is none.
func (c container) ensureObject(name string) (*container, error) {
	found, err := c.objectIn(name)
	if found != nil || err != nil {
		return found, err
	}
	c.add(name, struct{}{})
	return c.objectIn(name)
}

// arrayIn is objectIn for arrays.
func (c container) arrayIn(name string) (*container, error) {
	value, err := c.find(name)
	if value == nil || err != nil {
		return nil, err
	}
	array, ok := value.Value.(*hujson.Array)
	if !ok {
		return nil, c.doc.errorAt(value.StartOffset, fmt.Sprintf("%q is not a list", name))
	}
	return &container{doc: c.doc, indent: c.indentOfMembers(), array: array}, nil
}

// ensureArray is arrayIn, and makes an empty one if there is none.
func (c container) ensureArray(name string) (*container, error) {
	found, err := c.arrayIn(name)
	if found != nil || err != nil {
		return found, err
	}
	c.add(name, []struct{}{})
	return c.arrayIn(name)
}

// objectAt returns the i-th element of an array, which must be an object.
func (c container) objectAt(i int) (*container, error) {
	value := c.array.Elements[i]
	object, ok := value.Value.(*hujson.Object)
	if !ok {
		return nil, c.doc.errorAt(value.StartOffset, "what stands here is not an object")
	}
	return &container{doc: c.doc, indent: c.indentOfMembers(), object: object}, nil
}

// index returns the place of the member called name, which must exist.
func (c container) index(name string) int {
	return slices.IndexFunc(c.object.Members, func(m hujson.ObjectMember) bool { return literal(m.Name) == name })
}

// text returns the member of that name if it is a string, else "".
func (c container) text(name string) string {
	value, err := c.find(name)
	if value == nil || err != nil {
		return ""
	}
	return literal(*value)
}

// strings returns the member of that name if it is a list of strings, else nil.
func (c container) strings(name string) []string {
	list, err := c.arrayIn(name)
	if list == nil || err != nil {
		return nil
	}
	var all []string
	for _, value := range list.array.Elements {
		if value.Value.Kind() != '"' {
			return nil
		}
		all = append(all, literal(value))
	}
	return all
}

// literal returns a string's value, "" for other kinds.
func literal(v hujson.Value) string {
	if v.Value.Kind() != '"' {
		return ""
	}
	return v.Value.(hujson.Literal).String()
}
