import { beforeEach, describe, expect, test } from "bun:test"
import { tell, toasts } from "../../web/app/state/toasts.ts"

const texts = () => toasts.value.map(({ text }) => text)

describe("messages", () => {
  beforeEach(() => {
    toasts.value = []
  })

  test("the newest stands last, where it is shown, and three wait at most", () => {
    for (const text of ["one", "two", "three", "four"]) tell(text)
    expect(texts()).toEqual(["two", "three", "four"])
  })

  test("about work behind leave the answer to the user in its place", () => {
    tell("The import was undone.")
    tell("Reading pages: 1 page read.", { isAside: true })
    expect(texts()).toEqual(["Reading pages: 1 page read.", "The import was undone."])
  })
})
