import { soakBucket } from "./bucketSoak.ts"

/** `node test/store/home/soakBucketMain.ts FOLDER NIGHTS [SEED]`: random nights in a bucket; run it again to go on. */
const [folder = "", nights = "100", seed = "1"] = process.argv.slice(2)
if (folder === "")
  console.error(
    "Name a folder that keeps what has been done: node test/store/home/soakBucketMain.ts FOLDER NIGHTS [SEED]"
  )
else {
  const faults = await soakBucket(folder, { nights: Number(nights), seed: Number(seed) }, (line) => console.log(line))
  console.log(`${nights} nights are equal. ${JSON.stringify(faults)}`)
}
