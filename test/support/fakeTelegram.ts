import { bodyOf, fakeFiles } from "./fakeFiles.ts"
import { type BotCall, excessOf } from "./telegramLimits.ts"
import { type Body, isMethod, problemsOf, readText } from "./telegramRules.ts"

/** An update as the platform numbers it. */
interface NumberedUpdate {
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
const fakeUpdates = () => {
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

const done = (result: unknown, description?: string) =>
  Response.json({ ok: true, result, ...(description === undefined ? {} : { description }) })

/**
 * Telegram's Bot API: remembers every call and when it came, keeps the messages and the webhook, and refuses what
 * Telegram would. `answer` may be replaced by an outage.
 */
export const fakeTelegram = () => {
  const calls: Array<BotCall> = []
  const problems: Array<string> = []
  const messages = new Map<string, string>()
  const noWebhook: Record<string, unknown> = {
    url: "",
    has_custom_certificate: false,
    pending_update_count: 0
  }
  const updates = fakeUpdates()
  const files = fakeFiles()
  let isDelivering = false
  // Far from the numbers tests give the owner's messages.
  let lastMessage = 500_000
  const fake = {
    calls,
    /** What Telegram would hold against any of the calls. */
    problems,
    /** The bot's name. */
    username: "my_bot",
    /** Whether the bot can be searched from other chats. */
    isInline: true,
    /** Whether the platform knows rich messages, which a server of one's own may not. */
    isRich: true,
    /** What `getWebhookInfo` answers. */
    webhook: noWebhook,
    /** The secret the webhook was registered with. */
    secret: "",
    answer: (_call: BotCall): Response | Promise<Response> | undefined => undefined,
    /** The updates that wait for the bot. */
    updates,
    /** People write to the bot: the updates wait until they are fetched, or until the webhook has accepted them. */
    send: (...sent: ReadonlyArray<NumberedUpdate>) => {
      updates.add(...sent)
      void deliverAll()
    },
    /** The files that people have sent to the bot. */
    files,
    texts: () => calls.map(({ body }) => String(body["text"] ?? "")),
    /** The calls beyond Telegram's limits. */
    broken: (limits?: Parameters<typeof excessOf>[1]) => excessOf(calls, limits),
    /** Delivers an update to the webhook, with its secret. */
    deliver: (update: unknown) =>
      fetch(String(fake.webhook["url"]), {
        method: "POST",
        headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": fake.secret },
        body: JSON.stringify(update)
      })
  }

  /** Posts the waiting updates to the webhook, in order, each until it is accepted. */
  const deliverAll = async () => {
    if (isDelivering) return
    isDelivering = true
    for (;;) {
      const [next] = updates.waiting()
      if (next === undefined || fake.webhook["url"] === "") break
      const isAccepted = await fake.deliver(next).then(
        ({ ok }) => ok,
        () => false
      )
      if (isAccepted) updates.remove(next.update_id)
      else await Bun.sleep(20)
    }
    isDelivering = false
  }

  const place = (body: Body, id: unknown) => `${body["chat_id"]}:${id}`
  const content = (body: Body) => JSON.stringify([readText(body), body["text"], body["reply_markup"]])
  const message = (body: Body, message_id: number) => ({
    message_id,
    date: Math.floor(Date.now() / 1000),
    chat: { id: Number(body["chat_id"]), type: Number(body["chat_id"]) < 0 ? "supergroup" : "private" },
    text: readText(body)
  })

  const methods: Record<string, (body: Body) => Response> = {
    getMe: () =>
      done({
        id: 123456,
        is_bot: true,
        first_name: "Linkbower",
        username: fake.username,
        supports_inline_queries: fake.isInline
      }),
    getChat: (body) =>
      done({ id: Number(body["chat_id"]), type: "private", first_name: "The", last_name: "Owner" }),
    sendMessage: (body) => {
      lastMessage += 1
      messages.set(place(body, lastMessage), content(body))
      return done(message(body, lastMessage))
    },
    sendRichMessage: (body) => {
      lastMessage += 1
      return done(message(body, lastMessage))
    },
    sendDocument: (body) => {
      lastMessage += 1
      return done({ ...message(body, lastMessage), document: { file_id: `sent ${lastMessage}` } })
    },
    getFile: ({ file_id }) => files.getFile(String(file_id)),
    editMessageText: (body) => {
      const at = place(body, body["message_id"])
      if (!messages.has(at)) return refused(400, "Bad Request: message to edit not found")
      if (messages.get(at) === content(body))
        return refused(
          400,
          "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"
        )
      messages.set(at, content(body))
      return done(message(body, Number(body["message_id"])))
    },
    setWebhook: ({ secret_token, drop_pending_updates, ...kept }) => {
      updates.interrupt()
      updates.want(kept["allowed_updates"])
      if (drop_pending_updates === true) updates.clear()
      fake.secret = String(secret_token)
      fake.webhook = { ...noWebhook, ...kept }
      void deliverAll()
      return done(true, "Webhook was set")
    },
    getWebhookInfo: () =>
      done({
        ...fake.webhook,
        pending_update_count: updates.waiting().length || fake.webhook["pending_update_count"]
      }),
    deleteWebhook: ({ drop_pending_updates }) => {
      if (drop_pending_updates === true) updates.clear()
      const was = fake.webhook["url"]
      fake.webhook = noWebhook
      return done(true, was === "" ? "Webhook is already deleted" : "Webhook was deleted")
    }
  }

  const answerTo = ({ body, method }: BotCall, isGone: AbortSignal): Response | Promise<Response> => {
    if (!isMethod(method) || (method === "sendRichMessage" && !fake.isRich)) return refused(404, "Not Found")
    const found = problemsOf(method, body)
    problems.push(...found.map((problem) => `${method}: ${problem}`))
    const [first] = found
    if (first?.startsWith("markup: ")) return refused(400, `Bad Request: can't parse entities: ${first}`)
    if (first !== undefined) return refused(400, `Bad Request: ${first}`)
    if (method === "getUpdates") return updates.getUpdates(body, fake.webhook["url"] !== "", isGone)
    return methods[method]?.(body) ?? done(true)
  }

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 120,
    fetch: async (request) => {
      const at = performance.now()
      const { pathname } = new URL(request.url)
      if (request.method === "GET") return files.download(pathname)
      const method = pathname.split("/").at(-1) ?? ""
      const body = await bodyOf(request)
      const call = { method, body, at }
      calls.push(call)
      return fake.answer(call) ?? answerTo(call, request.signal)
    }
  })
  return Object.assign(fake, {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port ?? 0,
    stop: () => server.stop(true)
  })
}
