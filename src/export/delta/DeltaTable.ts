import type { Action, AddFile, CommitInfo, MetaData, RemoveFile, Transaction } from "./actions.ts"

/** A table as its log leaves it. */
export interface DeltaTable {
  readonly name: string
  /** Of its last commit, from 0. */
  readonly version: number
  readonly protocol: { readonly minReaderVersion: number; readonly minWriterVersion: number } | null
  readonly metaData: MetaData | null
  /** Files that belong to it, by path. */
  readonly files: ReadonlyMap<string, AddFile>
  /** Files that did. */
  readonly removed: ReadonlyMap<string, RemoveFile>
  readonly transactions: ReadonlyMap<string, Transaction>
}

/** A table of which nothing has been read yet. */
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
const keyOf = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A table after the actions of a commit, or of a checkpoint that stands for all commits up to there. */
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

/** All that a checkpoint says. */
export const actionsOf = ({ files, metaData, protocol, removed, transactions }: DeltaTable): ReadonlyArray<Action> => [
  { protocol },
  { metaData },
  ...[...transactions.values()].map((txn): Action => ({ txn })),
  // What a checkpoint repeats is not new to those who follow the table's changes.
  ...[...files.values()].map((add): Action => ({ add: { ...add, dataChange: false } })),
  ...[...removed.values()].map((remove): Action => ({ remove: { ...remove, dataChange: false } }))
]

/** What a commit says that follows another. */
export interface Commit {
  readonly info: CommitInfo
  /** Null = the columns stay. */
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
