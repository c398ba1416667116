import type { Label } from "../contract/inventory/Labels.ts"
import type { Store } from "../state/State.ts"

/** The two kinds of labels that an account gives its lines. */
export type LabelKind = "tag" | "location"

/** An account's labels of a kind. */
export interface LabelsOf {
  readonly accountId: string
  readonly kind: LabelKind
}

/** A row of `labels`. */
export interface LabelRow {
  readonly id: string
  readonly name: string
  readonly color: string | null
  readonly icon: string | null
}

/** Names are compared without case. Beyond the spec: section 16. */
export const nameKey = (name: string): string => name.toLowerCase()

export const labelOf = ({ name, color, icon }: LabelRow): Label => ({ name, color, icon })

export const findLabel = (store: Store, { accountId, kind }: LabelsOf, name: string): LabelRow | undefined =>
  store.one<LabelRow>(
    "select id, name, color, icon from labels where account_id = :accountId and kind = :kind and name_key = :key",
    { accountId, kind, key: nameKey(name) }
  )
