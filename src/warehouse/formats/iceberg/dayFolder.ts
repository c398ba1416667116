/** Returns the folder of a game's day below its table. */
export const dayFolder = (gameId: string, dt: string) => `data/game=${gameId}/dt=${dt}`
