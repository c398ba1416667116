import { Effect } from "effect"
import { type HeldSnapshot, heldSnapshots } from "../../../store/home/HeldBack.ts"
import { type AdviceLine, heldLines } from "../../../store/diff/heldAdvice.ts"
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

/** A line about a held snapshot, with commands to copy. */
export const adviceMarkup = (root: string, line: AdviceLine): Html =>
  html`${line.map((part) => (typeof part === "string" ? part : command(root, part.command, ...part.args)))}`

const refusedShown = 10

/** Returns the first records of a held reading that the contract refused, because they may be the reason. */
const countRefused = Effect.fnUntraced(function* (held: HeldSnapshot, rows: LakeView["rows"]) {
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
  const { manifest } = held
  const { root } = yield* Home
  const present = known.find(({ isPresent }) => isPresent)
  const isPast = present !== undefined && present.snapshot > manifest.snapshot
  const stays = present === undefined ? "" : ` The lake shows the night of ${present.at}.`
  const [what, look, decide] = heldLines(manifest, held)
  const advice = isPast
    ? html`<p>A later night has been published. Nothing needs attention.</p>`
    : [look, decide].map((line) => html`<p>${adviceMarkup(root, line)}.</p>`)
  return html`<section class="note held moves" aria-label="Held">
    <p><b>Held: the changes below are not published.</b>${stays}</p>
    <p>${adviceMarkup(root, what)}.</p>
    ${advice} ${yield* countRefused(held, rows)}
  </section>`
})
