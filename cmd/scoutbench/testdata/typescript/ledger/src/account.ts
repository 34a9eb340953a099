import { Currency, Money, add, money, negate } from "./money";

export enum AccountKind {
  Asset,
  Liability,
  Income,
  Expense,
}

export const kindLabels: { [K in AccountKind]: string } = {
  [AccountKind.Asset]: "asset",
  [AccountKind.Liability]: "liability",
  [AccountKind.Income]: "income",
  [AccountKind.Expense]: "expense",
};

/** Whether a debit makes the balance larger. */
export function debitNormal(kind: AccountKind): boolean {
  switch (kind) {
    case AccountKind.Asset:
    case AccountKind.Expense:
      return true;
    case AccountKind.Liability:
    case AccountKind.Income:
      return false;
  }
}

export class Account {
  private total: Money;

  constructor(
    readonly id: string,
    readonly kind: AccountKind,
    readonly currency: Currency,
  ) {
    this.total = money(0, currency);
  }

  get balance(): Money {
    return this.total;
  }

  debit(m: Money): void {
    this.apply(debitNormal(this.kind) ? m : negate(m));
  }

  credit(m: Money): void {
    this.apply(debitNormal(this.kind) ? negate(m) : m);
  }

  private apply(m: Money): void {
    this.total = add(this.total, m);
  }
}
