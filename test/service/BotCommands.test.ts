import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { commands } from "../../src/telegram/Commands.ts"
import { ownerMessage } from "../support/ownerChat.ts"
import { makeClient, makeWorld, startService, until } from "../support/service.ts"

// A test that is cut off would take the service with it.
setDefaultTimeout(60_000)
/** The slowest answer waits its turn among all the others, one a second. */
const PATIENCE = 30

/** A service with six links of a kind, and the world it answers. */
const start = async () => {
  const world = await makeWorld()
  const service = await startService(world.settings)
  const client = makeClient(service, world)
  const page = (n: number) =>
    client.capture({ url: `${world.pages.url}/plain?t=Sourdough+bread+recipe+number+${n}` })
  await Promise.all(Array.from({ length: 6 }, (_, n) => page(n + 1)))
  // The model puts whatever it is shown on one shelf.
  world.model.reply = JSON.stringify({
    links: [1, 2, 3, 4, 5, 6].map((id) => ({ id, category: "kitchen" }))
  })
  return { world, service, client }
}
type Started = Awaited<ReturnType<typeof start>>

// The platform takes a message a second: two chats get through in half the time.
let services: ReadonlyArray<Started> = []
beforeAll(async () => {
  services = await Promise.all([start(), start()])
})
afterAll(async () => {
  for (const { service, world } of services) {
    await service.stop()
    service.clean()
    await world.stop()
  }
})

const answerTo = ({ world }: Started, message: number) =>
  until(
    () =>
      world.telegram.calls.find(({ body, method }) => {
        const { message_id } = Object(body["reply_parameters"])
        return method === "sendMessage" && message_id === message
      })?.body,
    PATIENCE
  )

/** What is sent, what its answer says, and what it does besides. */
const said: Record<Name, readonly [args: string, answer: RegExp]> = {
  find: ["sourdough", /6 matches for “sourdough”/],
  recent: ["3", /Saved last/],
  favorites: ["", /No favorites/],
  inbox: ["", /in no collection|in a collection/],
  random: ["", /Sourdough bread/],
  similar: ["#1", /Similar to #1 Sourdough/],
  collections: ["", /collection/],
  note: ["#2 with rye flour", /Note changed: /],
  move: ["3 Baking", /Now in Baking/],
  share: ["4", /Now on the public list/],
  retry: ["", /Retrying/],
  refresh: ["5", /Refreshing/],
  delete: ["#6", /Delete .* permanently\?/],
  undo: ["", /Undone|Nothing left/],
  organize: ["", /Organizing|Already running/],
  recategorize: ["", /Recategorizing/],
  dupes: ["", /Looking for duplicates/],
  stats: ["", /<b>6 links<\/b>/],
  save: ["", /no link in this message/],
  start: ["", /Send me a link and I’ll save it/],
  help: ["", /\/find words/]
}

type Name = (typeof commands)[number]["name"]

/** Sends the commands one behind another and looks at every answer. */
const sendAll = async (started: Started, names: ReadonlyArray<Name>) => {
  const messages = new Map<Name, number>()
  for (const name of names) {
    const update = ownerMessage(`/${name}@my_bot ${said[name][0]}`.trim())
    messages.set(name, update.message.message_id)
    expect((await started.client.webhook(update)).status).toBe(200)
  }
  for (const [name, message] of messages) {
    const body = await answerTo(started, message)
    expect([name, String(body["text"])]).toEqual([name, expect.stringMatching(said[name][1])])
  }
}

const edited = ({ world }: Started, text: RegExp) =>
  until(
    () =>
      world.telegram.calls.some(
        ({ body, method }) => method === "editMessageText" && text.test(String(body["text"]))
      ),
    PATIENCE
  )

const names = commands.map(({ name }) => name)
const half = names.indexOf("undo")

describe("every command, over HTTP", () => {
  test("is answered, does what it says, and tells how it ended", async () => {
    const [first, second] = services
    if (first === undefined || second === undefined) throw new Error("no service")
    await Promise.all([sendAll(first, names.slice(0, half)), sendAll(second, names.slice(half))])
    const links = await first.client.links()
    expect(links.find(({ id }) => id === 2)).toMatchObject({ note: "with rye flour" })
    expect(links.length).toBe(6)
    await edited(second, /group|No duplicates/)
    await edited(second, /recategorized|No category changed/)
    expect((await second.client.links()).every(({ category }) => category === "kitchen")).toBe(true)
  })

  test("is offered in the menu of the owner's chat", async () => {
    for (const { world } of services) {
      const menu = await until(() => world.telegram.calls.find(({ method }) => method === "setMyCommands"))
      expect(JSON.stringify(menu.body)).toContain('"command":"find"')
    }
  })

  test("is answered with what Telegram would take, and no faster", () => {
    for (const { world } of services) {
      expect(world.telegram.problems).toEqual([])
      expect(world.telegram.broken()).toEqual([])
    }
  })
})
