import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"

/** Both are allowed. */
interface Bounds {
  readonly from: number
  readonly to: number
}

const flagOf =
  (kind: string, isOfKind: (number: number) => boolean) => (name: string, metavar: string, bounds: Bounds) =>
    Flag.String(name).pipe(
      Flag.withMetavar(metavar),
      Flag.filterMap(
        (text) => {
          const number = text.trim() === "" ? Number.NaN : Number(text)
          return isOfKind(number) && number >= bounds.from && number <= bounds.to ? Option.some(number) : Option.none()
        },
        () => `Expected ${kind} from ${bounds.from} to ${bounds.to}`
      )
    )

/** A flag with a number; who gives a wrong one reads what is allowed. */
export const numberFlag = flagOf("a number", Number.isFinite)
export const wholeNumberFlag = flagOf("a whole number", Number.isInteger)

/** A flag with a port to listen on; 0 is any free one. */
export const portFlag = (name: string) => wholeNumberFlag(name, "PORT", { from: 0, to: 65_535 })
