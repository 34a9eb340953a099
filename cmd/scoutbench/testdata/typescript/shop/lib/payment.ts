import { Cart, CartState } from './cart'
import { EventBus } from './bus'
import { fail, mapResult, ok, Result } from './util/result'

export namespace Payment {
  export interface Receipt {
    total: number
    paidBy: string
  }

  export function receipt (total: number, paidBy: string): Receipt {
    return { total, paidBy }
  }
}

export abstract class Provider {
  protected abstract charge (owner: string, amount: number): Result<string>

  pay (cart: Cart, bus: EventBus): Result<Payment.Receipt> {
    if (cart.state !== CartState.Open) return fail('paid already')
    const total = cart.total()
    cart.advance()
    bus.emit('paid', { total })
    return mapResult(this.charge(cart.owner, total), by => Payment.receipt(total, by))
  }
}

export class CardProvider extends Provider {
  protected charge (owner: string, amount: number): Result<string> {
    return amount > Cart.limit ? fail('too much') : ok(`card of ${owner}`)
  }
}

export class VoucherProvider extends Provider {
  constructor (private left: number) {
    super()
  }

  protected charge (_owner: string, amount: number): Result<string> {
    if (amount > this.left) return fail('voucher is spent')
    this.left -= amount
    return ok('voucher')
  }
}
