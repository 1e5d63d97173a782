import { describe, expect, test } from "bun:test"
import { youTube } from "../../../src/transfer/formats/YouTube.ts"
import { bookmark, fileOf, read } from "../support/files.ts"

describe("youTube", () => {
  const video = "https://www.youtube.com/watch?v="

  test("reads a playlist of an older export, whose first table has its name", async () =>
    expect(
      await read(
        youTube,
        fileOf(
          "Playlist Id,Channel Id,Time Created,Time Updated,Title,Description,Visibility\nWL,UC_x5XG1OV2P6uZZ5FSM9Ttw,2015-01-01 00:00:00 UTC,,Später ansehen,,Private\n\nVideo-ID,Hinzugefügt\ndQw4w9WgXcQ,2021-05-01 12:00:00 UTC\n",
          "x.csv"
        )
      )
    ).toEqual({
      bookmarks: [
        bookmark({
          place: 5,
          url: `${video}dQw4w9WgXcQ`,
          folders: ["Später ansehen"],
          createdAt: "2021-05-01T12:00:00.000Z",
          state: "unread"
        })
      ],
      unreadable: []
    }))

  test("reads a playlist in another language, with the name of its file", async () => {
    const file = fileOf(
      "Video-ID,Zeitstempel\ndQw4w9WgXcQ,2024-03-01T10:00:00+00:00\n",
      "Koch-Ideen-Videos.csv"
    )
    expect(youTube.recognizes(file)).toBe(true)
    expect((await read(youTube, file)).bookmarks).toMatchObject([
      { url: `${video}dQw4w9WgXcQ`, folders: ["Koch-Ideen"] }
    ])
  })

  test("knows the lists of pages to watch and of liked ones", async () => {
    const text = "Video ID,Playlist Video Creation Timestamp\ndQw4w9WgXcQ,2024-03-01T10:00:00+00:00\n"
    expect((await read(youTube, fileOf(text, "Watch later-videos.csv"))).bookmarks).toMatchObject([
      { folders: ["Watch later"], state: "unread", favorite: false }
    ])
    expect((await read(youTube, fileOf(text, "Liked videos.csv"))).bookmarks).toMatchObject([
      { folders: ["Liked videos"], state: "read", favorite: true }
    ])
  })

  test("reads subscriptions in any language", async () => {
    const file = fileOf(
      'Kanal-ID,Kanal-URL,Kanaltitel\nUCHnyfMqiRRG1u-2MsSQLbXA,http://www.youtube.com/channel/UCHnyfMqiRRG1u-2MsSQLbXA,"Wendover, Productions"\nUCtaaaaaaaaaaaaaaaaaaaaa,,Tango\n'
    )
    expect(youTube.recognizes(file)).toBe(true)
    expect((await read(youTube, file)).bookmarks).toEqual([
      bookmark({
        place: 2,
        url: "http://www.youtube.com/channel/UCHnyfMqiRRG1u-2MsSQLbXA",
        title: "Wendover, Productions"
      }),
      bookmark({ place: 3, url: "https://www.youtube.com/channel/UCtaaaaaaaaaaaaaaaaaaaaa", title: "Tango" })
    ])
  })

  test("reads an empty playlist", async () =>
    expect(await read(youTube, fileOf("Video ID,Playlist Video Creation Timestamp\n"))).toEqual({
      bookmarks: [],
      unreadable: []
    }))
})
