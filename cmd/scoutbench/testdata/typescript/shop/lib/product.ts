export const sizes = ['S', 'M', 'L'] as const

export type Size = (typeof sizes)[number]

export interface Product {
  readonly sku: string
  name: string
  price: number
  size?: Size
  tags: ReadonlyArray<string>
}

export type Discount =
  | { kind: 'percent', off: number }
  | { kind: 'amount', off: number }
  | { kind: 'gift', product: Product }

export default function product (sku: string, name: string, price: number): Product {
  return { sku, name, price, tags: [] }
}

export function discounted (p: Product, d: Discount): number {
  switch (d.kind) {
    case 'percent':
      return p.price * (1 - d.off / 100)
    case 'amount':
      return Math.max(0, p.price - d.off)
    case 'gift':
      return 0
  }
}

export const shipping: { [S in Size]: number } = { S: 2, M: 3, L: 5 }

export const label = (p: Product): string => `${p.name} (${p.sku})`
