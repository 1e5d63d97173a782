import { spyOn } from "bun:test"
import { BunContext } from "@effect/platform-bun"
import { type Duration, Effect, type Exit, Fiber, Schema, TestClock, TestContext } from "effect"
import { run } from "../../../src/cli/Cli.ts"
import { exitCode } from "../../../src/cli/Program.ts"
import { openLocal } from "../../../src/Local.ts"

/** Runs a command in this process, with only these settings; returns its output. */
export const runHere = async (words: string, settings: Readonly<Record<string, string>>) =>
  output(Effect.exit(commandWith(words, settings)))

/**
 * Runs a command in this process on a clock that jumps `skip` ahead once `isWaiting`, so that a test does not wait for
 * timeouts.
 */
export const runWithoutWaiting = (
  words: string,
  settings: Readonly<Record<string, string>>,
  { isWaiting, skip }: { readonly isWaiting: () => boolean; readonly skip: Duration.DurationInput }
) =>
  output(
    Effect.gen(function* () {
      const running = yield* Effect.fork(Effect.exit(commandWith(words, settings)))
      yield* Effect.promise(async () => {
        while (!isWaiting()) await Bun.sleep(5)
      })
      yield* TestClock.adjust(skip)
      return yield* Fiber.join(running)
    }).pipe(Effect.provide(TestContext.TestContext))
  )

const commandWith = (words: string, settings: Readonly<Record<string, string>>) =>
  run({ serve: Effect.void, openLocal }, words.split(" "), settings).pipe(Effect.provide(BunContext.layer))

const output = async <A, E>(ran: Effect.Effect<Exit.Exit<A, E>>) => {
  const log: Array<string> = []
  const errors: Array<string> = []
  const spies = [
    spyOn(console, "log").mockImplementation((line) => void log.push(`${line}\n`)),
    spyOn(console, "error").mockImplementation((line) => void errors.push(`${line}\n`)),
    // On a terminal the program does not use `console.error`.
    spyOn(process.stderr, "write").mockImplementation((text) => errors.push(String(text)) > 0)
  ]
  const exit = await Effect.runPromise(ran)
  for (const spy of spies) spy.mockRestore()
  const [out, error] = [Bun.stripANSI(log.join("")), Bun.stripANSI(errors.join(""))]
  return { code: exitCode(exit), out, error, all: out + error }
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

/** Runs `linkbower doctor` in this process. */
export const examine = async (settings: Readonly<Record<string, string>>, options = "") =>
  findingsOf(await runHere(`doctor --json${options}`, settings))

/** Parses the findings of `linkbower doctor --json`. */
export const findingsOf = (ran: Awaited<ReturnType<typeof runHere>>) => {
  const findings = Schema.decodeUnknownSync(Findings)(ran.out)
  return {
    ...ran,
    findings,
    /** `state: detail | advice` of the finding with this group and name, or "none". */
    line: (group: string, name: string) => {
      const found = findings.find((one) => one.group === group && one.name === name)
      return found === undefined ? "none" : `${found.state}: ${found.detail} | ${found.advice}`
    },
    /** The names of the findings in this state. */
    named: (state: string, group?: string) =>
      findings
        .filter((one) => one.state === state && (group === undefined || one.group === group))
        .map(({ name }) => name)
  }
}

type Reply = (request: Request) => Response | Promise<Response>

/** A server on loopback that records its requests. */
export const fakeServer = (reply: Reply) => {
  const fake = { reply, requests: [] as string[] }
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      fake.requests.push(`${request.method} ${new URL(request.url).pathname}`)
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

/** A port on which nothing listens. */
export const closedPort = async () => {
  const { port, stop } = fakeServer(() => new Response())
  await stop()
  return port
}
