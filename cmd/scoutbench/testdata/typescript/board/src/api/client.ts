import type { Action } from "../model/action";
import type { Card } from "../model/card";

export interface Transport {
  send(method: string, path: string, body?: unknown): Promise<unknown>;
}

export abstract class Client {
  constructor(protected readonly transport: Transport) {}

  abstract readonly resource: string;
  abstract decode(raw: unknown): unknown;

  protected async get(id: string): Promise<unknown> {
    return this.decode(await this.transport.send("GET", `/${this.resource}/${id}`));
  }
}

export class CardClient extends Client {
  readonly resource = "cards";

  decode(raw: unknown): Card {
    const card = raw as Card & { due: string | null };
    return { ...card, due: card.due === null ? null : new Date(card.due) };
  }

  async fetch(id: string): Promise<Card> {
    return (await this.get(id)) as Card;
  }

  async save(card: Card): Promise<void> {
    await this.transport.send("PUT", `/cards/${card.id}`, card);
  }
}

export class HistoryClient extends Client {
  readonly resource = "history";

  decode(raw: unknown): Action[] {
    return raw as Action[];
  }

  async publish(actions: Action[]): Promise<void> {
    await this.transport.send("POST", "/history", actions);
  }
}
