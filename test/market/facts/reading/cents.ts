import { all, numberAt } from "./paths.ts"

/** An amount in hundredths of its currency. */
export const centsAt = (json: unknown, path: string): number => Math.round(numberAt(json, path) * 100)

/** The sum of all amounts at a path with `*`, in hundredths. */
export const sumOfCents = (json: unknown, path: string): number =>
  all(json, path).reduce<number>((sum, amount) => sum + Math.round(Number(amount) * 100), 0)
