/** What the marketplace of a world shows of its games: a number for each deployment, and whether it looks wrong. */
export interface Feed {
  readonly games: Map<string, { deployment: number; isOdd: boolean }>
  /** Games whose next reading fails. */
  readonly broken: Set<string>
}

/** The feed of the world that runs now. */
export const feedHere: { feed: Feed } = { feed: { games: new Map(), broken: new Set() } }
