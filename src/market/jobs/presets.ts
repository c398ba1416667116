import type { ImportPreset } from "../contract/jobs/jobOperations.ts"
import type { FileRow } from "./fileRows.ts"

/**
 * The export files of other programs: which of their columns is which of ours, and their words for ours. What those
 * programs write is not documented for the API, so the layouts are ours. Beyond the spec: section 11.
 */
interface Preset {
  readonly columns: Readonly<Record<string, string>>
  /** The column that is true for a foil card. */
  readonly foil: string
  readonly currency: "EUR" | "USD"
  readonly conditions: Readonly<Record<string, string>>
}

const gradesOfEur = { MT: "NM", NM: "NM", EX: "LP", GD: "MP", LP: "MP", PL: "HP", PO: "DMG" }
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
      idProduct: "sourceEur",
      amount: "quantity",
      condition: "condition",
      language: "language",
      price: "listingPrice",
      comments: "comment"
    },
    foil: "isFoil",
    currency: "EUR",
    conditions: gradesOfEur
  },
  sourceUsd: {
    columns: {
      "Product Id": "sourceUsd",
      Quantity: "quantity",
      Condition: "condition",
      Language: "language",
      Price: "listingPrice"
    },
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
    foil: "isFoil",
    currency: "EUR",
    conditions: gradesOfEur
  }
}

/** True when a row has the columns without which the file is another program's. */
export const isOfPreset = (preset: ImportPreset, row: FileRow): boolean =>
  Object.entries(presets[preset].columns)
    .filter(([, ours]) => ours === "quantity" || ours.startsWith("source"))
    .every(([theirs]) => theirs in row)

/** A row of another program in our columns. Words that are not known stay, and are refused later. */
export const presetRow = (preset: ImportPreset, row: FileRow): FileRow => {
  const { columns, conditions, currency, foil } = presets[preset]
  const ours: Record<string, unknown> = {}
  for (const [theirs, column] of Object.entries(columns)) ours[column] = row[theirs]
  const { condition, language, listingPrice } = ours
  if (typeof condition === "string") ours["condition"] = conditions[condition] ?? condition
  if (typeof language === "string") ours["language"] = languages[language] ?? language
  if (listingPrice !== undefined && listingPrice !== "") ours["listingCurrency"] = currency
  if (/^(1|true|yes|x)$/i.test(String(row[foil] ?? ""))) ours["finish"] = "Foil"
  return ours
}
