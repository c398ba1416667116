import { AssertionError } from "node:assert"
import { documents, type Fact, type Section } from "./Fact.ts"
import { startSandbox } from "./world/startSandbox.ts"
import { makeWorld, type World } from "./world/World.ts"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What came of a fact. */
type Outcome =
  | { readonly is: "held" }
  | { readonly is: "not to be tried"; readonly why: string }
  | { readonly is: "failed"; readonly request: string; readonly expected: string; readonly found: string }

export interface Result {
  readonly document: Section["document"]
  readonly heading: string
  readonly fact: Fact
  readonly outcome: Outcome
}

const shown = (value: unknown) =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")).slice(0, 500)

const outcomeOf = async ({ check }: Fact, world: World): Promise<Outcome> => {
  if (typeof check !== "function") return { is: "not to be tried", why: check.untried }
  world.talk.requests.length = 0
  try {
    await check(world)
    return { is: "held" }
  } catch (error) {
    const request = world.talk.requests.at(-1) ?? "nothing; what was read before"
    if (error instanceof AssertionError && error.operator !== "==" && error.generatedMessage)
      return { is: "failed", request, expected: shown(error.expected), found: shown(error.actual) }
    const message = error instanceof Error ? error.message : String(error)
    const expected = error instanceof AssertionError ? shown(error.expected) : "an answer"
    return { is: "failed", request, expected, found: message }
  }
}

/** Tries every fact against a default sandbox that it starts, and stops. */
export const runFacts = async (
  sections: ReadonlyArray<Section>,
  tell: (result: Result) => void = () => undefined
): Promise<ReadonlyArray<Result>> => {
  const started = await Promise.allSettled([startSandbox(), startSandbox(...limitedFlags())])
  const running = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))
  try {
    const [sandbox, limited] = running
    if (sandbox === undefined || limited === undefined) throw started.find((each) => each.status === "rejected")?.reason
    const world = await makeWorld(sandbox, limited)
    const results: Array<Result> = []
    for (const { document, facts, heading } of sections)
      for (const fact of facts) {
        const result = { document, heading, fact, outcome: await outcomeOf(fact, world) }
        tell(result)
        results.push(result)
      }
    return results
  } finally {
    await Promise.all(running.map(({ stop }) => stop()))
  }
}

/** A line that says what came of a fact, and how it failed. */
export const lineOf = ({ document, fact, heading, outcome }: Result): string => {
  const place = `${documents[document]}, ${heading}${fact.rows.length === 0 ? "" : ` (${fact.rows.join("; ")})`}`
  const more =
    outcome.is === "failed"
      ? ` [asked: ${outcome.request}] [expected: ${outcome.expected}] [found: ${outcome.found}]`
      : outcome.is === "held"
        ? ""
        : ` [${outcome.why}]`
  return `${outcome.is.padEnd(15)} ${place}: ${fact.says}${more}`.replaceAll(/\s*\n\s*/g, " ")
}

/** Each of these fails once. */
const rules = [
  { endpoint: "refunds", kind: "server-error", status: 502, at: [1] },
  { endpoint: "game", kind: "server-error", status: 500, at: [1] },
  { endpoint: "games", kind: "server-error", status: 503, at: [1] }
]

/** What the second sandbox is started with: the limits of the service, and requests that fail. */
const limitedFlags = (): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "facts-"))
  const file = join(folder, "faults.json")
  writeFileSync(file, JSON.stringify({ rules }))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  return ["--rate", "60", "--faults", file]
}
