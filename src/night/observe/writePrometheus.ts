import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { basename, dirname, join, resolve } from "node:path"
import { onDisk } from "../../feed/disk/Disk.ts"
import { randomHex } from "../../feed/disk/random.ts"
import { Effect, Metric } from "effect"
import { outsideHomes } from "../../store/home/OutputInHome.ts"
import type { NightOutcome } from "./NightOutcome.ts"
import { nightWarning } from "./Observation.ts"
import { Verdict, type GameReport } from "./RunReport.ts"

type Labels = Readonly<Record<string, string>>
type Sample = readonly [labels: Labels, value: number | null]

/** Writes a gauge. A sample without a value is omitted, never 0. */
const gauge = (name: string, help: string, samples: ReadonlyArray<Sample>): Effect.Effect<void> => {
  const metric = Metric.gauge(name, { description: help })
  return Effect.forEach(
    samples,
    ([labels, value]) => (value === null ? Effect.void : Metric.update(Metric.withAttributes(metric, labels), value)),
    { discard: true }
  )
}

/** Returns one series per verdict, 1 for the current one, so that a rule for `== 1` need not know the others. */
const verdicts = (labels: Labels, held: Verdict): ReadonlyArray<Sample> =>
  Verdict.literals.map((verdict) => [{ ...labels, verdict }, verdict === held ? 1 : 0])

const changeSamples = ({ changes, gameId }: GameReport): ReadonlyArray<Sample> =>
  changes === null
    ? []
    : (["products", "expansions"] as const).flatMap((entity) =>
        (["added", "removed", "modifiedCatalogue", "modifiedPrice"] as const).map((change): Sample => [
          { game: gameId, entity, change },
          changes[entity][change]
        ])
      )

/**
 * Returns the last night in Prometheus' exposition format 0.0.4. It has only gauges, as a file has no state. Their
 * registry is separate from the night's OTLP counters.
 */
export const prometheusText = Effect.fnUntraced(
  function* ({ endedMillis, exitCode, held, report }: NightOutcome) {
    const { games } = report
    const ofRun = (name: string, help: string, value: number) => gauge(`cardlake_last_run_${name}`, help, [[{}, value]])
    const ofGames = (name: string, help: string, value: (game: GameReport) => number | null) =>
      gauge(
        `cardlake_game_${name}`,
        help,
        games.map((game) => [{ game: game.gameId }, value(game)])
      )
    const verdictsOfGames = games.flatMap((game) => verdicts({ game: game.gameId }, game.verdict))
    yield* ofRun("timestamp_seconds", "Unix time at which the last night ended.", endedMillis / 1000)
    yield* ofRun("seconds", "How long the last night took.", report.seconds)
    yield* ofRun(
      "exit_code",
      "0 published, 1 failed, 2 no such game, 3 held back or missing, 4 some games failed.",
      exitCode
    )
    const ofKey = (name: string, help: string, value: (budget: { tokens: number; refused: number }) => number | null) =>
      gauge(
        `cardlake_last_run_key_${name}`,
        help,
        "budget" in report && report.budget !== undefined ? [[{ key: report.budget.key }, value(report.budget)]] : []
      )
    const waited = "waitedSeconds" in report ? (report.waitedSeconds ?? null) : null
    yield* ofKey("tokens", "Requests that the budget of the key granted.", ({ tokens }) => tokens)
    yield* ofKey("refused", "Answers with 429.", ({ refused }) => refused)
    yield* ofKey("waited_seconds", "How long at least one request waited for its turn.", () => waited)
    yield* gauge("cardlake_last_run_verdict", "1 for the verdict of the last night.", verdicts({}, report.verdict))
    yield* gauge("cardlake_game_verdict", "1 for the verdict of the game in the last night.", verdictsOfGames)
    if (held !== undefined) {
      const since = new Map(held.map(({ gameId, sinceMillis }) => [gameId, sinceMillis / 1000]))
      const known = [...new Set([...games.map(({ gameId }) => gameId), ...since.keys()])]
      const samples = (value: (game: string) => number | null) => known.map((game): Sample => [{ game }, value(game)])
      yield* gauge(
        "cardlake_game_held",
        "1 while a reading of the game waits for a release or a better one.",
        samples((game) => (since.has(game) ? 1 : 0))
      )
      yield* gauge(
        "cardlake_game_held_since_timestamp_seconds",
        "Unix time at which the first of the nights began that held the game.",
        samples((game) => since.get(game) ?? null)
      )
    }
    yield* ofGames("products", "Products read.", ({ products }) => products)
    yield* ofGames("expansions", "Expansions read.", ({ expansions }) => expansions)
    yield* ofGames("prices", "Rows of source and marketplace prices.", ({ prices }) => prices)
    yield* ofGames("refused", "Records that the contract refused.", ({ refused }) => refused)
    const changes = games.flatMap(changeSamples)
    yield* gauge("cardlake_game_changes", "Changes against the snapshot published before.", changes)
    yield* ofGames("seconds", "How long the game took.", ({ seconds }) => seconds)
    return yield* PrometheusMetrics.format()
  },
  (text) => Effect.provideService(text, Metric.MetricRegistry, new Map())
)

/**
 * Writes the outcome for node-exporter's textfile collector. It is written under a name that the collector ignores,
 * then renamed, so that no partial file is read. A failure is only a warning.
 */
export const writePrometheus = Effect.fnUntraced(function* (file: string, outcome: NightOutcome) {
  const whole = resolve(file)
  const unfinished = join(dirname(whole), `.${basename(whole)}.${yield* randomHex(4)}.part`)
  const text = yield* prometheusText(outcome)
  const write = onDisk(
    async (disk) => {
      try {
        await disk.write(unfinished, text)
        await disk.rename(unfinished, whole)
      } catch (cause) {
        await disk.removeFile(unfinished)
        throw cause
      }
    },
    (cause) => ({ message: cause instanceof Error ? cause.message : String(cause) })
  )
  yield* Effect.andThen(outsideHomes(whole), write).pipe(
    Effect.catch(({ message }) =>
      nightWarning(
        "prometheus",
        `The Prometheus file ${file} was not written (${message}). The night itself is complete`
      )
    )
  )
})
