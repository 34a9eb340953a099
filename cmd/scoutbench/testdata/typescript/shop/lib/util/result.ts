export interface Ok<T> {
  ok: true
  value: T
}

export interface Failure {
  ok: false
  reason: string
}

export type Result<T> = Ok<T> | Failure

export const ok = <T>(value: T): Result<T> => ({ ok: true, value })

export const fail = (reason: string): Result<never> => ({ ok: false, reason })

export function unwrap<T> (r: Result<T>): T {
  if (r.ok) return r.value
  throw new Error(r.reason)
}

export function mapResult<A, B> (r: Result<A>, f: (a: A) => B): Result<B> {
  return r.ok ? ok(f(r.value)) : r
}
