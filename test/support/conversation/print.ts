import { startTestService } from "../testService.ts"
import { exchangeText, runScript } from "./script.ts"
import { scripts } from "./scripts.ts"

/** Prints the conversations, or those whose names contain an argument, as the owner would read them. */
const chosen = scripts.filter(({ name }) => {
  const words = process.argv.slice(2)
  return words.length === 0 || words.some((word) => name.includes(word))
})
let failed = 0
for (const script of chosen) {
  const service = await startTestService({
    settings: {
      ...(script.chat === undefined ? {} : { ALLOWED_CHAT_ID: String(script.chat.id) }),
      ...script.settings
    }
  })
  const exchanges = await runScript(service, script).finally(service.remove)
  failed += exchanges.filter(({ problems }) => problems.length > 0).length
  console.log([`\n═══ ${script.name}`, ...exchanges.map(exchangeText)].join("\n"))
}
console.log(`\n${chosen.reduce((sum, { rows }) => sum + rows.length, 0)} rows, ${failed} with a problem`)
process.exit(failed === 0 ? 0 : 1)
