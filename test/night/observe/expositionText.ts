export interface ExpositionSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const nameForm = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const labelForm = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const valueForm = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?Inf|NaN)$/

const labelsOf = (text: string, line: string): Readonly<Record<string, string>> => {
  const labels: Record<string, string> = {}
  let rest = text
  while (rest !== "") {
    const [whole, name = "", value = "", comma] = /^([^=]+)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/.exec(rest) ?? []
    if (whole === undefined) throw new Error(`not a label: ${line}`)
    if (!labelForm.test(name) || name.startsWith("__")) throw new Error(`not a label's name, ${name}: ${line}`)
    if (name in labels) throw new Error(`label ${name} twice: ${line}`)
    labels[name] = value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped))
    rest = rest.slice(whole.length)
    if (comma === "," && rest === "") throw new Error(`one comma too many: ${line}`)
  }
  return labels
}

/**
 * Reads Prometheus' text format 0.0.4 as strictly as `promtool check metrics`: HELP and TYPE once,
 * first; a metric's samples together; no series twice, no timestamps, a line feed at the end.
 */
export const parseExposition = (text: string): ReadonlyArray<ExpositionSample> => {
  if (!text.endsWith("\n")) throw new Error("no line feed at the end")
  const samples: Array<ExpositionSample> = []
  const seen = new Set<string>()
  const types = new Map<string, string>()
  const helps = new Set<string>()
  const done = new Set<string>()
  let current = ""
  const enter = (name: string, line: string) => {
    if (name === current) return
    if (done.has(name)) throw new Error(`${name} in two places: ${line}`)
    done.add(current)
    current = name
  }
  for (const line of text.slice(0, -1).split("\n")) {
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line)
    if (comment !== null) {
      const [, kind, name = "", rest = ""] = comment
      if (!nameForm.test(name)) throw new Error(`not a metric's name: ${line}`)
      enter(name, line)
      if (samples.some((sample) => sample.name === name)) throw new Error(`${kind} after a sample: ${line}`)
      if (kind === "HELP" ? helps.has(name) : types.has(name)) throw new Error(`${kind} twice: ${line}`)
      if (kind === "HELP") helps.add(name)
      else if (!/^(counter|gauge|histogram|summary|untyped)$/.test(rest)) throw new Error(`not a type: ${line}`)
      else types.set(name, rest)
      continue
    }
    const [, name = "", inner = "", value = ""] = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (!nameForm.test(name) || !valueForm.test(value)) throw new Error(`not a sample: ${line}`)
    enter(name, line)
    if (!types.has(name) || !helps.has(name)) throw new Error(`no TYPE or HELP: ${line}`)
    if (types.get(name) !== "counter" && name.endsWith("_total")) throw new Error(`_total is for counters: ${line}`)
    const labels = labelsOf(inner, line)
    const series = `${name}${JSON.stringify(Object.entries(labels).toSorted())}`
    if (seen.has(series)) throw new Error(`a series twice: ${line}`)
    seen.add(series)
    samples.push({ name, labels, value: Number(value.replace("Inf", "Infinity")) })
  }
  return samples
}
