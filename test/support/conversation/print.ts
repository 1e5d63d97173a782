import { hold } from "./places.ts"
import { exchangeText } from "./script.ts"
import { scripts } from "./scripts.ts"

/** Prints the conversations, or those whose names contain an argument, as the owner would read them. */
const words = process.argv.slice(2)
const chosen = scripts.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))

// All at once, as in the test: those with the real service mostly wait for the pace of the chat.
const all = await Promise.all(chosen.map(async (script) => ({ script, ...(await hold(script)) })))
for (const { exchanges, script } of all)
  console.log([`\n═══ ${script.name}`, ...exchanges.map(exchangeText)].join("\n"))
const exchanges = all.flatMap((one) => one.exchanges)
const failed = exchanges.filter(({ problems }) => problems.length > 0)
console.log(`\n${exchanges.length} rows, ${failed.length} with a problem`)
process.exit(failed.length === 0 ? 0 : 1)
