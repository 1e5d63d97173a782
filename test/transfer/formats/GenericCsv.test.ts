import { describe, expect, test } from "bun:test"
import { csvHead, csvLink } from "../../../src/transfer/Csv.ts"
import { genericCsv } from "../../../src/transfer/formats/GenericCsv.ts"
import { describeData } from "../../support/data.ts"
import { bookmark, bookmarksIn, failure, fileOf, read, realFile } from "../support/files.ts"

describeData("bookmarks", "a real table of an unknown product", () => {
  test("is read by its column names", async () =>
    expect(
      await bookmarksIn(genericCsv, realFile("csv/karakeep-throws-error-for-invalid-readwise-reader-csv.csv"))
    ).toEqual([bookmark({ place: 2, url: "https://missing.com", title: "Missing Columns" })]))
})

describe("genericCsv", () => {
  test("recognizes columns by many names, in any case and order", async () =>
    expect(
      await bookmarksIn(
        genericCsv,
        fileOf(
          "\ufeffDate Added;Keywords;Comment;NAME;Link;List;Starred;Description\r\n2024-05-06 07:08;a|b, c;mine;A;https://a.example/;Work/Later;yes;of the page\r\n"
        )
      )
    ).toEqual([
      bookmark({
        place: 2,
        url: "https://a.example/",
        title: "A",
        note: "mine",
        description: "of the page",
        tags: ["a", "b, c"],
        folders: ["Work", "Later"],
        createdAt: "2024-05-06T07:08:00.000Z",
        favorite: true
      })
    ]))

  for (const [tags, wanted] of [
    ["a,b", ["a", "b"]],
    ["a; b c", ["a", "b c"]],
    ['["a","b"]', ["a", "b"]],
    ["", []]
  ] as const)
    test(`reads the tags ${tags}`, async () => {
      const file = fileOf(`url\ttags\nhttps://a.example/\t${tags}`)
      expect((await bookmarksIn(genericCsv, file))[0]?.tags).toEqual([...wanted])
    })

  test("uses the first column with a value", async () => {
    const file = fileOf("title,name,url\n,Second,https://a.example/")
    expect((await bookmarksIn(genericCsv, file))[0]?.title).toBe("Second")
  })

  test("reads Linkbower's own table", async () => {
    const link = {
      url: "https://a.example/",
      title: 'A "quoted", one',
      note: "first\nsecond",
      summary: "s",
      description: "d",
      tags: ["x", "y-z"],
      category: "article",
      collection: "CI/CD",
      favorite: true,
      shareable: false,
      state: "archived" as const,
      createdAt: "2024-05-06T07:08:09.123Z",
      updatedAt: "2025-05-06T07:08:09.123Z"
    }
    expect(
      await bookmarksIn(genericCsv, fileOf(csvHead + csvLink(link) + csvLink({ ...link, collection: null })))
    ).toEqual([
      bookmark({
        place: 2,
        url: link.url,
        title: link.title,
        note: link.note,
        description: "d",
        tags: ["x", "y-z"],
        folders: ["CI/CD"],
        createdAt: link.createdAt,
        favorite: true,
        state: "archived"
      }),
      bookmark({
        place: 4,
        url: link.url,
        title: link.title,
        note: link.note,
        description: "d",
        tags: ["x", "y-z"],
        createdAt: link.createdAt,
        favorite: true,
        state: "archived"
      })
    ])
  })

  test("reports rows without an address, and skips empty rows", async () => {
    const { bookmarks, unreadable } = await read(
      genericCsv,
      fileOf("url,title\nhttps://a.example/,A\n,B\n,\n\nhttps://c.example/,C")
    )
    expect(bookmarks.map(({ place }) => place)).toEqual([2, 6])
    expect(unreadable).toEqual([{ place: 3, reason: "It has no address." }])
  })

  test("reads rows shorter and longer than the header", async () => {
    const bookmarks = await bookmarksIn(
      genericCsv,
      fileOf("title,url\nA,https://a.example/,more\n\nB,https://b.example/")
    )
    expect(bookmarks.map(({ title }) => title)).toEqual(["A", "B"])
  })

  test("rejects a broken header, and finds one below empty lines", async () => {
    expect((await failure(genericCsv, fileOf('"url,title\nhttps://a.example/,A')))?.message).toBe(
      "The file is not a valid table of links (CSV)."
    )
    const below = fileOf("\n  \nurl,title\nhttps://a.example/,A")
    expect(await bookmarksIn(genericCsv, below)).toEqual([
      bookmark({ place: 4, url: "https://a.example/", title: "A" })
    ])
  })

  test("rejects a table without a column of addresses", async () => {
    const file = fileOf("name,age\nAnn,30")
    expect(genericCsv.recognizes(file)).toBe(false)
    expect((await failure(genericCsv, file))?.message).toBe("The file is not a valid table of links (CSV).")
  })
})

/** The links of a table as address, title, note, tags and folders. */
const rowsIn = async (text: string) => {
  expect(genericCsv.recognizes(fileOf(text))).toBe(true)
  return (await bookmarksIn(genericCsv, fileOf(text))).map(({ folders, note, tags, title, url }) => [
    url,
    title,
    note,
    tags,
    folders
  ])
}

const A = "https://a.example/"
const B = "https://b.example/"

describe("A header in another language", () => {
  const headers: Record<string, string> = {
    English: "Link,Title,Notes,Tags,Folder,Date",
    German: "Adresse;Titel;Notizen;Schlagwörter;Ordner;Datum",
    French: "Lien;Titre;Commentaire;Mots-clés;Dossier;Date d’ajout",
    Spanish: "Enlace;Título;Notas;Etiquetas;Carpeta;Fecha",
    Italian: "Indirizzo;Titolo;Commenti;Etichette;Cartella;Data",
    Portuguese: "Endereço;Título;Observações;Etiquetas;Pasta;Data",
    Dutch: "Webadres;Titel;Notities;Trefwoorden;Map;Datum",
    Polish: "Adres;Tytuł;Notatki;Tagi;Katalog;Data dodania",
    Russian: "Ссылка;Название;Заметки;Теги;Папка;Дата",
    Chinese: "网址,标题,备注,标签,文件夹,日期",
    Japanese: "リンク\tタイトル\tメモ\tタグ\tフォルダ\t日付"
  }
  for (const [language, header] of Object.entries(headers))
    test(`is understood: ${language}`, async () => {
      const mark = ["\t", ";", ","].find((one) => header.includes(one)) ?? ""
      const row = [A, "A", "my words", '"x|y"', "Work/Later", "2024-05-06"].join(mark)
      const [link] = await bookmarksIn(genericCsv, fileOf(`\ufeff${header}\r\n${row}\r\n`))
      expect(link).toEqual(
        bookmark({
          place: 2,
          url: A,
          title: "A",
          note: "my words",
          tags: ["x", "y"],
          folders: ["Work", "Later"],
          createdAt: "2024-05-06T00:00:00.000Z"
        })
      )
    })
})

describe("A table", () => {
  test("may be separated by vertical lines", async () =>
    expect(await rowsIn(`url|title|tags\n${A}|A, one; two|x,y`)).toEqual([
      [A, "A, one; two", "", ["x", "y"], []]
    ]))

  test("may name its delimiter as spreadsheets do", async () =>
    expect(await rowsIn(`sep=;\nurl;title\n${A};A, one`)).toEqual([[A, "A, one", "", [], []]]))

  test("may have line breaks and delimiters in quotation marks", async () =>
    expect(await rowsIn(`url;notes;title\n${A};"one;\ntwo, ""three""";A\n${B};;B`)).toEqual([
      [A, "A", 'one;\ntwo, "three"', [], []],
      [B, "B", "", [], []]
    ]))

  test("may leave out the scheme of its addresses", async () =>
    expect(await rowsIn("Website;Name\nwww.a.example/x;A\nhttps://b.example/;B\nc.example;C")).toEqual([
      ["https://www.a.example/x", "A", "", [], []],
      [B, "B", "", [], []],
      ["https://c.example", "C", "", [], []]
    ]))

  test("may have tags as hashtags, and what it calls read and archived", async () => {
    const [one, two] = await bookmarksIn(
      genericCsv,
      fileOf(`url,tags,archived,toread\n${A},#x #y,true,\n${B},,no,yes`)
    )
    expect([one?.tags, one?.state, two?.tags, two?.state]).toEqual([["x", "y"], "archived", [], "unread"])
  })

  test("may have no header: a column of addresses shows it", async () => {
    const text = `1;A site;${A};24.12.2023;a comment\n2;Another;${B};2024-05-07;\n3;;https://c.example/;;`
    expect(await bookmarksIn(genericCsv, fileOf(text))).toEqual([
      bookmark({
        place: 1,
        url: A,
        title: "A site",
        note: "a comment",
        createdAt: "2023-12-24T00:00:00.000Z"
      }),
      bookmark({ place: 2, url: B, title: "Another", createdAt: "2024-05-07T00:00:00.000Z" }),
      bookmark({ place: 3, url: "https://c.example/" })
    ])
  })

  test("may have a header of unknown words above a column of addresses", async () =>
    expect(await rowsIn(`Wohin;Titel\n${A};A\n${B};B`)).toEqual([
      [A, "A", "", [], []],
      [B, "B", "", [], []]
    ]))

  test("may have one column only if it is called url", async () => {
    expect(await rowsIn(`URL\n${A}`)).toEqual([[A, "", "", [], []]])
    expect(genericCsv.recognizes(fileOf(`Link\n${A}`))).toBe(false)
  })

  const others: Record<string, string> = {
    "a list of addresses": `${A}\n${B}`,
    "addresses with commas in them": `${A}1,2.html\n${B}3,4.html\n${A}5,6.html`,
    "sentences with commas": `Look, here: ${A}\nAnd, again, there: ${B}\nand so on`,
    "a table of Markdown": `| title | link |\n|---|---|\n| A | ${A} |\n| B | ${B} |`,
    "streets of people": "Name;Address;Phone\nAnn;5 High Street;123\nBob;6 High Street;456",
    "a table without addresses": "Date;Amount\n2024-01-01;5\n2024-01-02;6"
  }
  for (const [name, text] of Object.entries(others))
    test(`is not ${name}`, () => expect(genericCsv.recognizes(fileOf(text))).toBe(false))
})
