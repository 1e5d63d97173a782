import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Context, Deferred, Effect, Fiber, Layer, Logger, Option, Stream, TestClock } from "effect"
import type { LinkId } from "../../src/domain/Link.ts"
import { OutgoingFiles } from "../../src/library/OutgoingFiles.ts"
import { ReplyQueue } from "../../src/library/ReplyQueue.ts"
import { MessageStore, PromptStore } from "../../src/store/chat/MessageStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { ChatError } from "../../src/telegram/BotApi.ts"
import { Chat, type ChatMessage } from "../../src/telegram/Chat.ts"
import { Outbox } from "../../src/telegram/Outbox.ts"
import { clockTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { newLink } from "../support/links.ts"
import { long } from "../support/tier.ts"

const it = clockTest(Layer.empty)

const CHAT = 4242
const messageOf = (html: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  chatId: CHAT,
  html,
  replyTo: 7,
  ...more
})

const rejected = (description: string) => new ChatError({ reason: "rejected", description })
const limited = new ChatError({ reason: "rate-limited", retryAfterSeconds: 90 })
const down = new ChatError({ reason: "unavailable" })

/** Files in memory that wait to be sent. */
const fakeOutgoing = () => {
  const files = new Map<string, string>()
  const layer = Layer.mock(OutgoingFiles, {
    pathOf: (name) => name,
    open: (name) =>
      Effect.sync(() =>
        Option.map(Option.fromNullable(files.get(name)), (text) => ({
          size: text.length,
          bytes: Stream.encodeText(Stream.make(text))
        }))
      ),
    remove: (name) => Effect.sync(() => void files.delete(name))
  })
  return { files, layer }
}

/** An outbox over an empty library, and a platform that a test can let fail; message ids start at 101. */
const makeOutbox = Effect.gen(function* () {
  const sent: Array<ChatMessage> = []
  const edits: Array<readonly [messageId: number, message: ChatMessage]> = []
  const logged: Array<string> = []
  const platform = {
    failure: (_message: ChatMessage, _isEdit: boolean): ChatError | undefined => undefined,
    /** The answer to a file, if it is not accepted. */
    fileFailure: (): ChatError | undefined => undefined,
    /** The answer to a rich message, if it is not accepted. */
    richFailure: (): ChatError | undefined => undefined,
    /** Runs after each message accepted. */
    afterwards: Effect.void
  }
  const outgoing = fakeOutgoing()
  /** The files that the platform accepted: name, text and caption. */
  const sentFiles: Array<readonly [name: string, text: string, caption: string]> = []
  /** The rich texts that the platform accepted. */
  const sentRich: Array<string> = []
  const answer = (message: ChatMessage, isEdit: boolean, take: () => void) =>
    Effect.suspend(() => {
      const failure = platform.failure(message, isEdit)
      if (failure !== undefined) return Effect.fail(failure)
      take()
      return Effect.as(platform.afterwards, { messageId: 100 + sent.length })
    })
  const chat = Layer.mock(Chat, {
    send: (message) => answer(message, false, () => sent.push(message)),
    sendFile: (message, { bytes, name, size }) =>
      Effect.gen(function* () {
        const failure = platform.fileFailure()
        if (failure !== undefined) return yield* failure
        const text = yield* Effect.orDie(Stream.mkString(Stream.decodeText(bytes)))
        if (text.length !== size) return yield* Effect.die("another size")
        return yield* answer(message, false, () => sentFiles.push([name, text, message.html]))
      }),
    sendRich: (message, rich) =>
      Effect.suspend(() => platform.richFailure() ?? answer(message, false, () => sentRich.push(rich.html))),
    edit: (messageId, message) =>
      Effect.asVoid(answer(message, true, () => edits.push([messageId, message]))),
    acknowledge: () => Effect.void,
    react: () => Effect.void,
    typing: () => Effect.void
  })
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make<unknown, void>(({ logLevel, message }) => void logged.push(`${logLevel.label} ${message}`))
  )
  const context = yield* Layer.build(
    Layer.effect(Outbox, Outbox.make).pipe(
      Layer.provide([ReplyQueue.layer, outgoing.layer]),
      Layer.provideMerge(Layer.merge(stores(), chat))
    )
  )
  const outbox = Context.get(context, Outbox)
  const links = Context.get(context, LinkStore)
  const sql = Context.get(context, SqlClient.SqlClient)
  return {
    sent,
    sentFiles,
    sentRich,
    files: outgoing.files,
    edits,
    logged,
    platform,
    outbox,
    links,
    prompts: Context.get(context, PromptStore),
    linksOf: (messageId: number) =>
      Effect.map(Context.get(context, MessageStore).linksOf({ chatId: CHAT, messageId }), (found) =>
        found.map(({ linkId }) => linkId)
      ),
    sql,
    waiting: Effect.map(sql`SELECT id FROM outbox`, (rows) => rows.length),
    /** Starts the delivery, and waits until what is due is sent. */
    deliver: Effect.zipRight(
      Effect.forkScoped(Effect.provide(outbox.run, logger)),
      TestClock.adjust("0 millis")
    ),
    /** Adds a reply about a save of the link with this path. */
    addSave: Effect.fnUntraced(function* (path: string, more: Partial<ChatMessage> = {}) {
      const { created, link } = yield* links.upsert(newLink(path))
      const saves = [{ linkId: link.id, created }]
      yield* outbox.add(messageOf(`Saved ${path}`, { saves, ...more }), [link.id])
      return link.id
    })
  }
})

describe("Outbox", () => {
  it(
    "waits at a stop for the answer to the message under way, and does not send it again",
    Effect.gen(function* () {
      const { outbox, platform, sent, waiting } = yield* makeOutbox
      const answer = yield* Deferred.make<void>()
      platform.afterwards = Deferred.await(answer)
      yield* outbox.add(messageOf("first"), [])
      yield* outbox.add(messageOf("second"), [])
      const delivery = yield* Effect.fork(outbox.run)
      yield* TestClock.adjust("0 millis")
      const stop = yield* Effect.fork(Fiber.interrupt(delivery))
      yield* TestClock.adjust("900 millis")
      expect(yield* waiting).toBe(2)
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(stop)
      expect(sent.map(({ html }) => html)).toEqual(["first"])
      expect(yield* waiting).toBe(1)
    })
  )

  it(
    "stops after a second without an answer, and keeps the message",
    Effect.gen(function* () {
      const { outbox, platform, waiting } = yield* makeOutbox
      platform.afterwards = Effect.never
      yield* outbox.add(messageOf("first"), [])
      const delivery = yield* Effect.fork(outbox.run)
      yield* TestClock.adjust("0 millis")
      const stop = yield* Effect.fork(Fiber.interrupt(delivery))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(stop)
      expect(yield* waiting).toBe(1)
    })
  )

  it(
    "sends replies in order, and stores which links each is about",
    Effect.gen(function* () {
      const { addSave, deliver, linksOf, outbox, sent, waiting } = yield* makeOutbox
      const first = yield* addSave("a")
      yield* outbox.add(messageOf("help"), [])
      const third = yield* addSave("c")
      yield* deliver
      expect(sent.map(({ html }) => html)).toEqual(["Saved a", "help", "Saved c"])
      expect([yield* linksOf(101), yield* linksOf(102), yield* linksOf(103)]).toEqual([[first], [], [third]])
      expect(yield* waiting).toBe(0)
    })
  )

  it(
    "edits the message that a reply replaces, or sends a new one",
    Effect.gen(function* () {
      const { deliver, edits, outbox, platform, sent, waiting } = yield* makeOutbox
      yield* outbox.add(messageOf("card", { replaces: 5 }), [])
      yield* deliver
      expect([edits.map(([id, { html }]) => [id, html]), sent.length]).toEqual([[[5, "card"]], 0])
      platform.failure = (_, isEdit) =>
        isEdit ? rejected("Bad Request: message can't be edited") : undefined
      yield* outbox.add(messageOf("next", { replaces: 5 }), [])
      yield* TestClock.adjust("1 second")
      expect(sent.map(({ html }) => html)).toEqual(["next"])
      yield* outbox.add(messageOf("only an edit", { replaces: 5, editsOnly: true }), [])
      yield* TestClock.adjust("1 second")
      expect([sent.length, yield* waiting]).toEqual([1, 0])
    })
  )

  it(
    "keeps only the last edit of a message while rate-limited",
    Effect.gen(function* () {
      const { deliver, edits, outbox, platform } = yield* makeOutbox
      platform.failure = () => limited
      yield* outbox.add(messageOf("one", { replaces: 5 }), [])
      yield* deliver
      yield* outbox.add(messageOf("two", { replaces: 5 }), [])
      yield* outbox.add(messageOf("other message", { replaces: 6 }), [])
      yield* outbox.add(messageOf("other chat", { replaces: 5, chatId: 4343 }), [])
      yield* outbox.add(messageOf("three", { replaces: 5 }), [])
      platform.failure = () => undefined
      yield* TestClock.adjust("5 seconds")
      yield* TestClock.adjust("90 seconds")
      expect(edits.map(([, { html }]) => html)).toEqual(["other message", "other chat", "three"])
    })
  )

  it(
    "waits as long as the platform asks",
    Effect.gen(function* () {
      const { addSave, deliver, platform, sent } = yield* makeOutbox
      let tries = 0
      platform.failure = () => {
        tries += 1
        return tries === 1 ? limited : undefined
      }
      yield* addSave("a")
      yield* addSave("b")
      yield* deliver
      yield* TestClock.adjust("88 seconds")
      expect([tries, sent.length]).toEqual([1, 0])
      yield* TestClock.adjust("4 seconds")
      expect(sent.map(({ html }) => html)).toEqual(["Saved a", "Saved b"])
    })
  )

  it(
    "retries with backoff, and drops a reply after a week",
    Effect.gen(function* () {
      const { addSave, deliver, logged, platform, sent, sql, waiting } = yield* makeOutbox
      const tries: Array<number> = []
      let now = 0
      platform.failure = () => {
        tries.push(now)
        return down
      }
      yield* addSave("a")
      yield* deliver
      for (; now < 70; now += 7) yield* TestClock.adjust("7 seconds")
      expect(tries.length).toBeLessThan(10)
      expect(tries.length).toBeGreaterThan(4)
      yield* sql`UPDATE outbox SET created_at = '1969-12-24T12:00:00.000Z'`
      yield* TestClock.adjust("70 seconds")
      expect([sent.length, yield* waiting]).toEqual([0, 0])
      expect(logged.filter((line) => line.includes("is dropped"))).toEqual([
        "WARN reply 1 is dropped: unavailable"
      ])
    })
  )

  it(
    "combines many saves into digests of 30 links, in order",
    Effect.gen(function* () {
      const { addSave, deliver, linksOf, outbox, sent, waiting } = yield* makeOutbox
      const ids: Array<LinkId> = []
      for (let n = 0; n < 65; n++) ids.push(yield* addSave(`p${n}`))
      yield* outbox.add(messageOf("help"), [])
      for (const n of [1, 2]) yield* addSave(`again${n}`)
      yield* deliver
      expect(sent.length).toBe(6)
      expect(sent.map(({ html, replyTo }) => [html.split("\n")[0], replyTo])).toEqual([
        ["30 saved", null],
        ["30 saved", null],
        ["5 saved", null],
        ["help", 7],
        ["Saved again1", 7],
        ["Saved again2", 7]
      ])
      expect(yield* linksOf(101)).toEqual(ids.slice(0, 30))
      expect(yield* linksOf(103)).toEqual(ids.slice(60))
      expect(yield* waiting).toBe(0)
    })
  )

  it(
    "lists each link once in a digest, without deleted ones",
    Effect.gen(function* () {
      const { addSave, deliver, links, linksOf, sent } = yield* makeOutbox
      const a = yield* addSave("a")
      yield* addSave("a")
      const b = yield* addSave("b")
      yield* addSave("a")
      const gone = yield* addSave("gone")
      yield* links.remove([gone])
      yield* deliver
      expect(sent.map(({ html }) => html.split("\n")[0])).toEqual(["2 saved"])
      expect(yield* linksOf(101)).toEqual([a, b])
    })
  )

  it(
    "combines only the saves of one topic, and sends the digest there",
    Effect.gen(function* () {
      const { addSave, deliver, sent } = yield* makeOutbox
      for (const more of [{ topic: 9 }, { topic: 5 }, {}])
        for (const n of [1, 2, 3, 4]) yield* addSave(`p${n}`, more)
      yield* deliver
      expect(sent.map(({ html, topic }) => [html.split("\n")[0], topic])).toEqual([
        ["4 saved", 9],
        ["4 already here", 5],
        ["4 already here", undefined]
      ])
    })
  )

  it(
    "sends up to three saves per chat one by one",
    Effect.gen(function* () {
      const { addSave, deliver, sent } = yield* makeOutbox
      for (const n of [1, 2, 3]) yield* addSave(`mine${n}`)
      for (const n of [1, 2, 3]) yield* addSave(`theirs${n}`, { chatId: 4343 })
      yield* deliver
      expect(sent.map(({ chatId, html }) => [chatId, html])).toEqual([
        [CHAT, "Saved mine1"],
        [CHAT, "Saved mine2"],
        [CHAT, "Saved mine3"],
        [4343, "Saved theirs1"],
        [4343, "Saved theirs2"],
        [4343, "Saved theirs3"]
      ])
    })
  )

  it(
    "includes replies that arrive during a wait in the next digest",
    Effect.gen(function* () {
      const { addSave, deliver, platform, sent } = yield* makeOutbox
      platform.failure = () => limited
      yield* addSave("p0")
      yield* deliver
      for (let n = 1; n < 10; n++) yield* addSave(`p${n}`)
      platform.failure = () => undefined
      yield* TestClock.adjust("92 seconds")
      expect(sent.map(({ html }) => html.split("\n")[0])).toEqual(["10 saved"])
    })
  )

  it(
    "sends a prompt as a new message, and stores it",
    Effect.gen(function* () {
      const { addSave, deliver, edits, outbox, prompts, sent } = yield* makeOutbox
      const linkId = yield* addSave("a")
      yield* outbox.add(
        messageOf("Which collection?", { replaces: 5, asks: { linkId, what: "collection" } }),
        []
      )
      yield* deliver
      expect([sent.length, edits.length]).toEqual([2, 0])
      expect(yield* prompts.of({ chatId: CHAT, messageId: 102 })).toEqual(
        Option.some({ linkId, what: "collection" })
      )
      expect(yield* prompts.of({ chatId: CHAT, messageId: 101 })).toEqual(Option.none())
    })
  )

  for (const reason of [
    "Forbidden: bot was blocked by the user",
    "Bad Request: chat not found",
    "Bad Request: group chat was upgraded to a supergroup chat; update ALLOWED_CHAT_ID to -100123"
  ])
    it(
      `logs one error while no reply can be sent: ${reason}`,
      Effect.gen(function* () {
        const { deliver, edits, logged, outbox, platform, sent, waiting } = yield* makeOutbox
        platform.failure = () => rejected(reason)
        yield* outbox.add(messageOf("one"), [])
        yield* outbox.add(messageOf("two", { replaces: 5 }), [])
        yield* outbox.add(messageOf("three"), [])
        yield* deliver
        const error = `ERROR dropping replies until this is fixed: rejected, ${reason}`
        expect([logged, yield* waiting, edits.length]).toEqual([[error], 0, 0])
        platform.failure = () => undefined
        yield* outbox.add(messageOf("four"), [])
        yield* TestClock.adjust("1 second")
        platform.failure = () => rejected(reason)
        yield* outbox.add(messageOf("five"), [])
        yield* TestClock.adjust("1 second")
        expect([logged, sent.map(({ html }) => html)]).toEqual([[error, error], ["four"]])
      })
    )

  it(
    "does not resend a reply while the database rejects writes",
    Effect.gen(function* () {
      const { addSave, deliver, linksOf, platform, sent, sql, waiting } = yield* makeOutbox
      platform.afterwards = Effect.asVoid(Effect.orDie(sql`PRAGMA query_only = 1`))
      const id = yield* addSave("a")
      yield* deliver
      yield* TestClock.adjust("20 seconds")
      expect([sent.length, yield* waiting]).toEqual([1, 1])
      yield* sql`PRAGMA query_only = 0`
      yield* TestClock.adjust("6 seconds")
      expect([sent.length, yield* waiting, yield* linksOf(101)]).toEqual([1, 0, [id]])
    })
  )

  it(
    "logs once that there is no token",
    Effect.gen(function* () {
      const { addSave, deliver, logged, platform, waiting } = yield* makeOutbox
      platform.failure = () => new ChatError({ reason: "not-configured" })
      yield* addSave("a")
      yield* addSave("b")
      yield* deliver
      expect([logged, yield* waiting]).toEqual([
        ["ERROR dropping replies until this is fixed: TELEGRAM_BOT_TOKEN is unset"],
        0
      ])
    })
  )

  it(
    "drops a reply that the platform rejects, and sends the next",
    Effect.gen(function* () {
      const { deliver, logged, outbox, platform, sent } = yield* makeOutbox
      platform.failure = ({ html }) =>
        html === "bad" ? rejected("Bad Request: message is too long") : undefined
      yield* outbox.add(messageOf("bad"), [])
      yield* outbox.add(messageOf("good"), [])
      yield* deliver
      expect(sent.map(({ html }) => html)).toEqual(["good"])
      expect(logged).toEqual(["WARN reply 1 is dropped: rejected, Bad Request: message is too long"])
    })
  )

  it(
    "sends later replies before one that keeps failing, and retries that for a day",
    Effect.gen(function* () {
      const { addSave, deliver, logged, outbox, platform, sent, waiting } = yield* makeOutbox
      let tries = 0
      platform.failure = ({ html }) => {
        if (html !== "bad") return undefined
        tries += 1
        return down
      }
      yield* outbox.add(messageOf("bad"), [])
      yield* outbox.add(messageOf("one"), [])
      yield* deliver
      yield* TestClock.adjust("10 seconds")
      expect(sent.map(({ html }) => html)).toEqual(["one"])
      expect(logged.filter((line) => line.includes("steps aside")).length).toBe(1)
      yield* addSave("two")
      yield* TestClock.adjust("1 second")
      expect(sent.map(({ html }) => html)).toEqual(["one", "Saved two"])
      yield* TestClock.adjust("23 hours")
      expect([tries > 10, tries < 60, yield* waiting]).toEqual([true, true, 1])
      yield* TestClock.adjust("3 hours")
      expect(yield* waiting).toBe(0)
      expect(logged.filter((line) => line.includes("is dropped")).length).toBe(1)
    }),
    60_000
  )

  it(
    "sends a new reply at once while an earlier one keeps failing",
    Effect.gen(function* () {
      const { deliver, outbox, platform, sent } = yield* makeOutbox
      platform.failure = ({ html }) => (html === "bad" ? down : undefined)
      yield* outbox.add(messageOf("bad"), [])
      yield* deliver
      yield* TestClock.adjust("30 minutes")
      yield* outbox.add(messageOf("new"), [])
      yield* TestClock.adjust("1 second")
      expect(sent.map(({ html }) => html)).toEqual(["new"])
    })
  )

  it(
    "keeps replies in order during an outage, and sends them all afterwards",
    Effect.gen(function* () {
      const { deliver, logged, outbox, platform, sent, waiting } = yield* makeOutbox
      let tries = 0
      platform.failure = () => {
        tries += 1
        return down
      }
      const texts = Array.from({ length: 10 }, (_, n) => `reply ${n}`)
      for (const text of texts) yield* outbox.add(messageOf(text), [])
      yield* deliver
      yield* TestClock.adjust("6 hours")
      expect([sent.length, yield* waiting, tries > 30, tries < 120]).toEqual([0, 10, true, true])
      platform.failure = () => undefined
      yield* TestClock.adjust("5 minutes")
      expect(sent.map(({ html }) => html).toSorted()).toEqual(texts)
      // One reply was tried out of order, to test whether the platform is back.
      expect(sent.filter(({ html }, n) => html !== texts[n]).length).toBeLessThanOrEqual(2)
      expect(logged.filter((line) => /steps aside|dropped/.test(line))).toEqual([])
    }),
    60_000
  )

  it(
    "holds back only the result of a job until its first message is sent",
    Effect.gen(function* () {
      const { deliver, outbox, platform, sent } = yield* makeOutbox
      platform.failure = ({ html }) => (html === "started" ? down : undefined)
      yield* outbox.add(messageOf("started", { job: 1 }), [])
      yield* outbox.add(messageOf("ended", { job: 1 }), [])
      yield* outbox.add(messageOf("other"), [])
      yield* deliver
      yield* TestClock.adjust("60 seconds")
      expect(sent.map(({ html }) => html)).toEqual(["other"])
      platform.failure = () => undefined
      yield* TestClock.adjust("2 hours")
      expect(sent.map(({ html }) => html)).toEqual(["other", "started", "ended"])
    })
  )

  it(
    "isolates the reply that makes a digest fail",
    Effect.gen(function* () {
      const { addSave, deliver, platform, sent } = yield* makeOutbox
      platform.failure = ({ html }) => (html.includes("/p2") ? down : undefined)
      for (let n = 0; n < 6; n++) yield* addSave(`p${n}`)
      yield* deliver
      yield* TestClock.adjust("10 minutes")
      const text = sent.map(({ html }) => html).join(" ")
      for (const n of [0, 1, 3, 4, 5]) expect(text).toContain(`p${n}`)
      expect(text).not.toContain("/p2")
    })
  )
})

describe("a reply with a file", () => {
  const document = { file: "4242-7", name: "linkbower.json", otherwise: "It cannot be sent." }
  const withFile = messageOf("Your library: 2 links.", { document })

  it(
    "is sent with its caption, and the file is removed",
    Effect.gen(function* () {
      const { deliver, files, outbox, sent, sentFiles, waiting } = yield* makeOutbox
      files.set(document.file, "two links")
      yield* outbox.add(withFile, [])
      yield* deliver
      expect(sentFiles).toEqual([["linkbower.json", "two links", "Your library: 2 links."]])
      expect([sent, files.size, yield* waiting]).toEqual([[], 0, 0])
    })
  )

  it(
    "waits for the end of an outage, once, with its file",
    Effect.gen(function* () {
      const { deliver, files, outbox, platform, sentFiles } = yield* makeOutbox
      files.set(document.file, "two links")
      let isDown = true
      platform.fileFailure = () => (isDown ? down : undefined)
      yield* outbox.add(withFile, [])
      yield* deliver
      yield* TestClock.adjust("20 minutes")
      expect([sentFiles.length, files.size]).toEqual([0, 1])
      isDown = false
      yield* TestClock.adjust("10 minutes")
      expect([sentFiles.length, files.size]).toEqual([1, 0])
    })
  )

  it(
    "becomes a text if the platform refuses the file, or it is gone",
    Effect.gen(function* () {
      const { deliver, files, outbox, platform, sent, sentFiles } = yield* makeOutbox
      files.set(document.file, "two links")
      platform.fileFailure = () => rejected("Request Entity Too Large")
      yield* outbox.add(withFile, [])
      yield* outbox.add({ ...withFile, document: { ...document, file: "4242-8" } }, [])
      yield* deliver
      yield* TestClock.adjust("10 seconds")
      expect(sent).toEqual([messageOf("It cannot be sent."), messageOf("It cannot be sent.")])
      expect([sentFiles.length, files.size]).toEqual([0, 0])
    })
  )

  long(it)(
    "is dropped with its file after a week without the platform, which counts as an outage",
    Effect.gen(function* () {
      const { deliver, files, outbox, platform, sql, waiting } = yield* makeOutbox
      files.set(document.file, "two links")
      platform.fileFailure = () => down
      platform.failure = () => down
      yield* outbox.add(withFile, [])
      yield* deliver
      yield* TestClock.adjust("8 days")
      expect([files.size, yield* waiting]).toEqual([0, 0])
      expect(yield* sql`SELECT dropped FROM outage`).toEqual([{ dropped: 1 }])
    })
  )
})

describe("a rich message", () => {
  const rich = messageOf("The beginning.", { rich: { html: "<p>All of it.</p>", isRightToLeft: false } })

  it(
    "is sent as it is, and as its text where the platform knows none or refuses it",
    Effect.gen(function* () {
      const { deliver, outbox, platform, sent, sentRich } = yield* makeOutbox
      yield* outbox.add(rich, [])
      yield* deliver
      expect([sentRich, sent]).toEqual([["<p>All of it.</p>"], []])
      for (const description of ["Not Found: method not found", "Not Found", "Bad Request: can't parse"]) {
        platform.richFailure = () => rejected(description)
        yield* outbox.add(rich, [])
        yield* TestClock.adjust("10 seconds")
        expect(sent.splice(0)).toEqual([messageOf("The beginning.")])
      }
    })
  )

  it(
    "waits for a platform that is down",
    Effect.gen(function* () {
      const { deliver, outbox, platform, sent, sentRich } = yield* makeOutbox
      let isDown = true
      platform.richFailure = () => (isDown ? down : undefined)
      yield* outbox.add(rich, [])
      yield* deliver
      yield* TestClock.adjust("10 minutes")
      expect([sentRich.length, sent.length]).toEqual([0, 0])
      isDown = false
      yield* TestClock.adjust("10 minutes")
      expect([sentRich.length, sent.length]).toEqual([1, 0])
    })
  )
})
