export { showing } from "../../../src/night/run/showing.ts"
