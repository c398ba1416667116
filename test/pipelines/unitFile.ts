/** Section, key, values: a key may occur more than once. */
export type Unit = Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>>

/** Reads a systemd unit file strictly: sections, lines `Key=value`, comment lines, nothing else. */
export const unitOf = (text: string): Unit => {
  const unit: Record<string, Record<string, Array<string>>> = {}
  let section: Record<string, Array<string>> | null = null
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue
    const name = /^\[(\w+)\]$/.exec(line)?.[1]
    if (name !== undefined) {
      if (name in unit) throw new Error(`[${name}] twice`)
      section = unit[name] = {}
      continue
    }
    const [, key, value] = /^([A-Z][A-Za-z]*)=(.*)$/.exec(line) ?? []
    if (section === null || key === undefined || value === undefined) throw new Error(`not a line of a unit: ${line}`)
    ;(section[key] ??= []).push(value)
  }
  return unit
}
