import { isObject } from "../../../feed/rows/isObject.ts"

/** Whether a product is a sealed one, whatever the key that says so. */
export const isSealed = (record: unknown): boolean => isObject(record) && Object.values(record).includes("sealed")
