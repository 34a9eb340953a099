package oldnames

import "encoding/json"

// Arguments returns the arguments of a call with the names that the tool has for them now. Arguments that only kept the data of tenants
// apart are left out: a daemon has one user and one project. Arguments that are no JSON object are returned as they are, for the tool to
// refuse.
func Arguments(tool string, arguments json.RawMessage) json.RawMessage {
	renamed, known := renamings()[tool]
	var all map[string]json.RawMessage
	if !known || json.Unmarshal(arguments, &all) != nil || all == nil {
		return arguments
	}
	for from, to := range renamed {
		value, given := all[from]
		if !given {
			continue
		}
		delete(all, from)
		if _, taken := all[to]; to != "" && !taken {
			all[to] = value
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return arguments
	}
	return text
}

// SessionOf returns the session that the arguments of a call name as the one that calls; "": they name none. What checkpoint_list and
// session_end name is what they are about.
func SessionOf(tool string, arguments json.RawMessage) string {
	var in struct {
		SessionID string `json:"session_id"`
	}
	if tool == "checkpoint_list" || tool == "session_end" || json.Unmarshal(arguments, &in) != nil {
		return ""
	}
	return in.SessionID
}

// renamings are, by tool, what older clients call arguments and what they are called now; "": it is left out.
func renamings() map[string]map[string]string {
	return map[string]map[string]string{
		"memory_feedback":      {"memory_id": "id", "session_id": "", "project_id": "", "tenant_id": ""},
		"memory_search":        {"project_id": "project", "project_path": "project", "session_id": "", "tenant_id": "", "outcome": "", "min_confidence": "", "scope": ""},
		"checkpoint_save":      {"project_path": "", "project_id": "", "tenant_id": "", "token_count": "", "threshold": "", "metadata": ""},
		"checkpoint_list":      {"project_path": "project", "project_id": "", "tenant_id": "", "auto_only": "auto"},
		"checkpoint_resume":    {"project_path": "", "project_id": "", "tenant_id": "", "session_id": ""},
		"remediation_record":   {"project_path": "", "project_id": "", "tenant_id": "", "team_id": "", "confidence": "", "session_id": ""},
		"remediation_search":   {"error": "query", "context": "", "project_path": "", "project_id": "", "tenant_id": "", "team_id": "", "include_hierarchy": "", "session_id": ""},
		"remediation_feedback": {"id": "remediation_id", "project_path": "", "project_id": "", "tenant_id": "", "session_id": ""},
		"ref_content":          {"ref_id": "ref"},
		"memory_recall":        {"project_id": "", "tenant_id": ""},
	}
}
