/** Returns the folder of a game's day below its table. Some engines accept only partition columns as folder names. */
export const dayFolder = (gameId: string, dt: string) => `game_id=${gameId}/snapshot_date=${dt}`

const dayMillis = 24 * 3600 * 1000

/** Returns a day as days since 1970-01-01, as table formats store it. */
export const dayNumber = (dt: string): number => Date.parse(`${dt}T00:00:00Z`) / dayMillis
export const dayText = (day: number): string => new Date(day * dayMillis).toISOString().slice(0, 10)
