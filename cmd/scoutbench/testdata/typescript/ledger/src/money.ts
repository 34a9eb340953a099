export type Currency = "EUR" | "USD" | "JPY";

export interface Money {
  readonly amount: number; // in the smallest unit
  readonly currency: Currency;
}

const symbols: Record<Currency, string> = { EUR: "€", USD: "$", JPY: "¥" };

/** How many digits stand behind the point. */
export function digits(currency: Currency): number {
  switch (currency) {
    case "EUR":
    case "USD":
      return 2;
    case "JPY":
      return 0;
    default: {
      const missing: never = currency;
      throw new Error(`no digits for ${missing}`);
    }
  }
}

export function money(amount: number, currency: Currency): Money {
  return { amount, currency };
}

export function add(a: Money, b: Money): Money {
  if (a.currency !== b.currency) {
    throw new RangeError(`cannot add ${b.currency} to ${a.currency}`);
  }
  return money(a.amount + b.amount, a.currency);
}

export function negate(m: Money): Money {
  return { ...m, amount: -m.amount };
}

export function format(m: Money): string {
  const places = digits(m.currency);
  return symbols[m.currency] + (m.amount / 10 ** places).toFixed(places);
}

export function sum(all: readonly Money[], currency: Currency): Money {
  return all.reduce(add, money(0, currency));
}
