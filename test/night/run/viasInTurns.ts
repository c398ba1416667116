import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Via } from "../../../src/feed/contract/Via.ts"
import { runCompact } from "../../../src/night/run/runCompact.ts"
import { runPrune } from "../../../src/night/run/runPrune.ts"
import { runRelease } from "../../../src/night/run/publishAs.ts"
import { runRollback } from "../../../src/night/run/runRollback.ts"
import { gameId } from "../../store/lake/invented.ts"
import { showing } from "../../../src/night/run/showing.ts"
import { homeBy, servedDays } from "./bothVias.ts"
import { type Compared, deployed, type Night, reckoned, rowsOf, type Wire } from "./reckonedHistory.ts"

/** What may happen to a home; a night is by a way of reading, with a dialect file or without, and in bounds that hold it or not. */
export type Happening =
  | { readonly night: Via; readonly isMapped?: boolean; readonly isHeld?: boolean; readonly deploys?: boolean }
  | "rollback"
  | "return"
  | "release"
  | "prune"
  | "compact"

/** Nights and what happens between them, chosen by the numbers; the first night is published. */
export const happeningsOf = (next: () => number, count: number): ReadonlyArray<Happening> =>
  Array.from({ length: count }, (_, index): Happening => {
    const chosen = next()
    const between = (["rollback", "return", "release", "prune", "compact"] as const)[Math.floor(next() * 5)]
    if (index > 1 && chosen < 0.4 && between !== undefined) return between
    return {
      night: next() < 0.5 ? "pages" : "feeds",
      isMapped: next() < 0.3,
      deploys: next() < 0.7,
      isHeld: index > 0 && next() < 0.3
    }
  })

const mapping = { name: "mine", like: "spec", moved: { products: { rarity: "attributes.rareness" } } }

const history = `select h.product_id::int as id, n.snapshot, u.snapshot as until, change, changed, name, rarity,
    release_date::date::varchar as release_date, expansion_symbol_url, expansion_name
  from product_history h join nights n on n.seen_at = h.valid_from left join nights u on u.seen_at = h.valid_to order by n.place, id`
const changes = `select to_snapshot as snapshot, id::int as id, change, list(field order by field) filter (field is not null) as changed
  from changes where entity = 'product' and class = 'catalogue' group by all order by all`
const unexplained =
  "select to_snapshot as snapshot, entity, item_id::int as id, claimed, seen from reconciliations where status <> 'confirmed' and explanation is null"

/**
 * Puts a home through nights by both ways of reading and what happens between them; after all, and in `npm run test:full` after
 * each, its history is the one reckoned from the wire.
 */
export const liveInTurns = Effect.fnUntraced(function* (
  wires: ReadonlyArray<Wire>,
  happenings: ReadonlyArray<Happening>,
  next: () => number
) {
  const { deploy, sandbox } = yield* servedDays(wires.map(deployed))
  const { home, inHome, rows: query } = yield* homeBy(sandbox, "pages")
  const dialect = join(home, "..", `${home.split("/").at(-1)}.json`)
  writeFileSync(dialect, JSON.stringify(mapping))
  const folder = join(home, "snapshots", `game=${gameId}`)
  const onDisk = () =>
    (existsSync(folder) ? readdirSync(folder) : []).map((name) => name.replace("snapshot=", "")).toSorted()
  const compared = new Map<string, Compared>()
  const known = new Map<string, Night>()
  const rows = (night: Night) => rowsOf(wires[night.place] ?? { expansion: "", products: {} }, night)
  let [place, now] = [0, Date.parse("2026-05-03T03:00:00Z")]
  let chain: ReadonlyArray<Night> = []
  let held: ReadonlyArray<Night> = []
  const done: Record<string, number> = {}

  /** What a night is compared with if it follows these. */
  const comparedAfter = (night: Night, before: ReadonlyArray<Night>, stored: ReadonlyArray<string>) => {
    const from = before.at(-1)
    if (from === undefined) return null
    const was = compared.get(night.id)
    const isKnown = ({ id }: Night) => stored.includes(id) || (was?.from === from.id && was.base === id)
    const base = before.findLast((one) => one.via === night.via && isKnown(one))?.id ?? null
    return { from: from.id, base: from.via === night.via ? null : base }
  }
  /** The night that counts from now on, compared with what it follows then. */
  const compare = (night: Night, before: ReadonlyArray<Night>, stored: ReadonlyArray<string>) => {
    const now = comparedAfter(night, before, stored)
    if (now !== null) compared.set(night.id, now)
  }
  const goTo = (id: string, stored: ReadonlyArray<string>) => {
    const night = known.get(id)
    if (night === undefined) return assert.fail(`No night ${id}`)
    const before = chain.filter((one) => one.id < id)
    compare(night, before, stored)
    chain = [...before, night]
    held = held.filter((one) => one.id !== id)
  }
  const oneOf = <A>(all: ReadonlyArray<A>) => all[Math.floor(next() * all.length)]

  const night = Effect.fnUntraced(function* (of: Extract<Happening, object>) {
    const { deploys = true, isHeld = false, isMapped = false, night: via } = of
    if (deploys && chain.length > 0 && place + 1 < wires.length) {
      yield* deploy
      place++
    }
    const by = yield* homeBy(sandbox, via, {
      CARDLAKE_HOME: home,
      CARDLAKE_HOLD_REFUSED: isHeld ? "0.01" : "1",
      ...(isMapped ? { CARDLAKE_DIALECT: dialect } : {})
    })
    const stored = onDisk()
    const [game] = (yield* by.night().pipe(showing(now))).games
    const is = (one: Night) => one.via === via && one.isMapped === isMapped && one.place === place
    const live = chain.at(-1)
    const waiting = held.at(-1)
    const isSame = live !== undefined && is(live)
    const isAsBefore = (one: Night) =>
      JSON.stringify(compared.get(one.id)) === JSON.stringify(comparedAfter(one, chain, stored))
    const isWaiting = waiting !== undefined && is(waiting) && isAsBefore(waiting)
    const verdict = isSame ? "unchanged" : isHeld ? "held" : "published"
    assert.deepStrictEqual([game?.verdict, game?.via], [verdict, via], game?.reason ?? "")
    if (isSame || (isWaiting && isHeld)) return
    // What was held is judged by tonight's bounds.
    if (isWaiting) return goTo(waiting.id, stored)
    const id = onDisk().find((one) => !stored.includes(one)) ?? ""
    const made: Night = { id, via, isMapped, place }
    known.set(id, made)
    if (verdict === "published") return goTo(id, stored)
    compare(made, chain, stored)
    held = [...held, made]
  }, Effect.scoped)

  const check = Effect.gen(function* () {
    const nights = yield* query("select snapshot from nights order by place")
    assert.deepStrictEqual(
      nights.map((row) => row["snapshot"]),
      chain.map(({ id }) => id)
    )
    const expected = reckoned(chain, compared, rows)
    const versions = expected.flatMap((step, index) =>
      step.changes.flatMap(({ change, changed, id }) => {
        if (change === "removed") return []
        const { attributes: _, extra: __, translations: ___, ...row } = rows(step.night).get(id) ?? {}
        const later = expected.slice(index + 1).find((one) => one.changes.some((other) => other.id === id))
        return [{ id, snapshot: step.night.id, until: later?.night.id ?? null, change, changed, ...row }]
      })
    )
    assert.deepStrictEqual(yield* query(history), versions)
    const stored = onDisk()
    const present = expected.slice(1).filter(({ night }) => stored.includes(night.id))
    assert.deepStrictEqual(
      yield* query(changes),
      present.flatMap(({ changes, night }) =>
        changes
          .toSorted((a, b) => a.id - b.id)
          .map(({ change, changed, id }) => ({ snapshot: night.id, id, change, changed }))
      )
    )
    // Where the words are the same, the changelog explains all.
    const worded = (id: string | null | undefined) => known.get(id ?? "")?.isMapped
    const alike = present.filter(({ night }) =>
      [compared.get(night.id)?.from, compared.get(night.id)?.base ?? night.id].every(
        (id) => worded(id) === night.isMapped
      )
    )
    // By feed files, an expansion that is renamed in its list alone renames that of its products, which no changelog claims.
    const renamed = new Set(
      present.flatMap(({ changes, night }) =>
        changes.flatMap(({ changed, id }) => (changed?.join() === "expansion_name" ? [`${night.id} ${id}`] : []))
      )
    )
    const left = (yield* query(unexplained)).filter((row) => !renamed.has(`${row["snapshot"]} ${row["id"]}`))
    assert.deepStrictEqual(
      left.filter((row) => alike.some(({ night }) => night.id === row["snapshot"])),
      []
    )
  })

  for (const happening of happenings) {
    const stored = onDisk()
    const [live, before] = chain.toReversed()
    const others = [...known.keys()].filter(
      (id) => id !== live?.id && stored.includes(id) && !held.some((one) => one.id === id)
    )
    const waiting = held.filter(({ id }) => {
      const follows = chain.findLast((one) => one.id < id)
      return stored.includes(id) && (follows === undefined || stored.includes(follows.id))
    })
    const title =
      typeof happening === "object" ? `${happening.night}${happening.isHeld === true ? " held" : ""}` : happening
    if (typeof happening === "object") yield* night(happening)
    if (happening === "compact") yield* inHome(runCompact([]).pipe(showing(now)))
    if (happening === "prune") {
      yield* inHome(runPrune({ days: null, last: 1, monthly: false }, false).pipe(showing(now)))
      const left = onDisk()
      held = held.filter(({ id }) => left.includes(id))
      const needed = (["pages", "feeds"] as const).map((via) => chain.findLast((one) => one.via === via)?.id)
      for (const id of [...needed, before?.id]) if (id !== undefined && stored.includes(id)) assert.include(left, id)
    }
    if (happening === "rollback" || happening === "return") {
      const to =
        happening === "rollback"
          ? before?.id
          : oneOf(
              others.filter((id) => {
                const follows = chain.findLast((one) => one.id < id)
                return follows === undefined || stored.includes(follows.id) || compared.get(id)?.from === follows.id
              })
            )
      if (to === undefined || !stored.includes(to)) continue
      const wanted = happening === "rollback" ? null : to
      yield* inHome(runRollback({ gameId, wanted, why: null }).pipe(showing(now)))
      goTo(to, stored)
    }
    if (happening === "release") {
      const one = oneOf(waiting)
      if (one === undefined) continue
      yield* inHome(runRelease({ gameId, wanted: one.id, why: null, takesBack: true }).pipe(showing(now)))
      goTo(one.id, stored)
    }
    done[title] = (done[title] ?? 0) + 1
    now += typeof happening === "object" ? 16 * 24 * 3600 * 1000 : 60_000
    yield* check
  }
  yield* check
  return done
}, Effect.scoped)
