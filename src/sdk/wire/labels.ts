// Generated from the contract by: node test/sdk/writeWire.ts

/** A tag or a location, known by its name; names are compared without case. */
export interface Label {
  name: string
  color: string | null
  icon: string | null
}

/** A new name follows on every line. */
export interface LabelChange {
  name?: string | undefined
  color?: string | null | undefined
  icon?: string | null | undefined
}

/** A new tag or location; with `upsert`, one that exists is changed instead. */
export interface NewLabel {
  name: string
  color?: string | null | undefined
  icon?: string | null | undefined
  upsert?: boolean | undefined
}
