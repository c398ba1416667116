import { formatAmount, grouped } from "../../src/store/diff/formatAmount.ts"
import type { Via } from "../../src/feed/contract/Via.ts"
import { shownLines, shownText } from "../../src/feed/contract/shownText.ts"
import { durationText } from "../../src/night/observe/figureTexts.ts"
import type { NightReport } from "../../src/night/observe/NightOutcome.ts"
import { hitText } from "../print/watchText.ts"
import { shortenHeld } from "../../src/store/diff/heldAdvice.ts"
import { screenWidth } from "../../src/night/observe/shortTexts.ts"
import { textTable } from "../../src/night/observe/textTable.ts"
import { Verdict, type GameReport, type RunReport } from "../../src/night/observe/RunReport.ts"

const heads = "game,verdict,deployment,products,prices,refused,added,modified,removed,repriced,changelog,seconds".split(
  ","
)

const gamesTable = ({ games }: RunReport, word: (verdict: Verdict) => string): string =>
  textTable(
    heads,
    games.map((game) => [
      game.gameId,
      word(game.verdict),
      game.deploymentId ?? "",
      grouped(game.products),
      grouped(game.prices),
      grouped(game.refused),
      grouped(game.changes?.products.added ?? null),
      grouped(game.changes?.products.modifiedCatalogue ?? null),
      grouped(game.changes?.products.removed ?? null),
      grouped(game.changes?.products.modifiedPrice ?? null),
      reconciled(game),
      game.seconds.toFixed(1)
    ]),
    { leaveOut: ["deployment", "prices", "seconds", "changelog", "refused"] }
  )

/** Formats rejected records, unknown keys and doubtful ids. */
const doubtsText = (report: RunReport): ReadonlyArray<string> => {
  const reasons = report.games.flatMap(({ gameId, reason, verdict }) =>
    // Only the reason of a hold has lines of ours; line ends in other reasons come from elsewhere.
    reason === null || verdict === "held" ? [] : [`${shownText(gameId)} ${verdict}: ${shownText(reason)}`]
  )
  const held = report.games.flatMap(({ gameId, reason, reasons = [], verdict }) =>
    reason === null || verdict !== "held" ? [] : [{ gameId, reasons, text: `${shownText(gameId)} held: ${reason}` }]
  )
  // The lake has no rows of a held night, whose reason names its refused records.
  const inLake = report.games.filter(({ verdict }) => verdict !== "held")
  const seenIn = (table: string) => (inLake.length === 0 ? "" : `. See them with: cardlake query "from ${table}"`)
  const refused = inLake.some((game) => (game.refused ?? 0) > 0)
    ? ['Refused records with their reasons: cardlake query "select list, record_id, path, reason from refusals"']
    : []
  const drifted = report.games.flatMap(({ drift, gameId }) =>
    drift === null || drift.keys === 0 ? [] : [`${gameId} ${grouped(drift.keys)} in ${grouped(drift.records)} records`]
  )
  const unknown = drifted.length === 0 ? [] : [`Unknown keys: ${drifted.join("; ")}${seenIn("drift")}`]
  const doubtful = report.games.flatMap(({ gameId, idAudit }) => {
    const kinds = Object.entries(idAudit ?? {}).filter(([, ids]) => ids > 0)
    return kinds.length === 0 ? [] : [`${gameId} ${kinds.map(([kind, ids]) => `${grouped(ids)} ${kind}`).join(", ")}`]
  })
  const audited =
    doubtful.length === 0 ? [] : [`External ids that look wrong: ${doubtful.join("; ")}${seenIn("id_audit")}`]
  return [...reasons, ...shortenHeld(held, screenWidth() !== null), ...refused, ...unknown, ...audited]
}

/** Formats the verdict of a night: one line per game, then what needs attention. `word` names a verdict. */
export const verdictText = (report: NightReport, word: (verdict: Verdict) => string = String): string => {
  const counts = Verdict.literals
    .map((verdict) => [verdict, report.games.filter((game) => game.verdict === verdict).length] as const)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${word(verdict)}`)
  const summary = `${formatAmount(report.games.length, "game")} in ${report.seconds.toFixed(1)} s: ${counts.join(", ")} (run ${report.run})`
  const sentences = [
    ...doubtsText(report),
    ...viaText(report),
    ...formatRequests(report),
    ...backfillText(report),
    ...exportText(report),
    ...watchText(report),
    summary
  ].map((sentence) => shownLines(sentence))
  return [gamesTable(report, word), "", ...sentences].join("\n")
}

const viaText = ({ games }: RunReport): ReadonlyArray<string> => {
  const by = (via: Via) => games.filter((game) => game.via === via).map(({ gameId }) => gameId)
  const [feeds, pages] = [by("feeds"), by("pages")]
  const read = [
    ...(feeds.length === 0 ? [] : [`by feed files: ${feeds.join(", ")}`]),
    ...(pages.length === 0 ? [] : [`page by page: ${pages.join(", ")}`])
  ]
  const why = games.flatMap(({ gameId, via, viaReason }) =>
    viaReason === undefined
      ? []
      : [`${gameId} was read ${via === "pages" ? "page by page" : "by feed files"}: ${viaReason}`]
  )
  const unshown = games.flatMap(({ gameId, unshown }) =>
    unshown === undefined
      ? []
      : [`The feed files of ${gameId} do not show its newest deployment, ${unshown}, yet; a later night reads it`]
  )
  return [...why, ...unshown, ...(read.length === 0 ? [] : [`Read ${read.join("; ")}`])]
}

const formatRequests = ({
  games,
  limit,
  requests,
  retried = 0,
  secondsAtLimit = 0,
  waitedSeconds = 0
}: RunReport): ReadonlyArray<string> => {
  if (requests === undefined) return []
  const again = retried === 0 ? "" : ` (${formatAmount(retried, "retry", "retries")})`
  const waited = waitedSeconds < 0.05 ? "" : `; ${waitedSeconds.toFixed(1)} s waited for rate limits`
  const takes =
    limit === undefined || secondsAtLimit === 0 ? "" : `; ${durationText(secondsAtLimit)} at ${grouped(limit)} a minute`
  const pages = games.reduce((sum, { resumedPages = 0 }) => sum + resumedPages, 0)
  const reused = pages === 0 ? "" : `; ${formatAmount(pages, "page")} of an earlier run reused`
  return [`Requests: ${grouped(requests)}${again}${reused}${takes}${waited}`]
}

/** Describes the backfilled days that the lake has since this night. */
const backfillText = ({ backfills = [] }: RunReport): ReadonlyArray<string> =>
  backfills.map(({ answers, gameId, prices, products, reason, refusedAnswers, refusedPrices }) => {
    if (reason !== null) return `The backfill of ${gameId} was not loaded: ${reason}`
    const refused = [
      ...(refusedPrices === 0 ? [] : [`${formatAmount(refusedPrices, "price")} refused`]),
      ...(refusedAnswers === 0 ? [] : [`${formatAmount(refusedAnswers, "answer")} refused as a whole`])
    ]
    const why = refused.length === 0 ? "" : `, ${refused.join(", ")}: see backfill_refusals and backfills`
    return `Backfill of ${gameId}: ${formatAmount(prices, "price")} of ${formatAmount(products, "product")} loaded from ${formatAmount(answers, "answer")}${why}`
  })

const watchText = ({ watchHits = [] }: NightReport): ReadonlyArray<string> =>
  watchHits.map((hit) => `Watched: ${hitText(hit)}`)

const exportText = ({ export: result }: RunReport): ReadonlyArray<string> => {
  if (result === undefined) return []
  if (result.partitions === null)
    return [`The night is published, but the export to ${result.to} failed. ${result.reason}`]
  const done = `Exported to ${result.to}: ${formatAmount(result.partitions, "partition")}, ${formatAmount(result.rows ?? 0, "row")}`
  return [result.reason === null ? done : `${done}, but not all: ${result.reason}`]
}

const reconciled = ({ reconciliation }: GameReport): string => {
  if (reconciliation === null) return ""
  const { byCount = 0, claimedNotSeen, confirmed, seenNotClaimed, unexplained } = reconciliation
  if (claimedNotSeen + seenNotClaimed === 0) return confirmed === 0 ? "no claims" : `${grouped(confirmed)} confirmed`
  return `${grouped(confirmed)} of ${grouped(confirmed + claimedNotSeen + seenNotClaimed)} confirmed, ${unexplained} unexplained${byCount === 0 ? "" : `, ${grouped(byCount)} by count`}`
}
