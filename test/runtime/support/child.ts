import { serveParent } from "../../../src/runtime/ChildMain.ts"

/** A child whose requests choose its behaviour. */

const held: Array<Uint8Array> = []

const fieldOf = (message: unknown, name: string): unknown =>
  typeof message === "object" && message !== null ? Reflect.get(message, name) : undefined

await serveParent(Number(process.argv.at(-1)), async ({ bytes, message }, reply) => {
  const what = String(fieldOf(message, "do"))
  const n = Number(fieldOf(message, "n") ?? 0)
  switch (what) {
    case "echo":
      return reply({ said: "echo", n: bytes.length }, bytes)
    case "count":
      for (let index = 0; index < n; index++) await reply({ said: "count", n: index })
      return
    case "environment":
      return reply({ said: Object.keys(process.env).sort().join(" "), n: process.cwd().length })
    case "spin":
      await reply({ said: "first", n: 1 })
      for (;;);
    case "hang":
      return Bun.sleep(60_000)
    case "swell":
      await reply({ said: "first", n: 1 })
      for (;;) {
        held.push(new Uint8Array(8 * 1024 * 1024).fill(1))
        await Bun.sleep(1)
      }
    case "hold":
      held.push(new Uint8Array(n).fill(1))
      return reply({ said: "held", n })
    case "throw":
      throw new Error("thrown")
    case "deep": {
      const deeper = (): number => deeper() + 1
      return reply({ said: "deep", n: deeper() })
    }
    case "exit":
      return process.exit(3)
    case "kill":
      process.kill(process.pid, "SIGKILL")
      return
    case "chatter":
      console.log("not a frame")
      return reply({ said: "chatter", n: 0 })
    case "wrong":
      return reply({ unexpected: true })
    case "much":
      return reply({ said: "x".repeat(n), n })
    case "garbage":
      Bun.stdout.writer().write(new Uint8Array(100).fill(255))
      await Bun.sleep(50)
      return
    case "late":
      setTimeout(() => void reply({ said: "late", n: 0 }), 30)
      return
    case "pid":
      return reply({ said: "pid", n: process.pid })
    default:
      return reply({ said: what, n })
  }
})
