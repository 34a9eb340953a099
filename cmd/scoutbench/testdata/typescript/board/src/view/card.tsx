import { h } from "../h";
import { Card, isLate, Label } from "../model/card";
import type { Theme } from "./theme";

export interface CardProps {
  card: Card;
  theme: Theme;
  now: Date;
  onRename(id: string, title: string): void;
}

export function CardView({ card, theme, now, onRename }: CardProps) {
  return (
    <article style={{ color: theme.priority[card.priority] }} onDblClick={() => onRename(card.id, card.title)}>
      <h3>{card.title}</h3>
      {card.labels.map((label) => (
        <Badge label={label} />
      ))}
      {isLate(card, now) ? <em>late</em> : null}
    </article>
  );
}

export function Badge({ label }: { label: Label }) {
  return <span style={{ background: label.color }}>{label.text}</span>;
}
