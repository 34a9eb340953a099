package index

// Names are texts that many memories share, by numbers. It only grows: projects are few.
type names struct {
	texts   []string
	numbers map[string]uint32
}

func newNames() names { return names{numbers: map[string]uint32{}} }

func (n *names) number(text string) uint32 {
	i, ok := n.numbers[text]
	if !ok {
		i = uint32(len(n.texts))
		n.texts, n.numbers[text] = append(n.texts, text), i
	}
	return i
}
