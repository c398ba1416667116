/** A kind of finding in words, and what to do about one. */
export interface FindingKind {
  readonly means: string
  readonly todo: string
}

/** The kinds of findings, by how much a wrong price may cost. */
export const findingKinds = {
  shared: {
    means: "Several products have one id: of different names, or of one name in the same finish.",
    todo: "Look the id up at the source. It belongs to the product whose set and number the source has; the prices of the others are not theirs, so do not price by them."
  },
  moved: {
    means:
      "Another product, which is still there, had the id before: of another name, or of the same name in the same finish.",
    todo: "Look the id up at the source. Whichever of the two it belongs to, the other had its prices for a time: compare neither’s prices across that day."
  },
  doubled: {
    means: "A product has several ids of one finish.",
    todo: "Look all of them up at the source. The feed does not say which of them its price is of."
  },
  missing: {
    means: "A finish has no id, though the product’s other finishes have one.",
    todo: "The source may not sell it, or the feed has not mapped it yet. Until it has, price the finish by the other source or by listings."
  },
  apart: {
    means: "The figures of the two sources are more than eight times apart, and one is at least 5.",
    todo: "One id is probably of another printing, or one price of a single seller. Look both up before you price by either."
  }
} as const satisfies Readonly<Record<string, FindingKind>>

export type FindingKindName = keyof typeof findingKinds

export const findingKindNames = [
  "shared",
  "moved",
  "doubled",
  "missing",
  "apart"
] as const satisfies ReadonlyArray<FindingKindName>
