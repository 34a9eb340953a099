import type { Card } from "./card";
import type { Stage } from "./column";

export type Action =
  | { type: "added"; card: Card; stage: Stage }
  | { type: "moved"; id: string; to: Stage }
  | { type: "renamed"; id: string; title: string }
  | { type: "removed"; id: string };

export type ActionType = Action["type"];

export function unreachable(value: never): never {
  throw new Error(`unhandled ${String(value)}`);
}

export const added = (card: Card, stage: Stage): Action => ({ type: "added", card, stage });

export const moved = (id: string, to: Stage): Action => ({ type: "moved", id, to });
