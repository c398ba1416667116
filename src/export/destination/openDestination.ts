import { Effect } from "effect"
import type { Destination } from "./Destination.ts"
import { folderDestination } from "./folderDestination.ts"

/** The folder or bucket that an address names. */
export const openDestination = (address: string): Effect.Effect<Destination> =>
  Effect.succeed(folderDestination(address))
