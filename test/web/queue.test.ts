import { afterEach, describe, expect, test } from "bun:test"
import { type Concerned, inOrder } from "../../web/app/state/queue.ts"

const open: Array<PromiseWithResolvers<string>> = []

// The queue is one for the whole app, so no test may leave a request in it.
afterEach(async () => {
  while (open.length > 0) {
    for (const answer of open.splice(0)) answer.resolve("")
    await Bun.sleep(0)
  }
})

/** Requests that are answered by hand, and the order in which they were sent. */
const service = () => {
  const sent: Array<string> = []
  const answers = new Map<string, PromiseWithResolvers<string>>()
  const request = (name: string, ids: Concerned) =>
    inOrder(ids, () => {
      sent.push(name)
      const answer = Promise.withResolvers<string>()
      answers.set(name, answer)
      open.push(answer)
      return answer.promise
    })
  const settled = () => Bun.sleep(0)
  return {
    sent,
    request,
    answer: async (name: string) => {
      answers.get(name)?.resolve(name)
      await settled()
    },
    reject: async (name: string) => {
      answers.get(name)?.reject(new Error(name))
      await settled()
    }
  }
}

describe("the queue of changes", () => {
  test("sends changes of one link one after another", async () => {
    const { answer, request, sent } = service()
    const all = [request("a", [1]), request("b", [1]), request("c", [1])]
    expect(sent).toEqual(["a"])
    await answer("a")
    expect(sent).toEqual(["a", "b"])
    await answer("b")
    await answer("c")
    expect(await Promise.all(all)).toEqual(["a", "b", "c"])
  })

  test("sends changes of different links at once", () => {
    const { request, sent } = service()
    void request("a", [11])
    void request("b", [12, 13])
    expect(sent).toEqual(["a", "b"])
  })

  test("lets a change of many links wait for each of them", async () => {
    const { answer, request, sent } = service()
    void request("one", [21])
    void request("two", [22])
    void request("both", [21, 22, 23])
    void request("third", [23])
    void request("other", [24])
    expect(sent).toEqual(["one", "two", "other"])
    await answer("one")
    expect(sent).toEqual(["one", "two", "other"])
    await answer("two")
    expect(sent).toEqual(["one", "two", "other", "both"])
    await answer("both")
    expect(sent.at(-1)).toBe("third")
  })

  test("goes on after a failure, which concerns its own change only", async () => {
    const { answer, reject, request, sent } = service()
    const failed = request("a", [31]).catch((error: Error) => error.message)
    const next = request("b", [31])
    await reject("a")
    expect(sent).toEqual(["a", "b"])
    await answer("b")
    expect([await failed, await next]).toEqual(["a", "b"])
  })

  test("lets a change of unknown links wait for all, and all wait for it", async () => {
    const { answer, request, sent } = service()
    void request("a", [41])
    void request("any", "any")
    void request("b", [42])
    expect(sent).toEqual(["a"])
    await answer("a")
    expect(sent).toEqual(["a", "any"])
    await answer("any")
    expect(sent).toEqual(["a", "any", "b"])
  })
})
