import { Account, AccountKind } from "./account";
import { LedgerEvent, Posted } from "./event";
import { Currency, Money, format, sum } from "./money";
import type { EventStore } from "./store";

export type Clock = () => number;

export interface LedgerOptions {
  currency: Currency;
  clock?: Clock;
}

export class Ledger {
  private readonly accounts = new Map<string, Account>();
  private readonly clock: Clock;
  private next = 1;

  constructor(
    private readonly store: EventStore,
    private readonly options: LedgerOptions,
  ) {
    this.clock = options.clock ?? Date.now;
  }

  open(id: string, kind: AccountKind): Account {
    const account = new Account(id, kind, this.options.currency);
    this.accounts.set(id, account);
    return account;
  }

  find(id: string): Account | undefined {
    return this.accounts.get(id);
  }

  async transfer(debit: string, credit: string, value: Money): Promise<Posted> {
    const from = this.require(credit);
    const to = this.require(debit);
    to.debit(value);
    from.credit(value);
    const event: Posted = { type: "posted", entryId: this.nextId(), debit, credit, value, at: this.clock() };
    await this.store.append(event);
    return event;
  }

  async reverse(entryId: string, reason: string): Promise<void> {
    const posted = (await this.store.load(entryId)).find(isPosted);
    if (!posted) {
      throw new Error(`no entry ${entryId}`);
    }
    this.require(posted.debit).credit(posted.value);
    this.require(posted.credit).debit(posted.value);
    await this.store.append({ type: "reversed", entryId, reason, at: this.clock() });
  }

  worth(): Money {
    const assets = [...this.accounts.values()].filter((a) => a.kind === AccountKind.Asset);
    return sum(assets.map((a) => a.balance), this.options.currency);
  }

  summary(): string[] {
    return [...this.accounts.values()].map((a) => `${a.id}: ${format(a.balance)}`);
  }

  private require(id: string): Account {
    const account = this.find(id);
    if (!account) {
      throw new Error(`no account ${id}`);
    }
    return account;
  }

  private nextId(): string {
    return `e${this.next++}`;
  }
}

function isPosted(event: LedgerEvent): event is Posted {
  return event.type === "posted";
}
