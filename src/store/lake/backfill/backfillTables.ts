import { tableFile, type TableFile } from "../../../feed/schema/tableFile.ts"

const table = (name: string): TableFile => tableFile(new URL(`../history/${name}.sql`, import.meta.url))

export const backfilledPrices = table("backfilled_prices")
export const backfills = table("backfills")
export const backfillRefusals = table("backfill_refusals")

/** The tables of a part of a backfill: what a view of each name shows over all parts. */
export const backfillTables = [backfilledPrices, backfills, backfillRefusals]
