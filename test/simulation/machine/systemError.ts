/** Returns an error as the system reports it. */
export const systemError = (code: string, what: string): Error => Object.assign(new Error(`${code}: ${what}`), { code })
