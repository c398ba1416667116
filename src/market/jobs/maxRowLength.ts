/** The longest row: one that never ends, as after a lost quote, must not be collected for ever. */
export const maxRowLength = 1024 * 1024

export const rowTooLong = (where: string): Error => new Error(`${where} is longer than 1 MB`)
