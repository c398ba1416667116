import type { Action, AddFile, CommitInfo, MetaData, RemoveFile, Transaction } from "./actions.ts"

/** The state of a table after the commits of its log. */
export interface DeltaTable {
  readonly name: string
  /** Of its last commit; the first is 0. */
  readonly version: number
  readonly protocol: { readonly minReaderVersion: number; readonly minWriterVersion: number } | null
  readonly metaData: MetaData | null
  /** Files that belong to it now, by path. */
  readonly files: ReadonlyMap<string, AddFile>
  /** Files that belonged to it before. */
  readonly removed: ReadonlyMap<string, RemoveFile>
  readonly transactions: ReadonlyMap<string, Transaction>
}

/** A table before any of its log has been read. */
export const unreadTable = (name: string): DeltaTable => ({
  name,
  version: -1,
  protocol: null,
  metaData: null,
  files: new Map(),
  removed: new Map(),
  transactions: new Map()
})

/** Two programs may encode a path differently. */
export const keyOf = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A table after the actions of a commit, or of a checkpoint, which replaces all commits up to its own. */
export const withActions = (before: DeltaTable, version: number, actions: Iterable<Action>): DeltaTable => {
  let { metaData, protocol } = before
  const files = new Map(before.files)
  const removed = new Map(before.removed)
  const transactions = new Map(before.transactions)
  for (const action of actions) {
    protocol = action.protocol ?? protocol
    metaData = action.metaData ?? metaData
    if (action.txn != null) transactions.set(action.txn.appId, action.txn)
    if (action.add != null) {
      files.set(keyOf(action.add.path), action.add)
      removed.delete(keyOf(action.add.path))
    }
    if (action.remove != null) {
      removed.set(keyOf(action.remove.path), action.remove)
      files.delete(keyOf(action.remove.path))
    }
  }
  return { name: before.name, version, protocol, metaData, files, removed, transactions }
}

/** All actions of a checkpoint. */
export const actionsOf = ({ files, metaData, protocol, removed, transactions }: DeltaTable): ReadonlyArray<Action> => [
  { protocol },
  { metaData },
  ...[...transactions.values()].map((txn): Action => ({ txn })),
  // A checkpoint repeats what commits said: to those who follow the changes, it is not new.
  ...[...files.values()].map((add): Action => ({ add: { ...add, dataChange: false } })),
  ...[...removed.values()].map((remove): Action => ({ remove: { ...remove, dataChange: false } }))
]

/** The actions of a commit after the first. */
export interface Commit {
  readonly info: CommitInfo
  /** Null = the columns stay as they are. */
  readonly metaData: MetaData | null
  readonly added: ReadonlyArray<AddFile>
  readonly removed: ReadonlyArray<RemoveFile>
}

export const commitActions = ({ added, info, metaData, removed }: Commit): ReadonlyArray<Action> => [
  { commitInfo: info },
  ...(metaData === null ? [] : [{ metaData }]),
  ...removed.map((remove): Action => ({ remove })),
  ...added.map((add): Action => ({ add }))
]
