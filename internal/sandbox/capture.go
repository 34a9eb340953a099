package sandbox

import "io"

// A capture keeps the first bytes of a stream and counts the others, so that a command never waits for a reader.
type capture struct {
	out  Output
	most int64
}

// drain reads a stream to its end.
func (c *capture) drain(r io.Reader) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := r.Read(buffer)
		kept := min(int64(n), c.most-int64(len(c.out.Text)))
		c.out.Text = append(c.out.Text, buffer[:kept]...)
		c.out.Total += int64(n)
		if err != nil {
			return
		}
	}
}
