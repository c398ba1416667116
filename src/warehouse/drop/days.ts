/** The folder of a game's day below its table. Some engines take only the partition's own names in a path. */
export const dayFolder = (gameId: string, dt: string) => `game_id=${gameId}/snapshot_date=${dt}`

const dayMillis = 24 * 3600 * 1000

/** A day as table formats count them, from 1970-01-01. */
export const dayNumber = (dt: string): number => Date.parse(`${dt}T00:00:00Z`) / dayMillis
export const dayText = (day: number): string => new Date(day * dayMillis).toISOString().slice(0, 10)
