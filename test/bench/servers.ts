import { join } from "node:path"
import { AS_RELEASED } from "../support/program.ts"
import { EXTENSION_TOKEN, makeClient, makeWorld, startService, WEBHOOK_SECRET } from "../support/service.ts"

/** Starts the service as a process among fake servers, with these settings. */
export const startContestant = async (
  settings: Record<string, string> = {},
  folder?: string,
  command?: ReadonlyArray<string>
) => {
  const world = await makeWorld()
  const service = await startService(
    { ...world.settings, ...AS_RELEASED, ...settings },
    folder,
    command === undefined ? undefined : [...command]
  )
  const stop = async () => {
    await service.stop()
    service.clean()
    await world.stop()
  }
  return { ...service, world, client: makeClient(service, world), stop }
}
export type Contestant = Awaited<ReturnType<typeof startContestant>>

/** Starts a program of this folder that prints its port. */
const startProgram = async (program: string, ...args: ReadonlyArray<string>) => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, program), ...args], { stdout: "pipe" })
  const { value } = await child.stdout.getReader().read()
  const base = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`
  const stop = async () => {
    child.kill()
    await child.exited
  }
  return { base, stop }
}

export const startBare = (folder: string, library?: string) =>
  startProgram("bare.ts", folder, ...(library === undefined ? [] : [library]))

/** Starts only the webhook of the service, with at most `batch` arrivals per commit. */
export const startAcknowledger = (folder: string, batch: number) =>
  startProgram("acknowledger.ts", folder, String(batch))

let update = 1

/** Sends an update that the bot stores and ignores, so that only the acknowledgement is measured. */
export const acknowledge = async (base: string) => {
  const id = update++
  const body = JSON.stringify({
    update_id: id,
    message: { message_id: id, date: 0, chat: { id: 4242, type: "private" }, pinned_message: {} }
  })
  const headers = { "content-type": "application/json", "x-telegram-bot-api-secret-token": WEBHOOK_SECRET }
  const response = await fetch(`${base}/webhook`, { method: "POST", headers, body })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${base}/webhook answered ${response.status}`)
}

export const read = async (url: string, headers: Record<string, string>) => {
  const response = await fetch(url, { headers })
  const bytes = (await response.arrayBuffer()).byteLength
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return bytes
}

export const capture = async (base: string, url: string) => {
  const headers = { "content-type": "application/json", authorization: `Bearer ${EXTENSION_TOKEN}` }
  const response = await fetch(`${base}/capture/api/link`, {
    method: "POST",
    headers,
    body: JSON.stringify({ url })
  })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`a capture was answered ${response.status}`)
}
