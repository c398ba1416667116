import { Effect, Schema, SchemaIssue } from "effect"
import { readFile } from "node:fs/promises"
import { FaultPlan, faultKinds } from "./FaultPlan.ts"

/** The fault plan is invalid. `path` names the field, empty for the whole plan. */
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

const decode = Schema.decodeUnknownEffect(FaultPlan, { onExcessProperty: "error" })
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** Checks a plan, unknown keys included. `source` names it in the message. */
export const checkFaultPlan = (source: string, plan: unknown) =>
  decode(plan).pipe(
    Effect.mapError(({ issue }) => {
      const [first] = issuesOf(issue).issues
      const path = (first?.path ?? []).map((key) => String(typeof key === "object" ? key.key : key)).join(".")
      const reason = path.endsWith(".kind")
        ? `expected one of ${faultKinds.join(", ")}`
        : first?.message === "Expected no excess property"
          ? "there is no such setting here"
          : (first?.message ?? "it is not a plan")
      return new FaultsInvalid({ source, path, reason })
    })
  )

/** Reads the JSON file of a plan. */
export const readFaultPlan = Effect.fnUntraced(function* (file: string) {
  const source = `The fault file ${file}`
  const text = yield* Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: () => new FaultsInvalid({ source, path: "", reason: "it does not exist or cannot be read" })
  })
  const plan = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) =>
      new FaultsInvalid({
        source,
        path: "",
        reason: `it is not JSON (${cause instanceof Error ? cause.message : "unreadable"})`
      })
  })
  return yield* checkFaultPlan(source, plan)
})
