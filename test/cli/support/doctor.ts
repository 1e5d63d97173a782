import { spyOn } from "bun:test"
import { resolve } from "node:path"
import { BunContext } from "@effect/platform-bun"
import { Effect, Schema } from "effect"
import { exitCode, run } from "../../../src/cli/Cli.ts"

const MAIN = resolve(import.meta.dir, "../../../src/main.ts")

/** Runs a command within this process, with these settings and no others; gives what it printed. */
export const runHere = async (words: string, settings: Readonly<Record<string, string>>) => {
  const log: Array<string> = []
  const errors: Array<string> = []
  const spies = [
    spyOn(console, "log").mockImplementation((line) => void log.push(`${line}\n`)),
    spyOn(console, "error").mockImplementation((line) => void errors.push(`${line}\n`))
  ]
  const exit = await Effect.runPromiseExit(
    run(Effect.void, ["bun", MAIN, ...words.split(" ")], settings).pipe(Effect.provide(BunContext.layer))
  )
  for (const spy of spies) spy.mockRestore()
  const [said, complaint] = [Bun.stripANSI(log.join("")), Bun.stripANSI(errors.join(""))]
  return { code: exitCode(exit), said, complaint, all: said + complaint }
}

const Findings = Schema.parseJson(
  Schema.Array(
    Schema.Struct({
      group: Schema.String,
      name: Schema.String,
      state: Schema.Literal("ok", "warn", "fail", "off"),
      detail: Schema.String,
      advice: Schema.String
    })
  )
)

/** The findings of `linkbower doctor`, and how to look among them. */
export const examined = async (settings: Readonly<Record<string, string>>, options = "") => {
  const ran = await runHere(`doctor --json${options}`, settings)
  const findings = Schema.decodeUnknownSync(Findings)(ran.said)
  return {
    ...ran,
    findings,
    /** `state: detail | advice` of the one in this group with this name; "none" where there is none. */
    line: (group: string, name: string) => {
      const found = findings.find((one) => one.group === group && one.name === name)
      return found === undefined ? "none" : `${found.state}: ${found.detail} | ${found.advice}`
    },
    /** The names of a group's findings in this state. */
    named: (state: string, group?: string) =>
      findings
        .filter((one) => one.state === state && (group === undefined || one.group === group))
        .map(({ name }) => name)
  }
}

type Reply = (request: Request) => Response | Promise<Response>

/** A server on loopback that remembers what it was asked. */
export const answering = (reply: Reply) => {
  const fake = { reply, asked: [] as string[] }
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      fake.asked.push(`${request.method} ${new URL(request.url).pathname}`)
      return fake.reply(request)
    }
  })
  const port = server.port ?? 0
  return Object.assign(fake, {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: () => server.stop(true)
  })
}

/** An address at which nothing listens any more. */
export const closedPort = async () => {
  const { port, stop } = answering(() => new Response())
  await stop()
  return port
}
