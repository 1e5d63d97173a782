import { startTestService } from "../testService.ts"
import { exchangeText, runScript, type Script } from "./script.ts"
import { scripts } from "./scripts.ts"

/** Prints the conversations, or those whose names contain an argument, as the owner would read them. */
const chosen = scripts.filter(({ name }) => {
  const words = process.argv.slice(2)
  return words.length === 0 || words.some((word) => name.includes(word))
})

const run = async (script: Script) => {
  const service = await startTestService({
    settings: {
      ...(script.chat === undefined ? {} : { ALLOWED_CHAT_ID: String(script.chat.id) }),
      ...script.settings
    }
  })
  return runScript(service, script).finally(service.remove)
}

// All run at once, as in the test: each waits most of the time for the pace of the chat.
const running = chosen.map((script) => ({ script, exchanges: run(script) }))
await Promise.allSettled(running.map(({ exchanges }) => exchanges))
let failed = 0
for (const { exchanges, script } of running) {
  const all = await exchanges
  failed += all.filter(({ problems }) => problems.length > 0).length
  console.log([`\n═══ ${script.name}`, ...all.map(exchangeText)].join("\n"))
}
console.log(`\n${chosen.reduce((sum, { rows }) => sum + rows.length, 0)} rows, ${failed} with a problem`)
process.exit(failed === 0 ? 0 : 1)
