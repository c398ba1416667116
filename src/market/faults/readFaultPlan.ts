import { Effect, Schema } from "effect"
import { readFile } from "node:fs/promises"
import { firstFault } from "../answers/refusals.ts"
import { isPlainObject } from "../catalogue/StoredCatalogue.ts"
import { FaultPlan, ruleOfKind } from "./FaultPlan.ts"

/** The fault plan is invalid. `path` names the field; it is empty for the complete plan. */
export class FaultsInvalid extends Schema.TaggedError<FaultsInvalid>()("FaultsInvalid", {
  source: Schema.String,
  path: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    const place = this.path === "" ? "" : ` at ${this.path}`
    return `${this.source} cannot be used${place}: ${this.reason}. A small one is {"seed":1,"rules":[{"endpoint":"products","kind":"reset","rate":0.1}]}`
  }
}

/** Decodes a value. The error has the path of an invalid value or unknown key. */
const decode = <S extends Schema.Decoder<unknown>>(schema: S, value: unknown) =>
  Schema.decodeUnknownEffect(schema, { onExcessProperty: "error" })(value).pipe(
    Effect.mapError(({ issue }) => {
      const { path, reason = "it is not a plan" } = firstFault(issue)
      return { path, reason }
    })
  )

/** Checks a plan and refuses unknown keys. `source` names it in messages. */
export const checkFaultPlan = Effect.fnUntraced(function* (source: string, plan: unknown) {
  const rules = isPlainObject(plan) && Array.isArray(plan["rules"]) ? plan["rules"] : []
  // Each rule is checked by its kind. The union would report the error of its first kind.
  for (const [at, rule] of rules.entries()) {
    const invalid = ({ path, reason }: { readonly path: string; readonly reason: string }) =>
      new FaultsInvalid({ source, path: `rules.${at}.${path}`, reason })
    const schema = isPlainObject(rule) ? ruleOfKind.get(String(rule["kind"])) : undefined
    if (schema === undefined) {
      return yield* invalid({ path: "kind", reason: `expected one of ${[...ruleOfKind.keys()].join(", ")}` })
    }
    yield* Effect.mapError(decode(schema, rule), invalid)
  }
  return yield* Effect.mapError(decode(FaultPlan, plan), (fault) => new FaultsInvalid({ source, ...fault }))
})

/** Reads a JSON file that a user wrote. */
export const readUserFile = Effect.fnUntraced(function* <E>(file: string, invalid: (reason: string) => E) {
  const text = yield* Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: () => invalid("it does not exist or cannot be read")
  })
  return yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) => invalid(`it is not JSON (${cause instanceof Error ? cause.message : "unreadable"})`)
  })
})

/** Reads a plan from a JSON file. */
export const readFaultPlan = Effect.fnUntraced(function* (file: string) {
  const source = `The fault file ${file}`
  const plan = yield* readUserFile(file, (reason) => new FaultsInvalid({ source, path: "", reason }))
  return yield* checkFaultPlan(source, plan)
})
