import { expect, test } from "bun:test"
import { isOfThisDevice } from "../../src/shared/OwnDevice.ts"

test("isOfThisDevice tells the addresses that no other device can open", () => {
  const here = ["http://localhost:8080/", "http://a.localhost/", "http://127.0.0.1/", "http://[::1]:1/x"]
  expect(here.filter((address) => !isOfThisDevice(address))).toEqual([])
  const open = ["https://localhost.example/", "http://192.168.1.2/", "https://links.example.org/", "nothing"]
  expect(open.filter(isOfThisDevice)).toEqual([])
})
