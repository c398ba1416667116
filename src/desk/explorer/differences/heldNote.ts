import { Effect } from "effect"
import { type HeldSnapshot, heldSnapshots } from "../../../store/home/HeldBack.ts"
import { Home } from "../../../store/home/Home.ts"
import { snapshotRows } from "../../../store/lake/snapshot/snapshotRows.ts"
import { html, type Html } from "../../pages/html.ts"
import type { Comparable } from "../chosenSnapshots.ts"
import { command } from "../pageMarks.ts"
import { dataTable, counted } from "../dataTable.ts"
import type { LakeView } from "../LakeReader.ts"

/** Returns a held snapshot with the reasons; null if the snapshot is or was published. */
export const heldAs = (gameId: string, snapshot: string) =>
  Effect.map(heldSnapshots(gameId), (all) => all.find(({ manifest }) => manifest.snapshot === snapshot) ?? null)

/** The command that publishes a held snapshot; the reader must add the justification. */
export const releaseCommand = (root: string, gameId: string, snapshot: string): Html =>
  html`${command(root, "release", gameId, snapshot, "--why", "…")} (replace the dots with what you checked)`

/** The maximum number of refused records in the list. */
const refusedShown = 10

/** Returns the first records of a held reading that the contract refused, because they may be the reason. */
const refusedOf = Effect.fnUntraced(function* (held: HeldSnapshot, rows: LakeView["rows"]) {
  const all = held.manifest.tables["refusals"]?.rows ?? 0
  if (all === 0) return html``
  const first = `select list, record_id, path, reason from (${yield* snapshotRows([held], "refusals")})
    order by list, page, position limit ${refusedShown}`
  const columns = [
    { name: "list", label: "list", shape: "code" },
    { name: "record_id", label: "id", shape: "code" },
    { name: "path", label: "field", shape: "code" },
    { name: "reason", label: "error", shape: "long" }
  ] as const
  const caption = all > refusedShown ? `${refusedShown} of ${counted(all)} records refused` : "Records refused"
  return dataTable(caption, columns, yield* rows("List the refused records", first))
})

/** The note above the changes of a held snapshot: it says first that nothing has been published. */
export const heldNote = Effect.fnUntraced(function* (
  held: HeldSnapshot,
  known: ReadonlyArray<Comparable>,
  rows: LakeView["rows"]
) {
  const { manifest, mappingHelps = false, reasons } = held
  const { gameId, snapshot } = manifest
  const { root } = yield* Home
  const present = known.find(({ isPresent }) => isPresent)
  const isPast = present !== undefined && present.snapshot > snapshot
  const stays = present === undefined ? "" : ` The lake shows the night of ${present.at}.`
  const advice = isPast
    ? html`<p>A later night has been published. Nothing needs attention.</p>`
    : html`<dl>
        <dt>If the changes are right</dt>
        <dd>Publish the snapshot: ${releaseCommand(root, gameId, snapshot)}.</dd>
        <dt>If they are wrong</dt>
        <dd>
          Do nothing. The published snapshot does not change, and the next correct night is published automatically.
        </dd>
        ${
          mappingHelps &&
          html`<dt>If the feed only renamed fields</dt>
            <dd>
              List the names with ${command(root, "doctor", "--capture", "capture.json")}, map them in a mapping file,
              and publish the stored pages: ${command(root, "replay", gameId, "--dialect", "dialect.json")}.
            </dd>`
        }
      </dl>`
  return html`<section class="note held moves" aria-label="Held">
    <p><b>Held: the changes below are not published.</b>${stays}</p>
    ${
      reasons.length > 0 &&
      html`<p>Reasons:</p>
        <ul>
          ${reasons.map((reason) => html`<li>${reason}</li>`)}
        </ul>`
    }
    ${advice} ${yield* refusedOf(held, rows)}
  </section>`
})
