import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

let known: ((how: object) => void) | null = null

/** Node has no call for it, V8 has. */
const collect = (how: object): void => {
  if (known === null) {
    setFlagsFromString("--expose-gc")
    const gc: unknown = runInNewContext("gc")
    known = typeof gc === "function" ? (how) => void Reflect.apply(gc, null, [how]) : () => {}
  }
  known(how)
}

/** Gives the memory of what is no longer used back to the system. Takes a tenth of a second. */
export const collectGarbage = (): void => collect({ type: "major", execution: "sync", flavor: "last-resort" })

/**
 * Gives back what was used for a moment. Takes a millisecond; left alone, every 64 MB of buffers make V8 look through
 * all that the program holds.
 */
export const collectYoung = (): void => collect({ type: "minor" })
