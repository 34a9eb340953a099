package training

import "tidepool/scout"

// Question asks in words what a change of a kind does to a symbol.
func Question(kind scout.ChangeKind, symbol string) string {
	switch kind {
	case scout.AddParameter:
		return "What breaks if " + symbol + " takes one more parameter?"
	case scout.ChangeSignature:
		return "What has to change when the signature of " + symbol + " changes?"
	case scout.AddMethod:
		return "What stops compiling if a method is added to " + symbol + "?"
	case scout.RemoveField:
		return "What uses " + symbol + " and breaks if it is removed?"
	case scout.ChangeType:
		return "What breaks if the type of " + symbol + " changes?"
	case scout.Rename:
		return "What has to be edited to rename " + symbol + "?"
	case scout.Delete:
		return "What breaks if " + symbol + " is deleted?"
	case scout.AddVariant:
		return "What has to know about a new variant of " + symbol + "?"
	case scout.AddImplementation:
		return "What has to know about a new implementation of " + symbol + "?"
	case scout.ReturnError:
		return "What has to change if " + symbol + " returns an error?"
	case scout.ChangeBehavior:
		return "Which tests notice if " + symbol + " behaves differently?"
	}
	return "How is " + symbol + " used?"
}
