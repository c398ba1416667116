import type { ImportPreset } from "../contract/jobs/jobOperations.ts"
import type { PrintedName } from "../catalogue/foundProducts.ts"
import { readText, type FileColumns, type FileRow } from "./ImportRow.ts"

/**
 * The layout of another program's export file: column names and value mappings. Documented are only `gradesOfEur`,
 * `idArticle`, and how rows of the USD source identify a product. The rest is our assumption.
 * Beyond the spec: section 11.
 */
interface Preset {
  readonly columns: Readonly<Record<string, string>>
  /** Required columns. A file without them is not this program's. */
  readonly needed: ReadonlyArray<string>
  /** Column that is true for a foil card. */
  readonly foil: string
  readonly currency: "EUR" | "USD"
  readonly conditions: Readonly<Record<string, string>>
}

const gradesOfEur = { MT: "NM", NM: "NM", EX: "LP", LP: "LP", GD: "MP", PL: "HP", PO: "DMG" }
const gradesOfUsd = {
  "Near Mint": "NM",
  "Lightly Played": "LP",
  "Moderately Played": "MP",
  "Heavily Played": "HP",
  Damaged: "DMG"
}
const languages: Readonly<Record<string, string>> = {
  English: "en",
  French: "fr",
  German: "de",
  Spanish: "es",
  Italian: "it",
  Japanese: "ja"
}

const presets: Readonly<Record<ImportPreset, Preset>> = {
  sourceEur: {
    columns: {
      idArticle: "customId",
      idProduct: "sourceEur",
      amount: "quantity",
      condition: "condition",
      language: "language",
      price: "listingPrice",
      comments: "comment"
    },
    needed: ["idProduct", "amount"],
    foil: "isFoil",
    currency: "EUR",
    conditions: gradesOfEur
  },
  sourceUsd: {
    columns: {
      "SKU Id": "customId",
      "Product Line": "productLine",
      "Set Name": "setName",
      Number: "printNumber",
      Quantity: "quantity",
      Condition: "condition",
      Language: "language",
      Price: "listingPrice"
    },
    needed: ["Product Line", "Set Name", "Number", "Quantity"],
    foil: "Foil",
    currency: "USD",
    conditions: gradesOfUsd
  },
  powertools: {
    columns: {
      idProduct: "sourceEur",
      quantity: "quantity",
      condition: "condition",
      language: "language",
      price: "listingPrice",
      comment: "comment"
    },
    needed: ["idProduct", "quantity"],
    foil: "isFoil",
    currency: "EUR",
    conditions: gradesOfEur
  }
}

export const presetColumns = (preset: ImportPreset): FileColumns => {
  const { columns, foil, needed } = presets[preset]
  return { read: new Set([...Object.keys(columns), foil]), naming: needed }
}

/** True if a row has the required columns of the preset. */
export const isOfPreset = (preset: ImportPreset, row: unknown): boolean =>
  typeof row === "object" && row !== null && presets[preset].needed.every((theirs) => Object.hasOwn(row, theirs))

const translate = (words: Readonly<Record<string, string>>, word: string): string =>
  Object.hasOwn(words, word) ? (words[word] ?? word) : word

/** Maps a row of another program to our columns. Unknown values are unchanged and refused later. */
export const presetRow = (preset: ImportPreset, row: FileRow): FileRow => {
  const { columns, conditions, currency, foil } = presets[preset]
  const ours: Record<string, unknown> = {}
  for (const [theirs, column] of Object.entries(columns)) ours[column] = row[theirs]
  const { condition, language, listingPrice } = ours
  if (typeof condition === "string") ours["condition"] = translate(conditions, condition)
  if (typeof language === "string") ours["language"] = translate(languages, language)
  if (listingPrice !== undefined && listingPrice !== "") ours["listingCurrency"] = currency
  if (/^(1|true|yes|x)$/i.test(readText(row[foil]) ?? "")) ours["finish"] = "Foil"
  return ours
}

/** Returns the printed name in a row of the USD source; undefined if the row identifies its product otherwise. */
export const printedName = (preset: ImportPreset | null, row: FileRow | undefined): PrintedName | undefined =>
  preset === "sourceUsd"
    ? {
        productLine: readText(row?.["productLine"]) ?? "",
        setName: readText(row?.["setName"]) ?? "",
        number: readText(row?.["printNumber"]) ?? ""
      }
    : undefined
