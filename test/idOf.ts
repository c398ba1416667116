import { SnapshotId } from "../src/feed/contract/Ids.ts"

/** An id of a run or a snapshot that a test makes up. */
export const idOf = (text: string): SnapshotId => SnapshotId.make(text)
