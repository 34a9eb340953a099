package shell

import "syscall"

// dieWithParent has the shell end if this process is killed: its output would go nowhere.
func dieWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
