import type { NightOutcome } from "./NightOutcome.ts"
import { Verdict, type GameReport } from "./RunReport.ts"

type Labels = Readonly<Record<string, string>>
type Sample = readonly [labels: Labels, value: number | null]

/** Backslash, quote and line feed, as the exposition format says. */
const escaped = (value: string): string => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")

const labelText = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

/** A gauge; a sample without a value is left out, never 0. */
const gauge = (name: string, help: string, samples: ReadonlyArray<Sample>): ReadonlyArray<string> => {
  const lines = samples.flatMap(([labels, value]) => (value === null ? [] : [`${name}${labelText(labels)} ${value}`]))
  return lines.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines]
}

/** The verdict as one series a verdict, 1 for the one that holds: a rule can ask for `== 1` without knowing the others. */
const verdicts = (labels: Labels, held: Verdict): ReadonlyArray<Sample> =>
  Verdict.literals.map((verdict) => [{ ...labels, verdict }, verdict === held ? 1 : 0])

const changesOf = ({ changes, gameId }: GameReport): ReadonlyArray<Sample> =>
  changes === null
    ? []
    : (["products", "expansions"] as const).flatMap((entity) =>
        (["added", "removed", "modifiedCatalogue", "modifiedPrice"] as const).map((change): Sample => [
          { game: gameId, entity, change },
          changes[entity][change]
        ])
      )

/** The last night as text in Prometheus' exposition format 0.0.4: gauges only, as a file has no memory. */
export const prometheusText = ({ endedMillis, exitCode, report }: NightOutcome): string => {
  const { games } = report
  const each = (value: (game: GameReport) => number | null): ReadonlyArray<Sample> =>
    games.map((game) => [{ game: game.gameId }, value(game)])
  const lines = [
    ...gauge("cardlake_last_run_timestamp_seconds", "Unix time at which the last night ended.", [
      [{}, endedMillis / 1000]
    ]),
    ...gauge("cardlake_last_run_seconds", "How long the last night took.", [[{}, report.seconds]]),
    ...gauge("cardlake_last_run_exit_code", "0 published, 1 failed, 3 held back or missing, 4 some games failed.", [
      [{}, exitCode]
    ]),
    ...gauge("cardlake_last_run_verdict", "1 for the verdict of the last night.", verdicts({}, report.verdict)),
    ...gauge(
      "cardlake_game_verdict",
      "1 for the verdict of the game in the last night.",
      games.flatMap((game) => verdicts({ game: game.gameId }, game.verdict))
    ),
    ...gauge(
      "cardlake_game_products",
      "Products read.",
      each((game) => game.products)
    ),
    ...gauge(
      "cardlake_game_expansions",
      "Expansions read.",
      each((game) => game.expansions)
    ),
    ...gauge(
      "cardlake_game_prices",
      "Rows of source and marketplace prices.",
      each((game) => game.prices)
    ),
    ...gauge(
      "cardlake_game_refused",
      "Records that the contract refused.",
      each((game) => game.refused)
    ),
    ...gauge("cardlake_game_changes", "Changes against the snapshot published before.", games.flatMap(changesOf)),
    ...gauge(
      "cardlake_game_seconds",
      "How long the game took.",
      each((game) => game.seconds)
    )
  ]
  return `${lines.join("\n")}\n`
}
