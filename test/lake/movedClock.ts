export { showing } from "../../pipelines/showing.ts"
