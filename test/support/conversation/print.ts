import { appsWithTelegram, holdWithService } from "./places.ts"
import { exchangeText } from "./script.ts"
import { scripts } from "./scripts.ts"

/** Prints the conversations, or those whose names contain an argument, as the owner would read them. */
const words = process.argv.slice(2)
const { hold } = appsWithTelegram()
let [rows, failed] = [0, 0]
for (const script of scripts) {
  if (words.length > 0 && !words.some((word) => script.name.includes(word))) continue
  const { exchanges } = await (script.needsService === true ? holdWithService : hold)(script)
  rows += exchanges.length
  failed += exchanges.filter(({ problems }) => problems.length > 0).length
  console.log([`\n═══ ${script.name}`, ...exchanges.map(exchangeText)].join("\n"))
}
console.log(`\n${rows} rows, ${failed} with a problem`)
process.exit(failed === 0 ? 0 : 1)
