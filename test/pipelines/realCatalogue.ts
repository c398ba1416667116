import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"

/** Real card data that lies beside the project where its owners allow it; never part of it. */
export const realCatalogue = fileURLToPath(new URL("../../../shared/catalogue", import.meta.url))

/** Tests that need it are skipped where it is absent, and say so. */
export const hasRealCatalogue = existsSync(realCatalogue)
if (!hasRealCatalogue) console.warn(`Skipped: there is no real catalogue in ${realCatalogue}`)

interface Step {
  readonly to: string
  readonly products: { added: number; modified: number; removed: number; modifiedBeyondPrices: number }
  readonly expansions: { added: number; modified: number; removed: number }
}

const json = (path: string): unknown => JSON.parse(readFileSync(`${realCatalogue}/${path}`, "utf8"))

/**
 * The deployments of a game, oldest first,
 * and the true differences between them, counted by an independent program.
 */
export const deploymentsOf = (gameId: string) =>
  (
    json(`${gameId}/deployments.json`) as {
      deployments: ReadonlyArray<{ date: string; products: number; expansions: number }>
    }
  ).deployments
export const stepsOf = (gameId: string) =>
  (json("expected-diffs.json") as { games: Record<string, { steps: ReadonlyArray<Step> }> }).games[gameId]?.steps ?? []

/** A record as text that is equal for equal content, whatever the order of its keys, without the percentages of price sources. */
const withoutPercentages = (line: string): string =>
  JSON.stringify(JSON.parse(line), (key, inner: unknown) =>
    /^change\d+[hd]$/.test(key)
      ? undefined
      : typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner
  )

/** How many products of two deployments differ in more than the percentages of price sources, counted in the files. */
export const modifiedBeyondPercentages = (gameId: string, from: string, to: string): number => {
  const recordsOf = (deployment: string) =>
    linesOf(gameId, deployment, "products").map(
      (line) => [/"id": ?(\d+)/.exec(line)?.[1], withoutPercentages(line)] as const
    )
  const before = new Map(recordsOf(from))
  return recordsOf(to).filter(([id, text]) => before.has(id) && before.get(id) !== text).length
}

/** The records of a deployment's file as JSON text, one per line. */
export const linesOf = (gameId: string, deployment: string, list: "products" | "expansions"): ReadonlyArray<string> =>
  gunzipSync(readFileSync(`${realCatalogue}/${gameId}/${deployment}/${list}.ndjson.gz`))
    .toString("utf8")
    .trimEnd()
    .split("\n")
