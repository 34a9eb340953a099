package sandbox

import "io"

// A capture keeps the first bytes of a stream and counts the others, so that a command never waits for a reader.
type capture struct {
	out  Output
	most int64
}

// Write takes a part of the stream. It does not fail.
func (c *capture) Write(part []byte) (int, error) {
	kept := min(int64(len(part)), c.most-int64(len(c.out.Text)))
	c.out.Text = append(c.out.Text, part[:kept]...)
	c.out.Total += int64(len(part))
	return len(part), nil
}

// drain reads a stream to its end.
func (c *capture) drain(r io.Reader) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := r.Read(buffer)
		c.Write(buffer[:n])
		if err != nil {
			return
		}
	}
}
