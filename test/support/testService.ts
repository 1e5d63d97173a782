import { afterAll, beforeAll } from "bun:test"
import { type Client, makeClient, makeWorld, type Running, startService, type World } from "./service.ts"

/** How a test wants its service. */
export interface TestServiceOptions {
  /** The fake servers to use; by default the service gets its own. */
  readonly world?: World
  /** Settings in addition to those that point at the fake servers; undefined removes one. */
  readonly settings?: Readonly<Record<string, string | undefined>>
  /** The folder to run in; by default a new one. */
  readonly folder?: string
  readonly command?: ReadonlyArray<string>
}

/** A running service and the fake servers it talks to. */
export interface TestService {
  readonly world: World
  /** Sends requests to the service, also after it was restarted. */
  readonly client: Client
  /** The process that runs now, or ran last. */
  readonly running: Running
  /** Stops the service and starts it again in its folder; returns the exit code. */
  readonly restart: (signal?: NodeJS.Signals) => Promise<number>
  /** Kills the service, removes its folder, and stops its own fake servers. */
  readonly remove: () => Promise<void>
}

let starting: Promise<unknown> = Promise.resolve()

/** Starts one service after another: tests that run concurrently would otherwise make each other's starts time out. */
const startInTurn = (...options: Parameters<typeof startService>) => {
  const started = starting.then(() => startService(...options))
  starting = started.catch(() => undefined)
  return started
}

/** Starts a service among fake servers. */
export const startTestService = async ({
  command,
  folder,
  settings: more = {},
  world: shared
}: TestServiceOptions = {}): Promise<TestService> => {
  const world = shared ?? (await makeWorld())
  const settings = Object.fromEntries(
    Object.entries({ ...world.settings, ...more }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]]
    )
  )
  const stopWorld = async () => {
    if (shared === undefined) await world.stop()
  }
  let running = await startInTurn(settings, folder, command).catch(async (error) => {
    await stopWorld()
    throw error
  })
  const client = makeClient(
    {
      get base() {
        return running.base
      }
    },
    world
  )
  return {
    world,
    client,
    get running() {
      return running
    },
    restart: async (signal) => {
      const code = await running.stop(signal)
      running = await startInTurn(settings, running.folder, command)
      return code
    },
    remove: async () => {
      await running.stop("SIGKILL")
      running.clean()
      await stopWorld()
    }
  }
}

/** Runs `body` with a service of its own. */
export const withTestService = async (
  options: TestServiceOptions,
  body: (service: TestService) => Promise<void>
) => {
  const service = await startTestService(options)
  await body(service).finally(service.remove)
}

/** Starts a service before the tests of a file or a `describe`, and removes it after them. */
export const useTestService = (
  options: () => TestServiceOptions | Promise<TestServiceOptions> = () => ({})
) => {
  let service: TestService | undefined
  beforeAll(async () => {
    service = await startTestService(await options())
  })
  afterAll(() => service?.remove())
  return () => {
    if (service === undefined) throw new Error("the service has not started")
    return service
  }
}
