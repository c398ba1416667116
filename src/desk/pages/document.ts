import type { Html } from "./html.ts"

/** A sentence: a text, or parts of which some are code. */
export type Sentence = string | ReadonlyArray<string | { readonly code: string }>

export const sentenceText = (sentence: Sentence): string =>
  sentenceParts(sentence)
    .map((part) => (typeof part === "string" ? part : part.code))
    .join("")

export const sentenceParts = (sentence: Sentence) => (typeof sentence === "string" ? [sentence] : sentence)

/** The format of a column's cells. A `signed` number is marked as a rise or fall. */
export type CellShape = "text" | "name" | "id" | "code" | "figure" | "signed"

export interface DocumentColumn {
  readonly label: string
  readonly shape: CellShape
  /** The side of a change: the value before or after it. */
  readonly side?: "old" | "new"
}

export interface DocumentTable {
  /** Empty if the title above is sufficient. */
  readonly caption: string
  readonly columns: ReadonlyArray<DocumentColumn>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** A paragraph, or a drawing in HTML. Other media print the drawing's table, if it has one. */
export type DocumentBlock =
  | { readonly sentence: Sentence; readonly isStrong?: boolean }
  | { readonly drawing: Html; readonly table?: DocumentTable }

export interface DocumentSection {
  /** The anchor in an HTML page, and the class that sets its colour. */
  readonly id?: string
  readonly title: string
  /** The number of items, in words and as a number. */
  readonly amount?: string
  readonly count?: number
  readonly says: ReadonlyArray<Sentence>
  readonly tables: ReadonlyArray<DocumentTable>
  /** The number of rows that the tables leave out. */
  readonly more?: number
}

/** A report, such as of changes or of a morning, independent of its output format: HTML, Markdown or terminal text. */
export interface Document {
  readonly kicker: string
  readonly title: Sentence
  readonly intro: ReadonlyArray<DocumentBlock>
  readonly sections: ReadonlyArray<DocumentSection>
  readonly foot?: Sentence
}

/** The maximum number of characters of a feed's text in HTML and Markdown. */
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
