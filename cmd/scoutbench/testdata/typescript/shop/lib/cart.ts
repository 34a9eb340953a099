import type { Discount, Product } from './product'
import { discounted, label } from './product'
import { fail, ok, Result } from './util/result'
import { EventBus } from './bus'

export const enum CartState { Open, Paid, Shipped }

export interface Line {
  product: Product
  count: number
}

export class Cart {
  static readonly limit = 100
  state = CartState.Open
  private lines = new Map<string, Line>()

  constructor (private readonly bus: EventBus, public readonly owner: string) {}

  add (product: Product): this
  add (product: Product, count: number): this
  add (product: Product, count = 1): this {
    const line = this.lines.get(product.sku)
    this.lines.set(product.sku, { product, count: count + (line?.count ?? 0) })
    this.bus.emit('added', { sku: product.sku, count })
    return this
  }

  remove (sku: string): Result<Line> {
    const line = this.lines.get(sku)
    if (!line) return fail(`no ${sku}`)
    this.lines.delete(sku)
    return ok(line)
  }

  total (discounts: Record<string, Discount> = {}): number {
    let sum = 0
    for (const { product, count } of this.lines.values()) {
      const d = discounts[product.sku]
      sum += count * (d ? discounted(product, d) : product.price)
    }
    return sum
  }

  advance (): void {
    switch (this.state) {
      case CartState.Open:
        this.state = CartState.Paid
        break
      case CartState.Paid:
        this.state = CartState.Shipped
        break
      case CartState.Shipped:
        break
      default:
        this.state satisfies never
    }
  }

  describe (): string[] {
    return [...this.lines.values()].map(l => `${l.count} x ${label(l.product)}`)
  }
}
