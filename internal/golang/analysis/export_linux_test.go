package analysis

// PID returns the id of the client's process; 0: there is none.
func (c *Client) PID() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run == nil {
		return 0
	}
	return c.run.process.Cmd.Process.Pid
}
