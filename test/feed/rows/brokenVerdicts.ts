import type { BrokenRecord } from "./brokenRecords.ts"
import { keptFields, pageSize, type Reading, type SentList } from "./sendRecords.ts"

/** The records of one list as they were sent; the id of each is its position, counted from 1. */
export interface Sent {
  readonly list: SentList
  readonly records: ReadonlyArray<BrokenRecord>
  readonly texts: ReadonlyArray<string>
}

export const sentAs = (list: SentList, records: ReadonlyArray<BrokenRecord>): Sent => ({
  list,
  records,
  texts: records.map((record, place) => record.text(place + 1))
})

/** What every page must come to: its file, its records, and how many of them are refused. */
export const expectedPages = ({ list, records }: Sent) =>
  Array.from({ length: Math.ceil(records.length / pageSize) }, (_, page) => {
    const onPage = records.slice(page * pageSize, (page + 1) * pageSize)
    const refused = onPage.filter(({ refusedAt }) => refusedAt.length > 0).length
    return { file: `pages/${list}-${String(page).padStart(6, "0")}.json.gz`, records: onPage.length, refused }
  })

const placeOf = (page: string, index: number) => Number(/-(\d+)\.json\.gz$/.exec(page)?.[1]) * pageSize + index

/** Whether a record was stored as it was sent; after a million characters it is cut. */
const isKept = (raw: string, sent: string): boolean =>
  raw === sent || (sent.length > 1e6 && raw.startsWith(`${sent.slice(0, 1e6)} ... cut: `))

/** Records accepted or refused by mistake, and refusals with a wrong path, id or text. */
export const wrongRefusals = ({ list, records, texts }: Sent, { refusals }: Reading): ReadonlyArray<string> => {
  const ofList = refusals.filter(({ kind }) => kind === list)
  const found = new Map(ofList.map((refusal) => [placeOf(refusal.page, refusal.index), refusal]))
  return records.flatMap(({ hasId, name, refusedAt }, place) => {
    const refusal = found.get(place)
    if (refusal === undefined) return refusedAt.length === 0 ? [] : [`${name}: accepted`]
    if (!refusedAt.includes(refusal.path)) return [`${name}: refused at "${refusal.path}", ${refusal.reason}`]
    if (hasId && refusal.id !== String(place + 1)) return [`${name}: refused with the id ${refusal.id}`]
    return isKept(refusal.raw, texts[place] ?? "") ? [] : [`${name}: not kept as it was sent`]
  })
}

/** Accepted records that are not in their table as they were sent, and rows without a record. */
export const wrongRows = ({ list, records, texts }: Sent, reading: Reading): ReadonlyArray<string> => {
  const rows = new Map(reading[list])
  const wrong = records.flatMap(({ name, refusedAt }, place) => {
    if (refusedAt.length > 0) return []
    const record = JSON.parse(texts[place] ?? "") as Readonly<Record<string, unknown>>
    const id = String(record["id"])
    const row = rows.get(id)
    rows.delete(id)
    if (row === undefined) return [`${name}: not in the table`]
    const sent = Object.values(keptFields[list]).map((field) => record[field] ?? null)
    return JSON.stringify(JSON.parse(row)) === JSON.stringify(sent) ? [] : [`${name}: kept as ${row.slice(0, 300)}`]
  })
  return [...wrong, ...[...rows.keys()].map((id) => `a row of the id ${id}, which nobody sent`)]
}
