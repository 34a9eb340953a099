import { Priority } from "../model/card";
import { Stage } from "../model/column";

export interface Theme {
  name: string;
  priority: Record<Priority, string>;
  stage: { [S in Stage]: string };
}

export const light: Theme = {
  name: "light",
  priority: { low: "#999", normal: "#333", urgent: "#c00" },
  stage: { [Stage.Backlog]: "#eee", [Stage.Doing]: "#def", [Stage.Done]: "#dfd" },
};

export const dark: Theme = {
  ...light,
  name: "dark",
  priority: { low: "#666", normal: "#ccc", urgent: "#f66" },
};

export function stageTitle(stage: Stage): string {
  switch (stage) {
    case Stage.Backlog:
      return "To do";
    case Stage.Done:
      return "Done";
    default:
      return "In progress";
  }
}
