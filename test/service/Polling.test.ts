import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { runHere } from "../cli/support/doctor.ts"
import { numberIn } from "../support/libraryFile.ts"
import { CHAT, type Running, type SeenLink, until, update, type World } from "../support/service.ts"
import { type TestService, type TestServiceOptions, withTestService } from "../support/testService.ts"
import { byTier, long } from "../support/tier.ts"

// A guard against hanging: a test that is cut off would take the service with it, and some wait for the starts of others.
setDefaultTimeout(600_000)

const KILLS = Number(process.env["CHAOS_ROUNDS"] ?? byTier(1, 8))

/** A service that fetches its updates and has no webhook. */
const polling = (options: TestServiceOptions, body: (service: TestService) => Promise<void>) =>
  withTestService(
    {
      ...options,
      settings: { TELEGRAM_MODE: undefined, WEBHOOK_SECRET: undefined, ...options.settings }
    },
    body
  )

let pages = 0
/** A message with a page of its own, as a person sends it. */
const messageIn = (world: World) => update(`${world.pages.url}/plain?t=Page+${pages++}`)
const urlOf = ({ message }: ReturnType<typeof update>) => message.text

const waitingIn = ({ folder }: Running) =>
  numberIn(join(folder, "data/library.db"), "SELECT count(*) FROM inbox WHERE state = 'waiting'")

/** Returns when Telegram has no more updates and all of them are processed. */
const isDone = ({ running, world }: Pick<TestService, "running" | "world">) =>
  world.telegram.updates.waiting().length === 0 && waitingIn(running) === 0

const allLinks = ({ client }: TestService) => client.links("?limit=1000&sort=oldest")

const expectEachOnce = (links: ReadonlyArray<SeenLink>, sent: ReadonlyArray<ReturnType<typeof update>>) =>
  expect(links.map(({ url }) => url).sort()).toEqual(sent.map(urlOf).sort())

/** How often the bot's messages, sent from call `from` on, name each link. */
const mentions = (world: World, from = 0) => {
  const texts = world.telegram.calls
    .slice(from)
    .filter(({ method }) => method === "sendMessage")
    .flatMap(({ body }) => [...String(body["text"]).matchAll(/#(\d+)\b/g)].map(([, id]) => Number(id)))
  return Map.groupBy(texts, (id) => id)
}

const expectEachReported = (links: ReadonlyArray<SeenLink>, seen: ReturnType<typeof mentions>) =>
  expect(links.map(({ id }) => [id, seen.get(id)?.length ?? 0])).toEqual(links.map(({ id }) => [id, 1]))

describe("a service that fetches its updates", () => {
  test.concurrent(`loses none and saves none twice, over ${KILLS} kills while they arrive`, () =>
    polling({}, async (service) => {
      const { restart, world } = service
      const sent: Array<ReturnType<typeof update>> = []
      // A reply is sent again if the process dies between Telegram's answer and the record of it, so replies wait until
      // the last death: then each must be in the queue once.
      world.telegram.answer = ({ method }) =>
        method === "sendMessage" ? new Response("Bad Gateway", { status: 502 }) : undefined
      for (let kill = 0; kill < KILLS; kill++) {
        // An update that was in progress at three deaths is given up, so each is exposed to one.
        await until(() => isDone(service))
        const burst = Array.from({ length: 4 }, () => messageIn(world))
        sent.push(...burst)
        for (const one of burst) {
          world.telegram.send(one)
          await Bun.sleep(Math.random() * 8)
        }
        // Half of the deaths fall between the arrival of a batch and its confirmation.
        await Bun.sleep(Math.random() * (kill % 2 === 0 ? 6 : 60))
        await restart("SIGKILL")
      }
      await until(() => isDone(service))
      const from = world.telegram.calls.length
      world.telegram.answer = () => undefined
      const links = await until(async () => {
        const all = await allLinks(service)
        const isComplete = all.every(({ enrichment }) => enrichment === "complete")
        return all.length >= sent.length && isComplete ? all : undefined
      })
      expectEachOnce(links, sent)
      await until(() => mentions(world, from).size === sent.length)
      expectEachReported(links, mentions(world, from))
      expect(world.telegram.problems).toEqual([])
    }))

  long(test.concurrent)(
    "hands over to a webhook and back while updates arrive, and loses and doubles none",
    () =>
      polling({}, async (service) => {
        const { running, world } = service
        const sent: Array<ReturnType<typeof update>> = []
        let isOver = false
        const people = (async () => {
          while (!isOver) {
            const one = messageIn(world)
            sent.push(one)
            world.telegram.send(one)
            await Bun.sleep(byTier(100, 400))
            // No faster than the service saves, on any machine.
            await until(() => world.telegram.updates.waiting().length < 3 && waitingIn(running) < 3)
          }
        })()
        const settings = {
          ENV_FILE: join(running.folder, ".env"),
          TELEGRAM_BOT_TOKEN: String(world.settings["TELEGRAM_BOT_TOKEN"]),
          TELEGRAM_API_URL: world.telegram.url
        }
        const logged = (line: string) => until(() => running.output().includes(line))
        /** Returns once three more updates have come in. */
        const threeMore = async () => {
          const count = sent.length
          const third = await until(() => sent[count + 3])
          const isWaiting = () =>
            world.telegram.updates.waiting().some(({ update_id }) => update_id <= third.update_id)
          await until(() => !isWaiting())
        }
        try {
          await threeMore()
          const set = await runHere(`webhook set --url ${running.base}`, settings)
          expect([set.code, set.error]).toEqual([0, ""])
          expect(set.out).toContain("stops fetching updates")
          await logged("to the webhook at")
          await threeMore()
          const calls = world.telegram.calls.length
          const removed = await runHere("webhook delete", settings)
          expect(removed.out).toContain("starts fetching updates")
          await until(() => world.telegram.calls.slice(calls).some(({ method }) => method === "getUpdates"))
          await threeMore()
        } finally {
          isOver = true
          await people
        }
        await until(() => isDone(service))
        const links = await allLinks(service)
        expectEachOnce(links, sent)
        await until(() => mentions(world).size === sent.length)
        expectEachReported(links, mentions(world))
      })
  )

  long(test.concurrent)("shares the updates of a bot with another one without losing any", () =>
    polling({}, (first) =>
      polling({ world: first.world }, async (second) => {
        const { world } = first
        const sent = Array.from({ length: 30 }, () => messageIn(world))
        const calls = world.telegram.calls.length
        for (const one of sent) {
          world.telegram.send(one)
          await Bun.sleep(100)
        }
        await until(() => isDone(first) && isDone(second))
        const libraries = [await allLinks(first), await allLinks(second)]
        const urls = libraries.map((links) => links.map(({ url }) => url))
        for (const one of urls) expect(new Set(one).size).toBe(one.length)
        expect([...new Set(urls.flat())].sort()).toEqual(sent.map(urlOf).sort())
        // Each conflict doubles the pause.
        const fetched = world.telegram.calls.slice(calls).filter(({ method }) => method === "getUpdates")
        expect(fetched.length).toBeLessThan(sent.length * 3)
        const log = first.running.output() + second.running.output()
        expect(log).toContain("another program fetches this bot's updates")
      })
    )
  )

  long(test.concurrent)("finds its owner's chat, and saves what comes after", () =>
    polling({ settings: { ALLOWED_CHAT_ID: undefined, TELEGRAM_MODE: "polling" } }, async (service) => {
      const { client, running, world } = service
      const library = join(running.folder, "data/library.db")
      const to = (chat: number) =>
        world.telegram.calls.filter(
          ({ body, method }) => method === "sendMessage" && body["chat_id"] === chat
        )
      const from = (id: number, type = "private", more = {}) => {
        const one = messageIn(world)
        const chat = { id, type, first_name: "Ann", last_name: "<b>Bee</b>" }
        return { ...one, message: { ...one.message, chat, ...more } }
      }
      world.telegram.send(from(CHAT), from(CHAT), from(777), from(-100, "supergroup"), from(-200, "channel"))
      await until(() => to(CHAT).length > 0 && to(777).length > 0)
      await until(() => world.telegram.updates.waiting().length === 0)
      const [code] = to(CHAT)
      expect(String(code?.body["text"])).toMatch(/<code>\d{6}<\/code>/)
      expect([to(CHAT).length, to(777).length, to(-100).length, to(-200).length]).toEqual([1, 1, 0, 0])
      expect(numberIn(library, "SELECT count(*) FROM inbox")).toBe(0)
      expect(numberIn(library, "SELECT count(*) FROM chat_claims")).toBe(2)

      running.writeEnv({ ALLOWED_CHAT_ID: String(CHAT) })
      const greeting = await until(() => to(CHAT)[1])
      expect(String(greeting.body["text"])).toContain("didn’t save")
      expect(numberIn(library, "SELECT count(*) FROM chat_claims")).toBe(0)
      const saved = from(CHAT)
      world.telegram.send(from(777), saved)
      await until(async () => (await client.count()) === 1)
      expect((await client.links()).map(({ url }) => url)).toEqual([urlOf(saved)])
      expect(to(777).length).toBe(1)
      expect(world.telegram.problems).toEqual([])
    })
  )

  long(test.concurrent)(
    "removes a webhook if it must fetch, follows a new token, and stops while a request is held",
    () =>
      polling({ settings: { TELEGRAM_BOT_TOKEN: undefined } }, async (service) => {
        const { client, running, world } = service
        world.telegram.webhook = { url: "https://links.example.org/webhook", pending_update_count: 0 }
        world.telegram.send(messageIn(world))
        running.writeEnv({ TELEGRAM_BOT_TOKEN: "77:one", TELEGRAM_MODE: "polling" })
        await until(async () => (await client.count()) === 1)
        expect(world.telegram.calls.find(({ method }) => method === "deleteWebhook")?.body).toEqual({
          drop_pending_updates: false
        })
        expect(world.telegram.webhook["url"]).toBe("")

        // Another bot numbers its updates from another number.
        const offsets = () =>
          world.telegram.calls.flatMap(({ body, method }) =>
            method === "getUpdates" ? [body["offset"] ?? "none"] : []
          )
        await until(() => typeof offsets().at(-1) === "number")
        const before = offsets().length
        running.writeEnv({ TELEGRAM_BOT_TOKEN: "78:two", TELEGRAM_MODE: "polling" })
        await until(() => offsets().length > before)
        expect(offsets().slice(before)).toEqual(["none"])
        running.writeEnv({ TELEGRAM_BOT_TOKEN: "77:three", TELEGRAM_MODE: "polling" })
        await until(() => typeof offsets().at(-1) === "number")

        await until(() => world.telegram.updates.isHeld())
        expect(await running.stop()).toBe(0)
        expect(world.telegram.updates.isHeld()).toBe(false)
        expect(running.output()).not.toContain('"ERROR"')
      })
  )
})
