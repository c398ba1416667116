/** What a game shows from a day on: one of its stored deployments, with that day's prices. */
export interface StoryStep {
  /** Index of the stored deployment, from 0. */
  readonly of: number
  /** A price source that quotes only four products in ten that day. */
  readonly quiet?: "sourceEur" | "sourceUsd"
}

/** A day on which somebody reads the feed, and the games that are redeployed before that. */
export interface StoryDay {
  readonly on: string
  readonly deploys: Readonly<Record<string, StoryStep>>
}

/** Ten days in three weeks. On two of them the feed does not move, on another a price source quotes hardly anything. */
export const storyDays: ReadonlyArray<StoryDay> = [
  { on: "2026-08-03", deploys: { emberfall: { of: 0 }, tidewrack: { of: 0 }, "clockwork-orchard": { of: 0 } } },
  { on: "2026-08-05", deploys: { emberfall: { of: 0 } } },
  { on: "2026-08-07", deploys: {} },
  { on: "2026-08-10", deploys: { emberfall: { of: 1 } } },
  { on: "2026-08-12", deploys: { emberfall: { of: 1 } } },
  { on: "2026-08-14", deploys: {} },
  { on: "2026-08-17", deploys: { tidewrack: { of: 0, quiet: "sourceUsd" } } },
  { on: "2026-08-19", deploys: { emberfall: { of: 2 } } },
  { on: "2026-08-21", deploys: { "clockwork-orchard": { of: 1 } } },
  { on: "2026-08-24", deploys: { emberfall: { of: 3 }, tidewrack: { of: 1 } } }
]

/** Days from the first one of the story. */
export const dayOfStory = (on: string): number => (Date.parse(on) - Date.parse(storyDays[0]?.on ?? on)) / 86_400_000
