import { expect, test } from "bun:test"
import { delicious } from "../../src/bookmarks/Delicious.ts"
import { describeData } from "../support/data.ts"
import { bookmark, bookmarksIn, realFile } from "./support/files.ts"

describeData("bookmarks", "Delicious' real export", () => {
  test("reads all of it", async () =>
    expect(await bookmarksIn(delicious, realFile("json/delicious.json"))).toEqual([
      bookmark({
        place: 1,
        url: "https://addyosmani.com/basket.js/",
        title: "basket.js - a simple script loader that caches scripts with localStorage",
        note: '"A simple (proof-of-concept) script loader that caches scripts with localStorage"',
        tags: ["basket", "javascript", "loader", "localStorage"],
        createdAt: "2013-01-18T17:53:27.000Z"
      }),
      bookmark({
        place: 2,
        url: "https://stackoverflow.com/review/",
        title: "Review - Stack Overflow",
        createdAt: "2013-01-17T21:17:17.000Z"
      }),
      bookmark({
        place: 3,
        url: "https://feross.org/spoofmac/",
        title: "Announcing SpoofMAC - Spoof your MAC address in Mac OS X",
        tags: ["MAC_address", "osx", "mac", "spoof"],
        createdAt: "2013-01-17T12:29:56.000Z"
      })
    ]))
})
