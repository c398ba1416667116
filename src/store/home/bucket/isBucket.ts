/** True for the address of a bucket; any other address is a folder. */
export const isBucket = (address: string): boolean => address.startsWith("s3://")
