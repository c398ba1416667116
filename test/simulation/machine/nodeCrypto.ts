import { hash, type ScryptOptions } from "node:crypto"

/** The name of a key's document. In a world nobody guesses keys, so it need not be expensive. */
export const scrypt = (
  key: string,
  salt: string,
  length: number,
  _: ScryptOptions,
  done: (error: Error | null, derived: Buffer) => void
): void => done(null, Buffer.from(hash("sha256", `${salt} ${key}`), "hex").subarray(0, length))
