// Package quality measures how often recall finds and tells the right memory, and how often it is silent where it has nothing to say.
//
// # Data
//
// The dialogues are two public sets, which the user of the programs that need them fetches:
//
//	git clone https://github.com/danny911kr/REALTALK    its directory data has REALTALK, and LoCoMo in data/locomo
//
// LoCoMo is ten dialogues that models wrote, with 5,882 turns in 272 sessions and 1,986 questions about them; REALTALK is ten dialogues
// that people had in 21 days, with 8,944 messages in 219 sessions and 728 questions. Each turn is a memory: "Name: text", with the caption
// of a photo behind it, of its session and its place there, on the day of the session. Neither the answers nor the summaries, observations
// and events of the sets are read.
//
// A question names the turns that have its answer, as D3:5; the session is the one that has the turn of that name (in LoCoMo the third; in
// REALTALK names count by day and a day may have two sessions). Names that no turn has are left out, and so are questions without any name
// that a turn has. LoCoMo's category 5 does not count, because its questions ask for what was not said.
//
// # Figures
//
// hit@1 is the share of the questions whose best memory is of a session with the answer; hit@5 looks at the five sessions whose memories
// come first. A question has the memories of its own dialogue to be found among. A memory that is told is right if it is of a session with
// the answer. A prompt is met with silence if nothing is told.
//
// Constants are fitted on the dialogues that [Tuned] names and on half of the prompts that want silence. The other dialogues of LoCoMo, all
// of REALTALK and the other half are for publishing only.
package quality
