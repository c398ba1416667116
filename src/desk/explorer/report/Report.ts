/** A table of a report: texts as they are shown. */
export interface ReportTable {
  readonly caption: string
  readonly heads: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** A part of a report: sentences, then tables. */
export interface ReportSection {
  readonly title: string
  readonly says: ReadonlyArray<string>
  readonly tables: ReadonlyArray<ReportTable>
}

/** What a morning's report says, before it is a page or a text. */
export interface Report {
  readonly title: string
  readonly says: string
  readonly sections: ReadonlyArray<ReportSection>
}
