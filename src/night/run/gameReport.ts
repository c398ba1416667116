import { Effect, Option } from "effect"
import type { DialectName } from "../../feed/contract/dialect/dialects.ts"
import type { Diff, IdAudit } from "../../store/home/Diff.ts"
import { heldBack, sayings, type Reason } from "../../store/diff/judge.ts"
import type { SnapshotFolder, Manifest } from "../../store/home/Manifest.ts"
import type { RequestCounts } from "../../feed/client/limiter/RequestTally.ts"
import { adviceText, heldLines } from "../../store/diff/heldAdvice.ts"
import { readReport, type GameReport } from "../observe/RunReport.ts"

const nothing = { added: 0, removed: 0, modified: 0, modifiedCatalogue: 0, modifiedPrice: 0 }
const nothingClaimed = { confirmed: 0, claimedNotSeen: 0, seenNotClaimed: 0, unexplained: 0 }

/** Returns the report of a game with a snapshot. Without a diff it is the first one, and everything is added. */
export const gameReport = (of: {
  readonly verdict: "published" | "unchanged" | "held"
  readonly manifest: Manifest
  /** The reading's dialect if the manifest's differs, because two dialects can give equal rows. */
  readonly dialect?: DialectName
  readonly diff: Diff | null
  readonly idAudit?: IdAudit | null
  /** The snapshot that was published before the run. */
  readonly previous: SnapshotFolder | null
  readonly reasons: ReadonlyArray<Reason>
}): Omit<GameReport, "seconds"> => {
  const { diff, manifest, previous, reasons, verdict } = of
  const rows = (table: string) => manifest.tables[table]?.rows ?? 0
  const isFirst = previous === null
  return {
    gameId: manifest.gameId,
    verdict,
    ...(reasons.length === 0
      ? { reason: null }
      : { reason: adviceText(heldLines(manifest, heldBack(reasons))), reasons: sayings(reasons) }),
    deploymentId: manifest.deploymentId,
    dialect: of.dialect ?? manifest.dialect ?? "spec",
    snapshot: verdict === "held" ? (previous?.manifest.snapshot ?? null) : manifest.snapshot,
    products: rows("products"),
    expansions: rows("expansions"),
    prices: rows("source_prices") + rows("marketplace_prices"),
    externalIds: rows("external_ids"),
    refused: manifest.refused,
    drift: manifest.drift,
    changes: diff?.changes ?? {
      products: { ...nothing, added: isFirst ? rows("products") : 0 },
      expansions: { ...nothing, added: isFirst ? rows("expansions") : 0 }
    },
    reconciliation: diff === null ? nothingClaimed : diff.reconciliation,
    idAudit: of.idAudit ?? null
  }
}

/** Returns a snapshot with the counts of its ids in the report of the run that read it; null if the report has none. */
export const withIdAudit = Effect.fnUntraced(function* (snapshot: SnapshotFolder) {
  const { gameId, runId } = snapshot.manifest
  const report = Option.getOrNull(yield* Effect.option(readReport(runId)))
  const idAudit = report?.games.find((game) => game.gameId === gameId)?.idAudit ?? null
  return idAudit === null ? null : { ...snapshot, idAudit }
})

/** Returns the report of an incomplete reading, without counts. */
export const unreadReport = ({
  dialect,
  ...of
}: Pick<GameReport, "gameId" | "verdict" | "reason" | "requestId" | "snapshot" | "seconds"> & {
  /** Null or absent if no page showed a dialect and none was set. */
  readonly dialect?: DialectName | null
}): GameReport => ({
  ...of,
  deploymentId: null,
  ...(dialect == null ? {} : { dialect }),
  products: null,
  expansions: null,
  prices: null,
  externalIds: null,
  refused: null,
  drift: null,
  changes: null,
  reconciliation: null,
  idAudit: null
})

/** Returns the report of a game that failed before any data was read. */
export const failedGame = (gameId: string, reason: string, snapshot: GameReport["snapshot"] = null): GameReport =>
  unreadReport({ gameId, verdict: "failed", reason, snapshot, seconds: 0 })

export const reportRequests = ({ requests, retried, waitedMillis }: RequestCounts) => ({
  requests,
  retried,
  waitedSeconds: waitedMillis / 1000
})
