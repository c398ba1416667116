import type { Html } from "./html.ts"

/** A sentence: plain, or with words that are code. */
export type Sentence = string | ReadonlyArray<string | { readonly code: string }>

export const sentenceParts = (sentence: Sentence) => (typeof sentence === "string" ? [sentence] : sentence)

/** How the cells of a column are shown. A `signed` figure rises or falls. */
export type CellShape = "text" | "name" | "id" | "code" | "figure" | "signed"

export interface DocumentColumn {
  readonly label: string
  readonly shape: CellShape
  /** The value before or after a change. */
  readonly side?: "old" | "new"
}

export interface DocumentTable {
  /** Empty where the title above it says enough. */
  readonly caption: string
  readonly columns: ReadonlyArray<DocumentColumn>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** A paragraph, or a drawing in HTML. Other media print the drawing's table, if it has one. */
export type DocumentBlock =
  | { readonly sentence: Sentence; readonly isStrong?: boolean }
  | { readonly drawing: Html; readonly table?: DocumentTable }

export interface DocumentSection {
  /** Its address in an HTML page, and the class that gives its colour. */
  readonly id?: string
  readonly title: string
  /** How much is in it, in words and as a number. */
  readonly amount?: string
  readonly count?: number
  readonly says: ReadonlyArray<Sentence>
  readonly tables: ReadonlyArray<DocumentTable>
  /** Number of rows that the tables leave out. */
  readonly more?: number
}

/** An account, such as of changes or of a morning, before it is printed as HTML, Markdown or terminal text. */
export interface Document {
  readonly kicker: string
  readonly title: Sentence
  readonly intro: ReadonlyArray<DocumentBlock>
  readonly sections: ReadonlyArray<DocumentSection>
  readonly foot?: Sentence
}

/** Max letters that HTML and Markdown show of a text of the feed. */
export const maxTextLength = 200

/** A table whose cells are functions of a row. */
export const documentTable = <Row>(
  caption: string,
  columns: ReadonlyArray<readonly [label: string, shape: CellShape, cell: (row: Row) => string]>,
  rows: ReadonlyArray<Row>
): DocumentTable => ({
  caption,
  columns: columns.map(([label, shape]) => ({ label, shape })),
  rows: rows.map((row) => columns.map(([, , cell]) => cell(row)))
})
