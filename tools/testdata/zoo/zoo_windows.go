package zoo

func onWindows() { Feed(1) }
