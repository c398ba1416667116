export { showing } from "../../../src/run/showing.ts"
