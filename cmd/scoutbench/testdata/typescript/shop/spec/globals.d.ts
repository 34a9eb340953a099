declare function describe (name: string, body: () => void): void
declare function it (name: string, body: () => void): void
declare function expect (value: unknown): { toBe (want: unknown): void }
