import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

let known: ((how: object) => void) | null = null

/** Runs V8's garbage collector, for which Node has no API. */
const collect = (how: object): void => {
  if (known === null) {
    setFlagsFromString("--expose-gc")
    const gc: unknown = runInNewContext("gc")
    known = typeof gc === "function" ? (how) => void Reflect.apply(gc, null, [how]) : () => {}
  }
  known(how)
}

/** Returns unused memory to the system. Takes a tenth of a second. */
export const collectGarbage = (): void => collect({ type: "major", execution: "sync", flavor: "last-resort" })

/** Frees short-lived memory in a millisecond. Otherwise V8 scans the whole heap after every 64 MB of buffers. */
export const collectYoung = (): void => collect({ type: "minor" })
