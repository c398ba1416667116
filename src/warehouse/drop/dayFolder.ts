/** The folder of a game's day below its table. Some engines take only the partition's own names in a path. */
export const dayFolder = (gameId: string, dt: string) => `game_id=${gameId}/snapshot_date=${dt}`
