import type { Body } from "./telegramRules.ts"

/** An update as the platform numbers it. */
export interface NumberedUpdate {
  readonly update_id: number
}

const refused = (error_code: number, description: string) =>
  Response.json({ ok: false, error_code, description }, { status: error_code })

const ACTIVE =
  "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
const OTHER =
  "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
const SET = "Conflict: terminated by setWebhook request"

/** The server's own bounds (tdlib/telegram-bot-api, Client.h and JsonUpdates). */
const MAX_HOLD_SECONDS = 50
const MAX_ANSWER = 1 << 22

const number = (value: unknown, otherwise: number, least: number, most: number) =>
  typeof value === "number" ? Math.min(most, Math.max(least, Math.trunc(value))) : otherwise

/**
 * The updates that wait for a bot, and `getUpdates` as the platform's server answers it: an offset confirms the updates
 * before it, a negative one all but the last, and one that is far from the queue nothing; a request without updates is
 * held; a second request, or a webhook, ends the first with 409.
 */
export const fakeUpdates = () => {
  let waiting: Array<NumberedUpdate> = []
  let kinds: ReadonlyArray<string> = []
  let held: { readonly answer: (response: Response) => void; readonly retry: () => void } | undefined
  /** The highest number that was ever given. */
  let tail = 0

  /** The kind of an update, its only field beside the number. */
  const isWanted = (update: NumberedUpdate) =>
    kinds.length === 0 || Object.keys(update).some((name) => kinds.includes(name))

  const batch = (limit: number) => {
    let left = MAX_ANSWER
    return waiting.slice(0, limit).filter((update) => {
      left -= 50 + JSON.stringify(update).length
      return left > 0
    })
  }

  const confirm = (offset: number) => {
    if (offset < 0) waiting = waiting.slice(offset)
    const head = waiting[0]?.update_id ?? tail + 1
    if (offset > tail + 10 || offset < head) return
    waiting = waiting.filter(({ update_id }) => update_id >= offset)
  }

  const end = (response: Response) => {
    held?.answer(response)
    held = undefined
  }

  return {
    /** The updates that are not confirmed. */
    waiting: () => waiting,
    /** Whether a request is being held. */
    isHeld: () => held !== undefined,
    /** Adds updates, and answers a request that waits for some. */
    add: (...updates: ReadonlyArray<NumberedUpdate>) => {
      for (const update of updates) {
        tail = update.update_id
        if (isWanted(update)) waiting.push(update)
      }
      held?.retry()
    },
    /** Removes updates that a webhook has taken. */
    remove: (id: number) => {
      waiting = waiting.filter(({ update_id }) => update_id !== id)
    },
    clear: () => {
      waiting = []
    },
    want: (allowed: unknown) => {
      if (Array.isArray(allowed)) kinds = allowed.map(String)
    },
    /** Ends a held request because a webhook was set. */
    interrupt: () => end(refused(409, SET)),
    getUpdates: (body: Body, hasWebhook: boolean, isGone: AbortSignal): Response | Promise<Response> => {
      if (hasWebhook) return refused(409, ACTIVE)
      if (Array.isArray(body["allowed_updates"])) kinds = body["allowed_updates"].map(String)
      confirm(number(body["offset"], 0, -(2 ** 31), 2 ** 31 - 1))
      const limit = number(body["limit"], 100, 1, 100)
      const seconds = number(body["timeout"], 0, 0, MAX_HOLD_SECONDS)
      const now = () => Response.json({ ok: true, result: batch(limit) })
      if (waiting.length > 0 || seconds === 0) return now()
      end(refused(409, OTHER))
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle(now()), seconds * 1000)
        const one = {
          answer: (response: Response) => {
            clearTimeout(timer)
            resolve(response)
          },
          retry: () => settle(now())
        }
        const settle = (response: Response) => {
          if (held === one) held = undefined
          one.answer(response)
        }
        // What a client that has hung up is sent is lost, and its updates stay unconfirmed.
        isGone.addEventListener("abort", () => settle(now()))
        held = one
      })
    }
  }
}
