import { folderNamed } from "../../support/suite.ts"
import { NodeServices } from "@effect/platform-node"
import { type DialectName, likeDialect } from "../../../src/feed/contract/dialect/dialects.ts"
import { Effect, Layer, type Scope } from "effect"
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { lakeServices } from "../../../pipelines/settings/services.ts"
import { DeploymentId, type RunId } from "../../../src/feed/contract/Ids.ts"
import { diffSnapshots } from "../../../src/store/diff/diffSnapshots.ts"
import { acceptPage, type Refusal } from "../../../src/feed/rows/acceptPage.ts"
import type { Extraction, RawPage } from "../../../src/feed/reading/Extraction.ts"
import type { FeedKind, PageKind } from "../../../src/feed/contract/records.ts"
import { recordRules } from "../../../src/feed/rows/recordRules.ts"
import { Home } from "../../../src/store/home/Home.ts"
import { loadSnapshot } from "../../../src/store/lake/load/loadSnapshot.ts"
import type { SnapshotFolder } from "../../../src/store/home/Manifest.ts"
import { replace } from "../../../src/store/home/disk.ts"
import { gameId, gameRecord, idOf } from "./invented.ts"
import { changesIn, tableRows } from "./tableRows.ts"
import { lockHome } from "../../../src/store/home/lock/lockHome.ts"
import { publish } from "../../../src/store/lake/publish/publish.ts"
import { currentOf } from "./currentOf.ts"

/** What a feed says at one moment; the changelog newest entry first. Records are objects or raw text. */
export interface Said {
  readonly game?: object
  readonly products?: ReadonlyArray<object | string>
  readonly expansions?: ReadonlyArray<object | string>
  readonly changelog?: ReadonlyArray<{ readonly id: string; readonly deployedAt: string }>
  /** Lines of the feed files, for a reading by them. */
  readonly feeds?: Readonly<Record<FeedKind, ReadonlyArray<object>>>
  /** The words of its records, if not the spec's. */
  readonly dialect?: DialectName
  /** When the reading was complete. */
  readonly completedAt?: string
}

const textOf = (record: object | string): string => (typeof record === "string" ? record : JSON.stringify(record))

/** Writes a reading page by page, as extraction does, for feeds that no sandbox would serve. */
export const writeReading = (folder: string, runId: RunId, said: Said): Extraction => {
  const { completedAt = "2026-05-01T00:01:00.000Z" } = said
  const refusals: Array<Refusal> = []
  const unknownKeys: Array<Extraction["unknownKeys"][number]> = []
  mkdirSync(join(folder, "pages"), { recursive: true })
  const page = (kind: PageKind, records: ReadonlyArray<object | string>, isFeed = false): RawPage => {
    const text = `{"data":[${records.map(textOf).join(",")}]}`
    const { data } = JSON.parse(text) as { data: ReadonlyArray<unknown> }
    const plain = Buffer.from(isFeed ? records.map((record) => `${textOf(record)}\n`).join("") : text)
    const result = acceptPage(
      recordRules(likeDialect(said.dialect))[kind],
      kind === "games" ? null : gameId,
      { plain: Buffer.from(text), text, data },
      () => {}
    )
    const file = `pages/${kind}-000000.json.gz`
    const packed = gzipSync(plain)
    writeFileSync(join(folder, file), packed)
    refusals.push(...result.refusals.map((refusal) => ({ ...refusal, page: file })))
    for (const [path, count] of result.unknownKeys) unknownKeys.push({ kind, path, records: count })
    const checksum = createHash("sha256").update(plain).digest("hex")
    const sha256 = isFeed ? createHash("sha256").update(packed).digest("hex") : checksum
    const refused = result.refusals.length
    return {
      kind,
      request: kind,
      requestId: null,
      file,
      records: data.length,
      refused,
      ...(result.drifted > 0 ? { drifted: result.drifted } : {}),
      sizeBytes: plain.length,
      sha256,
      ...(isFeed ? { feed: { checksum, generatedAt: completedAt, lastRefreshedAt: completedAt } } : {})
    }
  }
  const feeds = Object.entries(said.feeds ?? {}) as ReadonlyArray<[FeedKind, ReadonlyArray<object>]>
  const pages = [
    page("games", [{ ...gameRecord, ...said.game }]),
    ...(feeds.length > 0
      ? feeds.map(([kind, lines]) => page(kind, lines, true))
      : [page("expansions", said.expansions ?? []), page("products", said.products ?? [])]),
    page("changelog", said.changelog ?? [])
  ]
  writeFileSync(join(folder, "refusals.ndjson"), refusals.map((refusal) => `${JSON.stringify(refusal)}\n`).join(""))
  const count = (kind: PageKind) =>
    pages.reduce((sum, page) => (page.kind === kind ? sum + page.records - page.refused : sum), 0)
  const extraction: Extraction = {
    gameId,
    runId,
    ...(said.dialect === undefined ? {} : { dialect: said.dialect }),
    ...(feeds.length > 0 ? { via: "feeds", head: null } : {}),
    deploymentId: said.changelog?.[0] === undefined ? null : DeploymentId.make(said.changelog[0].id),
    deployedAt: said.changelog?.[0]?.deployedAt ?? null,
    startedAt: "2026-05-01T00:00:00.000Z",
    completedAt,
    rounds: 1,
    products: count(feeds.length > 0 ? "catalog" : "products"),
    expansions: count(feeds.length > 0 ? "feedExpansions" : "expansions"),
    refused: refusals.length,
    unknownKeys,
    pages
  }
  writeFileSync(join(folder, "extraction.json"), JSON.stringify(extraction))
  return extraction
}

/** The services of a home in this folder. */
export const homeAt = (folder: string) =>
  lakeServices({ CARDLAKE_HOME: folder }).pipe(Layer.provideMerge(NodeServices.layer))

/** The services of an empty home that is removed with the scope. */
export const emptyHome = Layer.unwrap(Effect.map(folderNamed("cardlake [home] {a,b} "), homeAt))

/** The services of a home that these steps fill, such as nights that are published. */
export const homeAfter = <Eff extends Effect.Effect<unknown, unknown, Layer.Success<typeof emptyHome> | Scope.Scope>>(
  steps: () => Generator<Eff, unknown, never>
) => Layer.provideMerge(Layer.effectDiscard(Effect.gen(steps)), emptyHome)

/** Loads what a feed says into a snapshot of the home, as a night does before its verdict. */
export const snapshotOf = Effect.fnUntraced(function* (
  name: string,
  said: Said,
  previous: SnapshotFolder | null = null
) {
  const home = yield* Home
  const runId = idOf(name)
  const extraction = writeReading(home.raw(gameId, runId), runId, said)
  const { folder, manifest } = yield* loadSnapshot(extraction, previous?.manifest ?? null)
  yield* replace(folder, home.snapshot(gameId, runId))
  return { folder: home.snapshot(gameId, runId), manifest } satisfies SnapshotFolder
})

/** The difference of two snapshots with its rows. */
export const differenceOf = Effect.fnUntraced(function* (from: SnapshotFolder, to: SnapshotFolder) {
  const folder = (yield* Home).changes(gameId, idOf(`${from.manifest.snapshot}-${to.manifest.snapshot}`))
  const diff = yield* diffSnapshots(from, to, folder)
  const changes = yield* changesIn(folder)
  const reconciliations = yield* tableRows(folder, "reconciliations")
  return { diff, folder, changes, reconciliations }
})

/** When a night's reading is complete: one a day, from 2026-05-01. */
export const nightTime = (night: number) => `2026-05-${String(night + 1).padStart(2, "0")}T03:00:00.000Z`

/** Loads nights into an empty home, each compared with the one before; then publishes all. */
export const publishNights = Effect.fnUntraced(function* (said: ReadonlyArray<Said>) {
  const home = yield* Home
  const nights: Array<SnapshotFolder> = []
  for (const [night, words] of said.entries()) {
    const before = nights.at(-1)
    const id = idOf(`night${night}`)
    const snapshot = yield* snapshotOf(id, { completedAt: nightTime(night), ...words }, before ?? null)
    if (before !== undefined) yield* diffSnapshots(before, snapshot, home.changes(gameId, id))
    nights.push(snapshot)
  }
  const current = currentOf(
    gameId,
    nights.map(({ manifest }) => manifest.snapshot)
  )
  yield* publish(idOf("history"), current, yield* lockHome("nightly", idOf("history")))
  return nights
})
