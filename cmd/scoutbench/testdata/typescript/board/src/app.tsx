import { CardClient, HistoryClient, Transport } from "./api/client";
import { h, VNode } from "./h";
import { Action, added } from "./model/action";
import { newCard } from "./model/card";
import { Stage } from "./model/column";
import { empty, findCard, reduce, State, undoable } from "./model/reduce";
import { BoardView } from "./view/board";
import { light } from "./view/theme";

export class App {
  private state: State = empty;
  private readonly cards: CardClient;
  private readonly history: HistoryClient;

  constructor(transport: Transport) {
    this.cards = new CardClient(transport);
    this.history = new HistoryClient(transport);
  }

  dispatch(action: Action): void {
    this.state = reduce(this.state, action);
  }

  add(title: string): void {
    this.dispatch(added(newCard(String(this.state.history.length), title), Stage.Backlog));
  }

  canUndo(): boolean {
    const last = this.state.history.at(-1);
    return last !== undefined && undoable[last.type];
  }

  async sync(): Promise<void> {
    for (const column of this.state.columns) {
      await Promise.all(column.cards.map((card) => this.cards.save(card)));
    }
    await this.history.publish(this.state.history);
  }

  async refresh(id: string): Promise<void> {
    const card = await this.cards.fetch(id);
    if (card.title !== findCard(this.state, id).title) {
      this.dispatch({ type: "renamed", id, title: card.title });
    }
  }

  render(): VNode {
    return <BoardView state={this.state} theme={light} dispatch={(action) => this.dispatch(action)} />;
  }
}
