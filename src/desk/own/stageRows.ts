import { sqlText } from "../../store/lake/duckdb/Lake.ts"
import { csvLine } from "../../store/lake/duckdb/writeSpreadsheet.ts"
import { parseCopies, parseCurrency, parseMoney } from "./figures.ts"
import { headerKey, type Field } from "./formats.ts"
import {
  foldWords,
  parseCondition,
  parseFinish,
  parseFlag,
  parseLanguage,
  remembering,
  splitLanguage,
  withoutZeros,
  sourceEurConditions,
  sourceEurLanguages
} from "./parseWords.ts"
import type { ReadFile } from "./readFile.ts"
import type { Row } from "./textRows.ts"

/** The values of one kind that were not understood. */
export interface Unread {
  readonly what: string
  readonly rows: number
  /** Some of them, as in the file. */
  readonly values: ReadonlyArray<string>
}

/** The values of a row that are computed from its cells, and their types. */
const computed = {
  row: "bigint",
  product_id: "bigint",
  file_quantity: "bigint",
  cards: "bigint",
  finish: "varchar",
  condition_said: "varchar",
  condition: "varchar",
  language_said: "varchar",
  language: "varchar",
  grade: "varchar",
  is_watched: "boolean",
  is_altered: "boolean",
  is_signed: "boolean",
  is_misprint: "boolean",
  is_proxy: "boolean",
  paid: "decimal(18, 4)",
  paid_currency: "varchar"
}
type Staged = Readonly<Record<keyof typeof computed, string | number | boolean | null>>
const computedNames = Object.keys(computed) as ReadonlyArray<keyof Staged>

/** The facts of a row that are cells of the file. */
const cellFields: ReadonlyArray<Field> = [
  ...(["list", "listKind", "game", "gameId", "sourceEur", "sourceUsd", "mtgId"] as const),
  ...(["name", "setCode", "setName", "set", "number", "added"] as const)
]

/** A fact's name as a column: `set_code` for `setCode`. */
const columnName = (field: Field): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns SQL of the view `own_file` of rows as `stageRows` writes them; `said` has all cells of a row. */
export const openStaged = (path: string, { columns, header }: ReadFile): string => {
  const cells = header.map((_, place) => [`cell_${place}`, "varchar"] as const)
  const types = [...Object.entries(computed), ...cells].map(([name, type]) => `'${name}': '${type}'`)
  const values = cellFields.map((field) => {
    const places = columns.places.get(field) ?? []
    return `coalesce(${["null::varchar", ...places.map((place) => `cell_${place}`)].join(", ")}) as "${columnName(field)}"`
  })
  const texts = header.map((name, place) => `${sqlText(name)}, cell_${place}`)
  return `create or replace temp view own_file as
select ${[...computedNames, ...values].join(", ")}, json_object(${texts.join(", ")})::varchar as said
from read_csv(${sqlText(path)}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', new_line = '\\r\\n',
  columns = {${types.join(", ")}}, allow_quoted_nulls = false, parallel = false, buffer_size = 4_194_304)`
}

/** Returns how the rows of a file are read; `currency` is that of prices that name none. */
const openReading = (file: ReadFile, currency: string | null, reject: (what: string, text: string) => void) => {
  const { columns, header, marks } = file
  const counts = (columns.places.get("quantity") ?? []).map((place) => header[place] ?? "")
  const paidHeader = header[columns.places.get("paid")?.[0] ?? -1] ?? ""
  // `Price paid (EUR)`
  const [, headerCurrency = ""] = /[([]([^)\]]*)[)\]]\s*$/.exec(paidHeader) ?? []
  return {
    file,
    currency: currency ?? parseCurrency(headerCurrency)?.usual ?? null,
    reject,
    parsePaid: remembering((text) => parseMoney(text, marks.paid)),
    parseCount: remembering((text) => parseCopies(text, marks.quantity)),
    /** True if blank counts are none, as in a list of all cards that somebody can have. */
    isChecklist: columns.places.has("foilQuantity") || counts.some((one) => /^(have|owned|total quantity)$/i.test(one)),
    /** True if conditions and languages can be the EUR source's numbers. */
    isNumbered: columns.places.has("sourceEur") || header.some((name) => headerKey(name) === "idlanguage")
  }
}
type Reading = ReturnType<typeof openReading>

/** A row with its cells by field; null = empty or without a column. */
type Cells = (field: Field) => string | null

const flag = (subject: RegExp) => remembering((text) => parseFlag(text, subject))

/** The columns of yes or no, with the words that mean yes in them alone. */
const flags = {
  altered: flag(/^alter/),
  signed: flag(/^(signed|signiert|signee?|firmad[ao]|firmat[ao]|assinad[ao])$/),
  misprint: flag(/^misprint/),
  proxy: flag(/^(proxy|playtest)$/),
  playset: flag(/^playset$/),
  watched: flag(/^watch/),
  reverse: flag(/^(reverse|holo)/),
  etched: flag(/^etch/)
}

const readFlag = (reading: Reading, cell: Cells, field: keyof typeof flags): boolean => {
  const text = cell(field)
  if (text === null) return false
  const read = flags[field](text)
  // Several flags can share a column of words.
  const { places } = reading.file.columns
  const isShared = places.get(field)?.some((place) => places.get("finish")?.includes(place)) === true
  if (read === null && !isShared) reading.reject(field, text)
  // A card that may be altered is not worth what an ordinary one is.
  return read ?? (!isShared && (field === "altered" || field === "signed" || field === "misprint"))
}

/** A cell that says something: a dash is empty, and a question mark is an answer that nobody can read. */
const readFilled = (cell: Cells, field: Field): string | null => {
  const text = cell(field)
  return text === null || (foldWords(text).length === 0 && !/[?？]/.test(text)) ? null : text
}

/** Words that a condition may be followed by where the finish has a column of its own. */
const finishWord = /^(foil|holo|holofoil|reverse|etched|rainbow|cold|normal|standard|(un)?limited|1st|first|edition)$/

/** Reads condition, language and finish together, because tools put two of them into one column. */
const readPrint = (reading: Reading, cell: Cells) => {
  const { places } = reading.file.columns
  const isShared = places.get("finish")?.[0] === (places.get("condition")?.[0] ?? -1)
  const hasFinish = places.has("finish") && !isShared
  /** The code that a number of the EUR source stands for. */
  const numbered = (codes: ReadonlyArray<string>, text: string | null) =>
    reading.isNumbered ? codes[Number(text) - 1] : undefined
  const conditionText = readFilled(cell, "condition")
  const [bare, conditionTail] = splitLanguage(conditionText ?? "")
  const number = numbered(sourceEurConditions, conditionText)
  const condition = number === undefined ? parseCondition(bare) : { code: number, rest: "" }
  const isUnread = hasFinish && !foldWords(condition.rest).every((word) => finishWord.test(word))
  const code = isUnread ? null : condition.code
  if (conditionText !== null && code === null) reading.reject("condition", conditionText)
  const languageText = readFilled(cell, "language")
  const language =
    languageText === null ? null : (numbered(sourceEurLanguages, languageText) ?? parseLanguage(languageText))
  if (languageText !== null && language === null) reading.reject("language", languageText)
  const [finishText, finishTail] = splitLanguage(cell("finish") ?? "")
  const readFinish = (): string | null => {
    const foiling = cell("foiling")
    if (readFlag(reading, cell, "reverse")) return "reverse holofoil"
    if (readFlag(reading, cell, "etched")) return "etched"
    if (foiling !== null) return /foil/i.test(foiling) ? foiling : `${foiling} foil`
    if (!hasFinish && condition.code !== null) return condition.rest !== "" || isShared ? condition.rest : null
    return finishText === "" ? null : finishText
  }
  const finish = readFinish()
  const parsed = finish === null ? null : parseFinish(finish)
  if (finish !== null && parsed === null) reading.reject("finish", finish)
  return {
    finish: finish === null ? null : (parsed ?? "not understood"),
    condition_said: conditionText,
    condition: code,
    language_said: languageText,
    language: language ?? conditionTail ?? finishTail
  }
}

/** Reads what was paid for a card, and in which currency; both are null if either contradicts the other. */
const readPaid = (reading: Reading, cell: Cells) => {
  const nothing = { paid: null, paid_currency: null }
  const text = cell("paid")
  if (text === null || !/[\p{L}\p{N}]/u.test(text)) return nothing
  const money = reading.parsePaid(text)
  if (money === null) reading.reject("paid", text)
  if (money === null || money.amount === "0") return nothing
  const column = cell("currency")
  const named = column === null ? null : parseCurrency(column)
  const stated = column === null ? reading.currency : (named?.usual ?? null)
  const { amount: paid, currency } = money
  if (currency === null) {
    if (column !== null && stated === null) reading.reject("currency", column)
    return { paid, paid_currency: stated }
  }
  // A sign such as `$` is that of several currencies; the column or the command tells which.
  if (stated !== null && currency.all.includes(stated)) return { paid, paid_currency: stated }
  if (column !== null) reading.reject("currency", `${text} ${column}`)
  return { paid, paid_currency: column === null ? currency.usual : null }
}

const readCount = (reading: Reading, cell: Cells, field: "quantity" | "foilQuantity"): number | null => {
  const text = cell(field)
  if (text === null && !reading.file.columns.places.has(field))
    return reading.file.columns.places.has("foilQuantity") ? 0 : 1
  if (text === null && reading.isChecklist) return 0
  const copies = text === null ? null : reading.parseCount(text)
  if (copies === null) reading.reject("quantity", text ?? "")
  return copies
}

/** Converts a row of the file; a row that counts foils apart becomes two, one for each count above 0. */
const stageRow = (reading: Reading, { cells }: Row, row: number): ReadonlyArray<Staged> => {
  const { columns } = reading.file
  const cell: Cells = (field) => {
    for (const place of columns.places.get(field) ?? []) if ((cells[place] ?? "") !== "") return cells[place] ?? null
    return null
  }
  const grade = cell("grade")
  const product = withoutZeros(cell("productId") ?? "")
  const isProduct = /^\d{1,16}$/.test(product)
  if (!isProduct && product !== "") reading.reject("product_id", product)
  const print = readPrint(reading, cell)
  const counted = readCount(reading, cell, "quantity")
  const foils = columns.places.has("foilQuantity") ? readCount(reading, cell, "foilQuantity") : 0
  const copies = readFlag(reading, cell, "playset") ? 4 : 1
  const edition = cell("printEdition")
  const whole = {
    row,
    product_id: isProduct ? product : null,
    ...print,
    finish: edition === null ? print.finish : `${edition} ${print.finish ?? ""}`,
    grade: grade !== null && /^(|ungraded|raw|none|no|false|0)$/.test(foldWords(grade).join(" ")) ? null : grade,
    is_watched: readFlag(reading, cell, "watched"),
    is_altered: readFlag(reading, cell, "altered"),
    is_signed: readFlag(reading, cell, "signed"),
    is_misprint: readFlag(reading, cell, "misprint"),
    is_proxy: readFlag(reading, cell, "proxy"),
    ...readPaid(reading, cell)
  }
  const half = (count: number | null, isFoil: boolean): Staged => ({
    ...whole,
    finish: isFoil ? "foil" : (whole.finish ?? (columns.places.has("foilQuantity") ? "" : null)),
    file_quantity: count,
    cards: count === null ? null : count * copies
  })
  if (foils === 0) return [half(counted, false)]
  return counted === 0 ? [half(foils, true)] : [half(counted, false), half(foils, true)]
}

const partLength = 1 << 16

/** Collects rejected values by kind, and names five of each. */
const collectUnread = () => {
  const found = new Map<string, { what: string; rows: number; values: Array<string> }>()
  const reject = (what: string, text: string) => {
    const kind = found.get(what) ?? { what, rows: 0, values: [] }
    found.set(what, kind)
    kind.rows++
    const value = text.slice(0, 60).replaceAll(/\s+/g, " ")
    if (kind.values.length < 5 && !kind.values.includes(value)) kind.values.push(value)
  }
  const unread = (): ReadonlyArray<Unread> => [...found.values()]
  return { reject, unread }
}

/**
 * Returns the rows of a file as CSV in parts, with computed values before their cells, and then the values that were
 * not understood.
 */
export const stageRows = (file: ReadFile, currency: string | null) => {
  const { header, rows } = file
  const { reject, unread } = collectUnread()
  const reading = openReading(file, currency, reject)
  const parts = function* () {
    let [text, row] = ["", 0]
    for (const one of rows()) {
      const cells = header.map((name, place) => {
        const cell = one.cells[place] ?? ""
        if (cell.includes("\uFFFD")) reject("bytes", `line ${one.line}, column ${name}`)
        return cell || null
      })
      // An empty text is another finish than none: the one that the file calls ordinary.
      for (const staged of stageRow(reading, one, ++row))
        text += csvLine([...computedNames.map((name) => staged[name]?.toString() ?? null), ...cells])
      if (text.length < partLength) continue
      yield text
      text = ""
    }
    yield text
  }
  return { parts: parts(), unread }
}
