// Package memories has the commands about what is remembered.
//
// They open the memories themselves, beside a daemon or without one. Only recall and why load the index, from the snapshot that a
// daemon has left; the others read and write rows.
package memories

// Memories has the commands about what is remembered.
type Memories struct {
	Recall recallCommand `cmd:"" help:"Find what is remembered, best first."`
	Why    whyCommand    `cmd:"" help:"Print what a session would be told at a prompt, and why."`
	Save   saveCommand   `cmd:"" help:"Remember something."`
	Show   showCommand   `cmd:"" help:"Print a memory: where it comes from, what stands beside it, what became of it."`
	Forget forgetCommand `cmd:"" help:"Forget memories for good."`
	Export exportCommand `cmd:"" help:"Write memories as JSON, one a line."`
	Import importCommand `cmd:"" help:"Read memories that were exported."`
	Backup backupCommand `cmd:"" help:"Write a copy of the database."`
	Status statusCommand `cmd:"" help:"Print how much is remembered, and what is off."`
}
