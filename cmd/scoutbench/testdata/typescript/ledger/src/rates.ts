import { Currency, Money, digits, money } from "./money";

export type RateSource = (from: Currency, to: Currency) => number | undefined;

export const fixedRates: RateSource = (from, to) => (from === to ? 1 : undefined);

export function tableRates(table: Partial<Record<Currency, number>>): RateSource {
  return (from, to) => {
    const a = table[from];
    const b = table[to];
    return a && b ? b / a : undefined;
  };
}

export function firstOf(...sources: RateSource[]): RateSource {
  return (from, to) => {
    for (const source of sources) {
      const rate = source(from, to);
      if (rate !== undefined) {
        return rate;
      }
    }
    return undefined;
  };
}

export function convert(m: Money, to: Currency, rates: RateSource): Money {
  const rate = rates(m.currency, to);
  if (rate === undefined) {
    throw new Error(`no rate from ${m.currency} to ${to}`);
  }
  const scale = 10 ** (digits(to) - digits(m.currency));
  return money(Math.round(m.amount * rate * scale), to);
}
