import { unzipSync } from "fflate"
import { stripMarkup } from "../../../src/telegram/Content.ts"
import { type UploadedFile, uploadedIn } from "../fakeFiles.ts"
import type { fakeTelegram } from "../fakeTelegram.ts"
import { CHAT, type SeenLink, until, update } from "../service.ts"
import { entitiesOf } from "../telegramEntities.ts"

/**
 * A conversation with the bot as a table: what is sent, and what must then be stored and answered. In texts and addresses,
 * `{Title}` stands for the address of a page with that title, on a server of the test, and `{/path}` for this path there.
 */
export interface Script {
  readonly name: string
  readonly rows: ReadonlyArray<Row>
  /** The chat, if it is not the owner's private one. */
  readonly chat?: { readonly id: number; readonly type: string }
  /** Whether it needs the real service: it reads pages, or sends the library's file. */
  readonly needsService?: true
}

/** Where a conversation takes place: a service, and the Telegram and the pages that it knows. */
export interface Place {
  readonly telegram: Pick<ReturnType<typeof fakeTelegram>, "calls" | "files" | "username">
  /** The address of the server of the pages. */
  readonly pages: string
  readonly webhook: (update: unknown) => Promise<Response>
  readonly change: (body: object) => Promise<Response>
  readonly links: () => Promise<ReadonlyArray<StoredLink>>
}

/** What a conversation looks at in a link. */
type StoredLink = Pick<
  SeenLink,
  "id" | "url" | "title" | "note" | "tags" | "favorite" | "shareable" | "collection"
>

/** What a link must have; what is left out may be anything. */
export interface Stored {
  readonly url: string
  readonly note?: string
  /** Tags that the link must have; those of the model may be among the others. */
  readonly tags?: ReadonlyArray<string>
  readonly withoutTags?: ReadonlyArray<string>
  readonly collection?: string | null
  readonly title?: string
  readonly favorite?: boolean
  readonly shareable?: boolean
}

/** What is sent. */
export type Sent =
  /** A message; `links` are the targets of its labels, `more` are further fields of the message. */
  | {
      readonly say: string
      readonly caption?: boolean
      readonly links?: Readonly<Record<string, string>>
      /** The message of the bot that this one replies to: the last one whose text matches. */
      readonly replyTo?: RegExp
      /** The row whose message this one replies to. */
      readonly replyToRow?: string
      readonly more?: Readonly<Record<string, unknown>>
    }
  /** A file, with a caption if there is one. */
  | {
      readonly file: string
      readonly content: string | Uint8Array
      readonly caption?: string
      readonly more?: Readonly<Record<string, unknown>>
    }
  /** An edit of the message that the row of this name sent. */
  | {
      readonly edit: string
      readonly to: string
      readonly links?: Readonly<Record<string, string>>
      readonly more?: Readonly<Record<string, unknown>>
    }
  /** An inline query, which a person types in any chat; the answer is its results, one a line. */
  | { readonly inline: string; readonly by?: number }
  /** A press of a button, by a part of its label: of the bot's last message that has it and matches `on`. */
  | { readonly press: string; readonly on?: RegExp }
  /** A change in the dashboard (`POST /dashboard/api/mutate`); `of` is the address of the link that it concerns. */
  | { readonly change: Readonly<Record<string, unknown>>; readonly of: string }

/** What a person does, and what must come of it. */
export type Row = Sent & {
  /** What the row shows, unique in its script. */
  readonly shows: string
  /** What the bot's answer must say, without markup; null if it must not answer. */
  readonly answer: RegExp | null
  /** What the answer must not say. */
  readonly not?: RegExp
  /** Labels of buttons that the answer must have, as parts; an empty list if it must have none. */
  readonly buttons?: ReadonlyArray<string>
  /** The notice that a press must pop up. */
  readonly notice?: RegExp
  /** The file that the bot must send: its name, and what its text must contain; a zip is read as its only file. */
  readonly sends?: { readonly name: RegExp; readonly text: RegExp }
  readonly stored?: Stored | ReadonlyArray<Stored>
  /** The number of links in the library afterwards. */
  readonly count?: number
  /** The topic that the answer must be in. */
  readonly topic?: number
}

/** A message of the bot. */
interface Shown {
  readonly id: number
  readonly text: string
  readonly buttons: ReadonlyMap<string, string>
  readonly replyTo: number | undefined
  readonly topic: number | undefined
}

/** A row as it went, and what was wrong. */
export interface Exchange {
  readonly row: Row
  readonly sent: string
  readonly answers: ReadonlyArray<Shown>
  readonly problems: ReadonlyArray<string>
  /** The notice that a press popped up; empty for none. */
  readonly notice?: string
}

/** The text of a rich message; undefined for any other. */
const richOf = (body: Readonly<Record<string, unknown>>): string | undefined => {
  const { html } = Object(body["rich_message"])
  return typeof html === "string" ? html.replace(/<\/(?:h\d|p|li|tr|pre)>|<br>/g, "\n") : undefined
}

const shownOf = (id: number, body: Readonly<Record<string, unknown>>): Shown => {
  const rows: ReadonlyArray<ReadonlyArray<Record<string, string>>> =
    Object(body["reply_markup"]).inline_keyboard ?? []
  return {
    id,
    text: stripMarkup(richOf(body) ?? String(body["text"] ?? body["caption"] ?? "")),
    buttons: new Map(rows.flat().map((one) => [one["text"] ?? "", one["callback_data"] ?? one["url"] ?? ""])),
    replyTo: Object(body["reply_parameters"]).message_id,
    topic: Object(body).message_thread_id
  }
}

/** The answer to an inline query: its results, one a line. */
const resultsOf = (body: Readonly<Record<string, unknown>>): Shown => {
  const results: ReadonlyArray<Record<string, string>> = Object(body)["results"] ?? []
  const all = results.map(({ description, title }) => `${title} – ${description}`)
  return {
    id: 0,
    text: all.length === 0 ? "(no results)" : all.join("\n"),
    buttons: new Map(),
    replyTo: undefined,
    topic: undefined
  }
}

/** The marks of a text: those that Telegram makes, and the labels of links. */
const marksOf = (text: string, links: Readonly<Record<string, string>>) => {
  const labels = Object.entries(links).map(([label, url]) => ({
    type: "text_link",
    offset: text.indexOf(label),
    length: label.length,
    url
  }))
  return [...entitiesOf(text), ...labels].sort((a, b) => a.offset - b.offset)
}

/** The text of a file, or of the only file in a zip. */
const textOf = ({ bytes, name }: UploadedFile): string => {
  const [only = new Uint8Array()] = name.endsWith(".zip") ? Object.values(unzipSync(bytes)) : [bytes]
  return new TextDecoder().decode(only)
}

const same = (left: unknown, right: unknown) =>
  left === right || JSON.stringify(left) === JSON.stringify(right)

const differences = (link: StoredLink, wanted: Stored): ReadonlyArray<string> => [
  ...(["note", "title", "favorite", "shareable"] as const).flatMap((name) =>
    wanted[name] === undefined || same(link[name], wanted[name])
      ? []
      : [`${name} is ${JSON.stringify(link[name])}, not ${JSON.stringify(wanted[name])}`]
  ),
  ...(wanted.collection === undefined || (link.collection?.name ?? null) === wanted.collection
    ? []
    : [`collection is ${link.collection?.name ?? null}, not ${wanted.collection}`]),
  ...(wanted.tags ?? []).filter((tag) => !link.tags.includes(tag)).map((tag) => `lacks the tag ${tag}`),
  ...(wanted.withoutTags ?? []).filter((tag) => link.tags.includes(tag)).map((tag) => `has the tag ${tag}`)
]

/** Runs a script; returns how each row went. What follows a row that failed is left out, because it builds on that row. */
export const runScript = async (
  { change, links, pages, telegram, webhook }: Place,
  { chat = { id: CHAT, type: "private" }, rows }: Script
): Promise<ReadonlyArray<Exchange>> => {
  const { calls } = telegram
  const begin = calls.length
  const withPages = (text: string) =>
    text.replace(
      /\{([^{}]+)\}/g,
      (_, title: string) => pages + (title.startsWith("/") ? title : `/plain?t=${encodeURIComponent(title)}`)
    )
  /** The bot's messages, each with the number of its call; the fake Telegram numbers them from 500,001 on. */
  const all: Array<readonly [call: number, Shown]> = []
  let [read, number] = [0, 500_000]
  /** The messages sent or edited from this call on. */
  const shown = (from: number): ReadonlyArray<Shown> => {
    for (const { body, method } of calls.slice(read)) {
      const isNew = ["sendMessage", "sendRichMessage", "sendDocument"].includes(method)
      if (isNew) number++
      if (read >= begin && method === "answerInlineQuery") all.push([read, resultsOf(body)])
      if (read >= begin && (isNew || method.startsWith("editMessage")))
        all.push([read, shownOf(isNew ? number : Number(body["message_id"]), body)])
      read++
    }
    return all.flatMap(([call, one]) => (call >= from ? [one] : []))
  }
  const last = (matches: (one: Shown) => boolean): Shown | undefined => {
    const latest = new Map(shown(begin).map((one) => [one.id, one]))
    return [...latest.values()].sort((a, b) => a.id - b.id).findLast(matches)
  }
  /** The message that each row sent. */
  const messages = new Map<string, number>()
  /** What each message replies to, which an edit repeats. */
  const replies = new Map<number, object>()
  /** The number of calls before each row. */
  const starts = new Map<string, number>()

  const deliver = async (one: unknown) => {
    const { status } = await webhook(one)
    if (status !== 200) throw new Error(`the webhook answers ${status}`)
  }

  const send = async (row: Row): Promise<{ readonly sent: string; readonly press?: string }> => {
    if ("change" in row) {
      const url = withPages(row.of)
      const link = (await links()).find((one) => one.url === url)
      const response = await change({ ids: link === undefined ? [] : [link.id], ...row.change })
      if (!response.ok) throw new Error(`the change is answered ${response.status}: ${await response.text()}`)
      return { sent: `(in the dashboard: ${JSON.stringify(row.change)})` }
    }
    const { update_id } = update("")
    if ("inline" in row) {
      const from = { id: row.by ?? CHAT, is_bot: false, first_name: "A person" }
      await deliver({
        update_id,
        inline_query: { id: `query ${update_id}`, from, query: row.inline, offset: "" }
      })
      return { sent: `(in any chat) @${telegram.username} ${row.inline}` }
    }
    if ("press" in row) {
      const label = (one: Shown) => [...one.buttons.keys()].find((name) => name.includes(row.press))
      const on = last((one) => label(one) !== undefined && (row.on?.test(one.text) ?? true))
      const name = on && label(on)
      if (on === undefined || name === undefined) throw new Error(`no message has the button ${row.press}`)
      const message = {
        message_id: on.id,
        date: 1,
        chat,
        ...(on.topic === undefined ? {} : { message_thread_id: on.topic })
      }
      const press = `press ${update_id}`
      const from = { id: CHAT, is_bot: false }
      const data = on.buttons.get(name)
      await deliver({ update_id, callback_query: { id: press, from, chat_instance: "1", message, data } })
      return { sent: `[${name}]`, press }
    }
    if ("file" in row) {
      messages.set(row.shows, update_id)
      const caption = withPages(row.caption ?? "")
      const content = typeof row.content === "string" ? withPages(row.content) : row.content
      const message = {
        message_id: update_id,
        date: 1,
        chat,
        from: { id: CHAT, is_bot: false, first_name: "The Owner" },
        document: telegram.files.add(row.file, content),
        ...(caption === "" ? {} : { caption, caption_entities: marksOf(caption, {}) }),
        ...row.more
      }
      await deliver({ update_id, message })
      return { sent: `(the file ${row.file})${caption === "" ? "" : ` ${caption}`}` }
    }
    const text = withPages("edit" in row ? row.to : row.say)
    const labels = Object.fromEntries(
      Object.entries(row.links ?? {}).map(([label, url]) => [label, withPages(url)])
    )
    const id = "edit" in row ? (messages.get(row.edit) ?? 0) : update_id
    messages.set(row.shows, id)
    const inCaption = "caption" in row && row.caption === true
    const [body, marks] = inCaption ? ["caption", "caption_entities"] : ["text", "entities"]
    const replied =
      "replyToRow" in row && row.replyToRow !== undefined
        ? { message_id: messages.get(row.replyToRow), chat, from: { id: CHAT, is_bot: false } }
        : "replyTo" in row && row.replyTo !== undefined
          ? {
              message_id: last(({ text }) => row.replyTo?.test(text) === true)?.id,
              chat,
              from: { id: 123456, is_bot: true, username: telegram.username }
            }
          : replies.get(id)
    if (replied !== undefined) replies.set(id, replied)
    const message = {
      message_id: id,
      date: 1,
      chat,
      from: { id: CHAT, is_bot: false, first_name: "The Owner" },
      ...(text === "" ? {} : { [body]: text, [marks]: marksOf(text, labels) }),
      ...(inCaption ? { photo: [{ file_id: "f", file_unique_id: "u", width: 90, height: 90 }] } : {}),
      ...(replied === undefined ? {} : { reply_to_message: replied }),
      ...row.more
    }
    await deliver({ update_id, ["edit" in row ? "edited_message" : "message"]: message })
    return { sent: text }
  }

  const checkStored = async (wanted: Stored): Promise<ReadonlyArray<string>> => {
    const url = withPages(wanted.url)
    let problems: ReadonlyArray<string> = []
    const look = async () => {
      const link = (await links()).find((one) => one.url === url)
      problems =
        link === undefined
          ? [`${url} is not stored`]
          : differences(link, {
              ...wanted,
              ...(wanted.note === undefined ? {} : { note: withPages(wanted.note) })
            })
      return problems.length === 0 ? true : undefined
    }
    await until(look).catch((error) => {
      if (problems.length === 0) problems = [String(error)]
    })
    return problems
  }

  const run = async (row: Row): Promise<Exchange> => {
    const from = calls.length
    starts.set(row.shows, from)
    const problems: Array<string> = []
    const { press, sent } = await send(row)
    const { answer: wanted } = row
    const answers = () => shown(from)
    if (wanted !== null) {
      const answer = await until(() => answers().find(({ text }) => wanted.test(text))).catch(() => undefined)
      if (answer === undefined)
        return { row, sent, answers: answers(), problems: [`no answer says ${wanted}`] }
      if (row.not?.test(answer.text)) problems.push(`the answer says ${row.not}`)
      const labels = [...answer.buttons.keys()]
      if (row.buttons?.length === 0 && labels.length > 0)
        problems.push(`the answer has the buttons ${labels}`)
      for (const button of row.buttons ?? [])
        if (!labels.some((label) => label.includes(button)))
          problems.push(`no button ${button} among ${labels}`)
      if (
        row.topic !== undefined &&
        answer.topic !== row.topic &&
        answer.id > 500_000 &&
        calls.slice(from).some(({ method }) => method === "sendMessage")
      )
        problems.push(`the answer is in topic ${answer.topic}, not ${row.topic}`)
    }
    let popped = ""
    if (press !== undefined) {
      const notice = await until(() =>
        calls.find(
          ({ body, method }) => method === "answerCallbackQuery" && body["callback_query_id"] === press
        )
      ).catch(() => undefined)
      const text = String(notice?.body["text"] ?? "")
      popped = text
      if (notice === undefined) problems.push("the press is not answered")
      else if (row.notice !== undefined && !row.notice.test(text)) problems.push(`the notice says “${text}”`)
    }
    if (row.sends !== undefined) {
      const { name, text } = row.sends
      const file = calls
        .slice(from)
        .flatMap(({ body }) => uploadedIn(body, "document") ?? [])
        .at(-1)
      if (file === undefined) problems.push("no file is sent")
      else if (!name.test(file.name)) problems.push(`the file is named ${file.name}`)
      else if (!text.test(textOf(file))) problems.push(`the file does not contain ${text}`)
    }
    for (const one of [row.stored ?? []].flat()) problems.push(...(await checkStored(one)))
    if (row.count !== undefined) {
      const isReached = async () => (await links()).length === row.count
      if (!(await until(isReached).catch(() => false)))
        problems.push(`${(await links()).length} links are stored, not ${row.count}`)
    }
    return { row, sent, answers: answers(), problems, ...(popped === "" ? {} : { notice: popped }) }
  }

  const exchanges: Array<Exchange> = []
  for (const row of rows) {
    const exchange = await run(row).catch((error) => ({
      row,
      sent: "",
      answers: [],
      problems: [String(error)]
    }))
    exchanges.push(exchange)
    if (exchange.problems.length > 0) break
  }
  // The answers to later rows have come, so one to these would have come too.
  const isAnswered = ({ row }: Exchange, index: number) => {
    const id = messages.get(row.shows)
    if (row.answer !== null || "press" in row || id === undefined) return false
    // The message may be edited again later, which has answers of its own.
    const next = rows.slice(index + 1).find(({ shows }) => messages.get(shows) === id)
    const all = shown(starts.get(row.shows) ?? begin)
    const later = next === undefined ? 0 : shown(starts.get(next.shows) ?? begin).length
    return all.slice(0, all.length - later).some(({ replyTo }) => replyTo === id)
  }
  return exchanges.map((exchange, index) =>
    isAnswered(exchange, index)
      ? { ...exchange, problems: [...exchange.problems, "there is an answer"] }
      : exchange
  )
}

/** An exchange as a person reads it: what was sent, what came back, the buttons. */
export const exchangeText = ({ answers, notice, problems, row, sent }: Exchange): string =>
  [
    `── ${row.shows}`,
    ...sent.split("\n").map((line, index) => `${index === 0 ? "» " : "  "}${line}`),
    ...(notice === undefined ? [] : [`     (notice: ${notice})`]),
    ...answers.flatMap(({ buttons, text }) => [
      ...text.split("\n").map((line) => `     ${line}`),
      ...(buttons.size === 0 ? [] : [`     ${[...buttons.keys()].map((name) => `[${name}]`).join(" ")}`])
    ]),
    ...problems.map((problem) => `  ✗ ${problem}`)
  ].join("\n")
