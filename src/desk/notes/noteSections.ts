import type { DocumentColumn } from "../pages/document.ts"

/** A column of a section; `name` is its name in the lines. */
export interface NoteColumn extends DocumentColumn {
  readonly name: string
}

/** A section of the release notes. Its lines are the view `note_<section>` of releaseNotes.sql or priceMoves.sql. */
export interface NoteSection {
  readonly title: string
  /** One sentence for first-time readers. */
  readonly says: string
  readonly columns: ReadonlyArray<NoteColumn>
  /** The noun for a line that is not one item, because a product may have several lines. */
  readonly line?: string
  /** The SQL order of its lines; the first ones are shown. */
  readonly order: string
  /** True if its view has no names. It may have millions of lines, so names are looked up only for those shown. */
  readonly unnamed?: boolean
}

type Shape = NoteColumn["shape"]
const column = (name: string, label = name, shape: Shape = "text"): NoteColumn => ({ name, label, shape })
const was = (name: string, label: string, shape: Shape = "text"): NoteColumn => ({ name, label, shape, side: "old" })
const is = (name: string, label: string, shape: Shape = "text"): NoteColumn => ({ name, label, shape, side: "new" })
const twoProducts = (before: string, now: string, idBefore: string, idNow: string) => [
  was("name", before),
  is("new_name", now),
  was("id", idBefore, "id"),
  is("new_id", idNow, "id"),
  column("known_by", "matched by")
]
const name = column("name", "name", "name")
const id = column("id", "id", "id")
const entity = column("entity")
const item = [
  name,
  id,
  column("kind"),
  column("expansion"),
  column("print_number", "print number"),
  column("variant"),
  column("market_value", "market value", "figure"),
  column("currency")
] as const

/** The sections in reading order. */
export const noteSections = {
  added: { title: "Added", says: "New in the catalogue.", columns: item, order: "entity, expansion, name, id" },
  removed: {
    title: "Removed",
    says: "No longer in the catalogue.",
    columns: item,
    order: "entity, expansion, name, id"
  },
  replaced: {
    title: "Replaced",
    says: "The same card with a new id; not counted as added or removed.",
    columns: twoProducts("name before", "name now", "id before", "id now"),
    order: "name, id"
  },
  merged: {
    title: "Merged",
    says: "Removed; its external id now belongs to an existing product.",
    columns: twoProducts("removed", "merged into", "id removed", "id kept"),
    order: "new_name, name, id"
  },
  reused: {
    title: "Reused ids",
    says: "The id now belongs to a different item.",
    columns: [id, was("old", "was"), is("new", "is now")],
    order: "id"
  },
  renamed: {
    title: "Renamed",
    says: "New name or slug, same id.",
    columns: [
      entity,
      id,
      was("name", "name"),
      is("new_name", "new name"),
      was("slug", "slug", "code"),
      is("new_slug", "new slug", "code")
    ],
    order: "entity, name, id"
  },
  moved: {
    title: "Moved",
    says: "New expansion, print number or variant, same id.",
    columns: [name, id, was("old", "was at"), is("new", "is at")],
    order: "new, name, id"
  },
  remapped: {
    title: "Re-mapped",
    says: "Changed external ids.",
    columns: [name, id, column("system"), was("old", "old ids", "code"), is("new", "new ids", "code")],
    line: "system",
    order: "system, name, id"
  },
  edited: {
    title: "Edited",
    says: "Changes of other fields: number of items and most frequent change.",
    columns: [
      entity,
      column("field", "field", "code"),
      column("items", "items", "figure"),
      was("old", "most often: from"),
      is("new", "to"),
      column("times", "times", "figure")
    ],
    line: "field",
    order: "entity, items desc, field"
  },
  currencies: {
    title: "Changed currencies",
    says: "Prices whose currency changed; not counted as price moves.",
    columns: [column("source"), was("old", "was in"), is("new", "is in"), column("prices", "prices", "figure")],
    order: "prices desc, source, old, new"
  },
  moves: {
    title: "Price moves",
    says: "Market values that moved by the limit or more, in their own currency, largest change in money first.",
    columns: [
      name,
      column("set"),
      column("number"),
      id,
      column("finish"),
      column("source"),
      was("old", "old", "figure"),
      is("new", "new", "figure"),
      column("currency"),
      column("change", "change", "signed"),
      column("moved", "moved", "signed"),
      column("trust")
    ],
    line: "price",
    order: "size desc, id, finish, source",
    unnamed: true
  },
  vanished: {
    title: "Removed prices",
    says: "Prices that no longer exist, most expensive first. A market value of 0 is not a price.",
    columns: [
      name,
      column("set"),
      column("number"),
      id,
      column("finish"),
      column("source"),
      column("figure"),
      was("old", "last price", "figure"),
      column("currency")
    ],
    line: "figure",
    order: "price desc, id, finish, source",
    unnamed: true
  },
  unexplained: {
    title: "Not explained by the changelog",
    says: "Changes that only the changelog claims, and changes that it does not claim.",
    columns: [
      entity,
      id,
      column("slug", "slug", "code"),
      column("claimed"),
      column("seen"),
      column("status", "status", "code")
    ],
    order: "entity, id, slug"
  },
  contradictions: {
    title: "Contradictions",
    says: "The feed contradicts itself.",
    columns: [entity, id, name, was("says", "the feed says"), is("but", "but also")],
    order: "entity, name, id, says"
  }
} as const satisfies Readonly<Record<string, NoteSection>>

export type NoteSectionName = keyof typeof noteSections

/** Returns the columns of a section that have values in the shown lines. */
export const filledColumns = (
  section: NoteSectionName,
  lines: ReadonlyArray<Readonly<Record<string, string | null>>>
): ReadonlyArray<NoteColumn> =>
  noteSections[section].columns.filter(({ name }) => lines.some((line) => (line[name] ?? "") !== ""))
