import { join } from "node:path"
import { type Answer, noAnswer } from "./Answer.ts"
import type { TestPage } from "./Pages.ts"

/** A page for a worker to read. */
export interface ToWorker {
  readonly page: TestPage
}

/** A worker's reading of a page, or its word that it is ready. */
export interface FromWorker {
  readonly answer: Answer
  readonly milliseconds: number
  /** The error with which the library refused the page. */
  readonly failure: string | null
  /** The largest resident memory of the process so far, in bytes. */
  readonly memory: number
}

/** All that a library said, by page, and what it cost. */
export interface Reading {
  readonly name: string
  readonly answers: ReadonlyMap<string, Answer>
  readonly milliseconds: ReadonlyArray<number>
  /** The largest resident memory of its process, in bytes. */
  readonly memory: number
  readonly failures: ReadonlyMap<string, string>
}

/** The longest that one page may take; a worker that takes longer is stopped and reads no further page. */
const DEADLINE = 60_000
/** Pages that are read once before anything is timed. */
const WARM_UP = 10

const nothing = (failure: string): FromWorker => ({ answer: noAnswer, milliseconds: 0, failure, memory: 0 })

const startWorker = (name: string) => {
  let answered: (message: FromWorker) => void = () => {}
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "worker.ts"), name], {
    stdout: "ignore",
    stderr: "ignore",
    // Some libraries read a time without a zone in the zone of their process.
    env: { ...Bun.env, TZ: "UTC" },
    ipc: (message: FromWorker) => answered(message)
  })
  const reply = () =>
    new Promise<FromWorker>((resolve) => {
      const timer = setTimeout(() => {
        child.kill("SIGKILL")
        resolve(nothing("took too long"))
      }, DEADLINE)
      answered = (message) => {
        clearTimeout(timer)
        resolve(message)
      }
      child.exited.then(() => answered(nothing("its process ended")))
    })
  const ready = reply()
  return {
    name,
    ready,
    read: (page: TestPage) => {
      if (child.killed || child.exitCode !== null) return Promise.resolve(nothing("its process ended"))
      const answer = reply()
      child.send({ page })
      return answer
    },
    stop: async () => {
      if (child.exitCode === null && !child.killed) child.disconnect()
      await child.exited
    }
  }
}

/** A library's worker and what it has said so far. */
const startReading = (name: string) => {
  const answers = new Map<string, Answer>()
  const milliseconds: Array<number> = []
  const failures = new Map<string, string>()
  let memory = 0
  const worker = startWorker(name)
  return {
    ready: worker.ready,
    warmUp: worker.read,
    read: async (page: TestPage) => {
      const read = await worker.read(page)
      answers.set(page.id, read.answer)
      memory = Math.max(memory, read.memory)
      if (read.failure === null) milliseconds.push(read.milliseconds)
      else failures.set(page.id, read.failure)
    },
    finish: async (): Promise<Reading> => {
      await worker.stop()
      return { name, answers, milliseconds, memory, failures }
    }
  }
}

/**
 * Reads all pages with each library, in a process for each. The libraries take turns page by page, so that other load on
 * the machine affects all alike.
 */
export const readAll = async (
  names: ReadonlyArray<string>,
  pages: ReadonlyArray<TestPage>
): Promise<ReadonlyArray<Reading>> => {
  const started = names.map(startReading)
  for (const { ready } of started) await ready
  for (const page of pages.slice(0, WARM_UP)) for (const { warmUp } of started) await warmUp(page)
  for (const page of pages) for (const { read } of started) await read(page)
  return Promise.all(started.map(({ finish }) => finish()))
}
