/** Whether an address names a bucket; any other names a folder. */
export const isBucket = (address: string): boolean => address.startsWith("s3://")
