import { hash } from "node:crypto"
import packageJson from "../../../package.json" with { type: "json" }
import { ownText } from "../../feed/disk/ownText.ts"
import { Effect, Result, Schema, DateTime, Option } from "effect"
import { chooseDialect } from "../../feed/contract/dialect/DialectFile.ts"
import { Marketplace } from "../../feed/client/Marketplace.ts"
import { offsetLists } from "../../feed/client/offsetLists.ts"
import { type Page, unpack } from "../../feed/client/RawBody.ts"
import type { Extraction, RawPage } from "../../feed/reading/Extraction.ts"
import { readExtraction } from "../../feed/reading/readExtraction.ts"
import { Home } from "../../store/home/Home.ts"
import { contractVersion, catalogueTables } from "../../feed/schema/snapshotTables.ts"
import { gzipped } from "../../feed/reading/RawFiles.ts"
import { hasDeviations, type KnownPages } from "../../feed/reading/knownPages.ts"
import { readRawPage } from "../../store/lake/load/shredExtraction.ts"
import type { Manifest, SnapshotFolder } from "../../store/home/Manifest.ts"
import type { DeploymentId } from "../../feed/contract/Ids.ts"
import { runsWithReport } from "../../store/home/newRunId.ts"
import { readReport } from "../observe/RunReport.ts"
import { isAhead } from "../../store/diff/rules/clock.ts"
import type { PublishedFeeds } from "../../feed/reading/feeds/usedFeeds.ts"
import { openSnapshots } from "../../store/diff/openSnapshots.ts"

/**
 * Returns the reading of a snapshot. Null if its pages are missing or would give other rows now, because the program or
 * dialect changed. Pages show a known dialect, but never a dialect file.
 */
export const loadReading = Effect.fnUntraced(function* (manifest: Manifest) {
  if (manifest.cardlakeVersion !== packageJson.version || manifest.contractVersion !== contractVersion) return null
  const { dialect: required } = yield* Marketplace
  const published = chooseDialect(manifest)
  const hasRequiredDialect = required === null ? published.file === undefined : required.name === published.name
  if (!hasRequiredDialect || (required?.file ?? published.file)?.sha256 !== published.file?.sha256) return null
  const folder = (yield* Home).raw(manifest.gameId, manifest.runId)
  return yield* Effect.orElseSucceed(readExtraction(folder), () => null)
})

/** Returns the pages that a new reading is compared with; null if the list's record of the game has changed. */
export const knownPages = Effect.fnUntraced(function* (before: Extraction, games: Page<null>) {
  const { deploymentId, pages } = before
  const listed = gamesPage(before)
  if (listed === undefined || !(yield* isListedAs(before, games))) return null
  const known: KnownPages = {
    games: listed,
    deploymentId,
    dialect: chooseDialect(before),
    pages: new Map(pages.filter(isOfGame).map((page) => [page.request, page]))
  }
  return known
})

/** True if a loaded reading has byte-identical pages: its tables would be equal, so none is loaded. */
export const isSameReading = Effect.fn("isSameReading")(function* (before: Extraction, extraction: Extraction) {
  if (before.deploymentId !== extraction.deploymentId || !samePages(before, extraction)) return false
  const page = gamesPage(before)
  if (page !== undefined && page.sha256 === gamesPage(extraction)?.sha256) return true
  const listed = yield* gameAsListed(before)
  return listed !== null && listed === (yield* gameAsListed(extraction))
})

const gamesPage = ({ pages }: Extraction) => pages.find(({ kind }) => kind === "games")

const isOfGame = ({ kind }: RawPage) => kind in offsetLists

const samePages = (a: Extraction, b: Extraction): boolean => {
  const listPages = ({ pages }: Extraction) =>
    pages
      .filter(isOfGame)
      .map(({ request, sha256 }) => `${request} ${sha256}`)
      .toSorted()
      .join("\n")
  return listPages(a) === listPages(b)
}

/** True if the list's record of a game is unchanged since a reading. */
export const isListedAs = Effect.fnUntraced(function* (before: Extraction, games: Page<null>) {
  const page = gamesPage(before)
  if (page === undefined) return false
  if (hash("sha256", games.gzip ? games.bytes : yield* gzipped(games.bytes)) === page.sha256) return true
  const stored = yield* Effect.result(readRawPage((yield* Home).raw(before.gameId, before.runId), page))
  if (Result.isFailure(stored)) return false
  const text = Result.getOrNull(unpack(stored.success, "gzip", true))?.text
  if (text === games.text) return true
  const listed = yield* gameAsListed(before)
  const now = yield* Effect.orElseSucceed(decodeList(games.text), () => null)
  const record = now?.data.find(({ id }) => id === before.gameId)
  return listed !== null && record !== undefined && listed === JSON.stringify(record)
})

/** Returns the list's record of this game, or the page's checksum if the contract rejected any record. */
const gameAsListed = Effect.fnUntraced(
  function* (extraction: Extraction) {
    const { gameId, runId } = extraction
    const page = gamesPage(extraction)
    if (page === undefined) return null
    if (hasDeviations(page)) return page.sha256
    const bytes = yield* readRawPage((yield* Home).raw(gameId, runId), page)
    const { text } = (yield* Effect.fromResult(unpack(bytes, "gzip", true))) ?? { text: "" }
    const { data } = yield* decodeList(text)
    return JSON.stringify(data.find(({ id }) => id === gameId))
  },
  Effect.orElseSucceed(() => null)
)

const decodeList = Schema.decodeEffect(
  Schema.fromJsonString(
    Schema.Struct({
      data: Schema.Array(
        Schema.StructWithRest(Schema.Struct({ id: Schema.String }), [Schema.Record(Schema.String, Schema.Unknown)])
      )
    })
  )
)

/** Returns the published state of a game for a comparison by feed files. `before`: its reading. */
export const publishedFeeds = Effect.fnUntraced(function* (
  previous: SnapshotFolder | null,
  before: Extraction | null,
  games: Page<null>
) {
  if (previous === null) return null
  const { manifest } = previous
  const now = { extractedAt: DateTime.formatIso(yield* DateTime.now) }
  const isCurrent = before !== null && !isAhead(manifest, now) && (yield* isListedAs(before, games))
  return { deploymentId: manifest.deploymentId, feeds: manifest.feeds ?? null, isCurrent } satisfies PublishedFeeds
})

/** Max reports that are searched for a game. Older ones mean that it was not read for a month. */
const maxReports = 30

/** True if the last night with the game waited in vain for its feed files; the next does not wait. */
export const hasWaitedUselessly = Effect.fnUntraced(
  function* (gameId: string, head: DeploymentId) {
    const runs = (yield* runsWithReport).toReversed().slice(0, maxReports)
    for (const run of runs) {
      const report = Option.getOrNull(yield* Effect.option(readReport(run)))
      const game = report?.games.find((one) => one.gameId === gameId && one.products !== null)
      if (report?.kind === "nightly" && game !== undefined) return game.unshown === head
    }
    return false
  },
  Effect.orElseSucceed(() => false)
)

const sameNotes = ownText(new URL("./sameNotes.sql", import.meta.url))

/** Tables that repeat texts of the pages and messages of the program. */
const notes: ReadonlySet<string> = new Set(["refusals", "drift"])

/**
 * True if two readings found the same state. One program writes equal bytes. With another dialect or program, the same
 * records must be rejected and as many have unknown keys.
 */
export const sameContent = Effect.fn("sameContent")(function* (earlier: SnapshotFolder, later: SnapshotFolder) {
  const [before, after] = [earlier.manifest, later.manifest]
  if (before.deploymentId !== after.deploymentId || before.contractVersion !== after.contractVersion) return false
  if ((before.via ?? "pages") !== (after.via ?? "pages")) return false
  const apart = [...catalogueTables].filter((table) => before.tables[table]?.sha256 !== after.tables[table]?.sha256)
  if (apart.length === 0) return true
  const isAlike = before.dialect === after.dialect && before.cardlakeVersion === after.cardlakeVersion
  if (isAlike || apart.some((table) => !notes.has(table))) return false
  const session = yield* openSnapshots(earlier, later)
  const [row] = yield* session.rows("Compare what was noted", sameNotes)
  return Number(row?.["apart"]) === 0
}, Effect.scoped)
