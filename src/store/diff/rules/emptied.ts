import { ownText } from "../../../feed/disk/ownText.ts"
import { sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { type HoldRule, percent, type Row, nightTitles } from "./HoldRule.ts"

/** True if both ways of reading fill the column alike. */
const isOfBothVias = ({ column_name, table_name }: Row): boolean =>
  tableNamed(String(table_name)).columns.find(({ name }) => name === column_name)?.vias === "both"

/** A column that had a value in most rows is now null in all, probably because its key was renamed or moved. */
export const emptied: HoldRule = {
  name: "emptied columns",
  bound: null,
  sql: ownText(new URL("./emptied.sql", import.meta.url)),
  judges: "later nights",
  onPage: "may be held",
  look: "emptied",
  sentences: (night, rows) => {
    const isSameVia = (night.previous?.via ?? "pages") === (night.manifest.via ?? "pages")
    const titles = nightTitles(night)
    return rows
      .filter((row) => isSameVia || isOfBothVias(row))
      .map(({ all_rows, column_name, share, source, table_name }) => {
        const of = source === null ? "" : ` of ${sourceTitle(titles, String(source))}`
        return `${table_name}.${column_name}${of} is null for all of ${all_rows}, and was filled in for ${percent(Number(share))} of them`
      })
  }
}
