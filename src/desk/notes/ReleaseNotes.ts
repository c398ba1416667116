import type { DialectName } from "../../feed/contract/dialect/dialects.ts"
import type { Diff } from "../../store/diff/Diff.ts"
import type { NoteSectionName } from "./noteSections.ts"

/** What release notes leave out. */
export interface NoteBounds {
  /** How many lines of a section are shown. */
  readonly shown: number
  /** Percent from which a move of market value is shown. */
  readonly minMove: number
  /** Price from which it is shown, in its own currency: the higher of the old and the new one. */
  readonly minPrice: number
}

/** A line of a section by column, every figure as exact text; null = there is none. */
export type NoteLine = Readonly<Record<string, string | null>>

/** A section with its first lines. */
export interface ToldSection {
  readonly section: NoteSectionName
  /** Distinct items in it. */
  readonly products: number
  readonly expansions: number
  readonly deployments: number
  /** How many lines there are; `lines` holds the first. */
  readonly total: number
  readonly lines: ReadonlyArray<NoteLine>
}

/** How many market values moved by more than `over` percent, up to `upTo`, away from 0; `upTo` null = no upper end. */
export interface MoveSize {
  readonly over: number
  readonly upTo: number | null
  readonly moves: number
}

/** The diff as a person reads it. Sections without lines are left out. */
export interface ReleaseNotes {
  readonly gameName: string
  /** Removed products that are the same under a new id, or were merged into another; ids that now stand for another. */
  readonly identities: { readonly replaced: number; readonly merged: number; readonly reused: number }
  readonly bounds: { readonly minMove: number; readonly minPrice: number }
  readonly sections: ReadonlyArray<ToldSection>
  readonly moveSizes: ReadonlyArray<MoveSize>
  /** Market values that rose from 0, which has no percentage. */
  readonly movesFromZero: number
}

/** The counts of a difference with its release notes. */
export interface Difference extends Omit<Diff, "files">, ReleaseNotes {
  /** Of the later snapshot: what a person reads of the sources. */
  readonly dialect: DialectName
  /** Why the later snapshot is held and not published; absent: it is published, or was. */
  readonly held?: ReadonlyArray<string>
  readonly fromDeployedAt: string | null
  readonly toDeployedAt: string | null
}
