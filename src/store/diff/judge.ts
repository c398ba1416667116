import { Effect, Record, Config, ConfigProvider, Context, Layer, Option, Schema } from "effect"
import { chooseDialect, type Worded } from "../../feed/contract/dialect/DialectFile.ts"
import { columnPath } from "../../feed/rows/batch/TableBatch.ts"
import { tableNamed } from "../../feed/schema/snapshotTables.ts"
import type { HeldBack } from "../home/HeldBack.ts"
import type { SnapshotFolder } from "../home/Manifest.ts"
import { type Session, withMoreMemory } from "../lake/duckdb/Lake.ts"
import type { Diff } from "../home/Diff.ts"
import { chooseLook, type Look } from "./heldAdvice.ts"
import { openSnapshots } from "./openSnapshots.ts"
import { type HoldRule, type JudgedNight, slips } from "./rules/HoldRule.ts"
import { checkedByDoctor, messageText } from "../../feed/contract/ErrorParts.ts"
import { checks } from "./rules/checks.ts"
import { clock } from "./rules/clock.ts"
import { coverage } from "./rules/coverage.ts"
import { currencies } from "./rules/currencies.ts"
import { emptied } from "./rules/emptied.ts"
import { refused } from "./rules/refused.ts"
import { removed } from "./rules/removed.ts"
import { strangeFigures } from "./rules/strangeFigures.ts"
import { strangeKeys } from "./rules/strangeKeys.ts"

/** Every rule that holds a night, in the order of reported reasons. */
export const holdRules: ReadonlyArray<HoldRule> = [
  clock,
  checks,
  refused,
  removed,
  strangeKeys,
  strangeFigures,
  coverage,
  emptied,
  currencies
]

/** Maximum shares by rule, above which a snapshot is held: 0.05 is 5 %. Design: decisions 4 and 8. */
export type Bounds = Readonly<Record<string, number>>

export const boundSetting = (bound: string): string => `CARDLAKE_HOLD_${bound.toUpperCase()}`

/** The value of a bound's setting is not a share. */
export class BoundUnreadable extends Schema.TaggedError<BoundUnreadable>()("BoundUnreadable", {
  name: Schema.String,
  value: Schema.String
}) {
  get parts() {
    const advice = "Set it to a number from 0 to 1, such as 0.05 for 5 %"
    return checkedByDoctor(`${this.name} is "${this.value}", which is not a share`, advice, ", then check with")
  }

  override get message() {
    return messageText(this.parts)
  }
}

const isShare = Schema.isBetween({ minimum: 0, maximum: 1 })
const share = Schema.decodeUnknownOption(Schema.FiniteFromString.check(isShare))

/** Returns the suffix of a game's settings: `one-piece` gives `__ONE_PIECE`. */
export const settingSuffix = (gameId: string): string => `__${gameId.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`

/** Returns the bound in a setting; null if it is not set. */
export const readBound = Effect.fnUntraced(function* (name: string) {
  const value = Option.getOrNull(yield* Config.option(Config.String(name)))
  return value === null ? null : (Option.getOrNull(share(value)) ?? (yield* new BoundUnreadable({ name, value })))
})

/** Bounds from a setting per rule, e.g. `CARDLAKE_HOLD_REFUSED`; `__` and a game's id in capitals limits it. */
export class HoldBounds extends Context.Service<
  HoldBounds,
  {
    readonly read: (
      rule: string,
      preset: number,
      gameId: string
    ) => Effect.Effect<number, BoundUnreadable | Config.ConfigError>
  }
>()("cardlake/diff/HoldBounds") {
  static readonly layer = Layer.effect(
    HoldBounds,
    Effect.map(ConfigProvider.ConfigProvider, (provider) => {
      const readFirst = Effect.fnUntraced(function* (rule: string, preset: number, gameId: string) {
        const name = boundSetting(rule)
        return (yield* readBound(`${name}${settingSuffix(gameId)}`)) ?? (yield* readBound(name)) ?? preset
      })
      const given = Effect.provideService(ConfigProvider.ConfigProvider, provider)
      return HoldBounds.of({ read: (...bound) => given(readFirst(...bound)) })
    })
  )
}

export const defaultBounds: Bounds = Object.fromEntries(
  holdRules.flatMap(({ bound, name }) => (bound === null ? [] : [[name, bound]]))
)

const names = Object.keys(defaultBounds).map(boundSetting)

/** Returns the suffix of a bound's setting; empty for all games, null if it is no such setting. */
export const suffixIn = (setting: string): string | null => {
  const name = names.find((one) => setting === one || setting.startsWith(`${one}__`))
  return name === undefined ? null : setting.slice(name.length)
}

export const boundsOf = (gameId: string) =>
  Effect.flatMap(HoldBounds, ({ read }) =>
    Effect.all(Record.map(defaultBounds, (preset, rule) => read(rule, preset, gameId)))
  )

const knownKeys = (manifest: Worded): ReadonlyArray<string> => {
  const { blocks, ids } = chooseDialect(manifest)
  return [...Object.values(blocks), ...Object.values(ids)]
}

/** True if a rule reads the table. Opening a table takes as long as most queries of rules. */
export const isRead = (table: string): boolean =>
  holdRules.some(({ sql }) => sql !== null && new RegExp(`\\b(before|after)\\.${table}\\b`).test(sql))

/** Why a night is held, as a sentence, and the rule that held it. */
export interface Reason {
  readonly rule: HoldRule
  readonly look: Look
  readonly says: string
}

export const heldBack = (reasons: ReadonlyArray<Reason>): HeldBack => {
  const look = chooseLook(reasons.map((reason) => reason.look))
  return {
    reasons: sayings(reasons),
    look,
    ...(look === "unknown keys" || look === "emptied" ? { mappingHelps: true } : {})
  }
}

export const sayings = (reasons: ReadonlyArray<Reason>): ReadonlyArray<string> => reasons.map(({ says }) => says)

const figures = tableNamed("source_prices").columns.filter(({ type }) => type === "decimal(18, 4)")

/** SQL variables with the price columns of sources and their keys in the feed, so that no rule lists them itself. */
export const figureVariables = { price_figures: figures.map(({ name }) => name), figure_keys: figures.map(columnPath) }

/** Evaluates every rule on a night whose tables are in schemas `before` and `after` of a session. */
export const askRules = Effect.fnUntraced(function* (session: Session, night: JudgedNight, bounds: Bounds) {
  const { manifest, previous } = night
  yield* session.set({
    is_first: previous === null ? 1 : 0,
    known_before: knownKeys(previous ?? manifest),
    known_after: knownKeys(manifest),
    slips: night.slips,
    ...figureVariables
  })
  const reasons: Array<Reason> = []
  for (const rule of holdRules) {
    const { judges, name, needs, sentences, sql } = rule
    if (previous === null && judges === "later nights") continue
    const find = (query: string) => session.rows(`Judge the night by: ${name}`, query)
    const isVain = needs !== undefined && (yield* find(`from (${needs}) limit 1`)).length === 0
    const rows = sql === null || isVain ? [] : yield* find(sql)
    const look = typeof rule.look === "function" ? rule.look(rows) : rule.look
    reasons.push(...sentences(night, rows, bounds[name] ?? 0).map((says) => ({ rule, look, says })))
  }
  return reasons
})

/** Compares a new snapshot with the published one and the game's bounds. Returns the reasons to hold it. */
export const judge = Effect.fn("judge")(
  function* (previous: SnapshotFolder | null, staged: SnapshotFolder, diff: Diff | null) {
    const { manifest } = staged
    const bounds = yield* boundsOf(manifest.gameId)
    const session = yield* openSnapshots(previous ?? staged, staged, isRead)
    return yield* askRules(session, { manifest, previous: previous?.manifest ?? null, diff, slips }, bounds)
  },
  Effect.scoped,
  withMoreMemory
)
