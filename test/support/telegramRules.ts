import { uploadedIn } from "./fakeFiles.ts"
import { wellFormed } from "./wellFormed.ts"

export type Body = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A field of an object; of anything else undefined. */
export const field = (from: unknown, name: string): unknown => (isObject(from) ? from[name] : undefined)

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Tags and attributes of https://core.telegram.org/bots/api#html-style, as they open. */
const OPENING =
  /^<(?:b|strong|i|em|u|ins|s|strike|del|code|pre|tg-spoiler|span class="tg-spoiler"|blockquote(?: expandable)?|a href="[^"<>]*"|code class="language-[^"<>]*"|tg-emoji emoji-id="\d+")>$/
const CLOSING = /^<\/(?:b|strong|i|em|u|ins|s|strike|del|code|pre|tg-spoiler|span|blockquote|a|tg-emoji)>$/
const MOST_ENTITIES = 100

/** What is wrong with a message's markup; undefined where the platform reads it. */
const markupProblem = (html: string): string | undefined => {
  const tags = html.match(/<[^>]*>/g) ?? []
  const wrong = tags.find((tag) => !OPENING.test(tag) && !CLOSING.test(tag))
  if (wrong !== undefined) return `no tag for a message: ${wrong}`
  if (/&(?!(?:amp|lt|gt|quot|#\d+|#x[0-9a-fA-F]+);)/.test(html)) return "an ampersand that is not escaped"
  if (!wellFormed(`<m>${html.replaceAll("<blockquote expandable>", "<blockquote>")}</m>`)) return "unbalanced"
  const opened = tags.filter((tag) => !tag.startsWith("</")).length
  return opened > MOST_ENTITIES ? `${opened} entities` : undefined
}

/** Tags of https://core.telegram.org/bots/api#rich-message-formatting-options that a bot like this one may use. */
const RICH =
  /^<\/?(?:b|i|u|s|code|code class="language-[^"<>]*"|mark|sub|sup|p|h[1-6]|pre|ul|ol|ol start="\d+"|li|blockquote|a href="https?:[^"<>]*"|table|table bordered|caption|tr|(?:td|th)(?: colspan="\d+")?|br|hr\/|a)>$/
const BLOCKS = /<(?:p|h[1-6]|pre|ul|ol|ol start="\d+"|li|blockquote|table|table bordered|tr|hr\/)>/g

/** What the platform holds against a rich text. */
export const richProblems = (html: string): ReadonlyArray<string> => {
  const wrong = (html.match(/<[^>]*>/g) ?? []).find((tag) => !RICH.test(tag))
  const depths: Array<number> = [0]
  for (const [, slash, name, end] of html.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g))
    if (end === "" && name !== "br") depths.push((depths.at(-1) ?? 0) + (slash === "/" ? -1 : 1))
  const columns = (html.match(/<tr>.*?<\/tr>/gs) ?? []).map((row) =>
    [...row.matchAll(/<t[dh](?: colspan="(\d+)")?>/g)].reduce((sum, [, span]) => sum + Number(span ?? 1), 0)
  )
  const text = html.replace(/<[^>]*>/g, "")
  return [
    wrong === undefined ? "" : `no tag for a rich message: ${wrong}`,
    wellFormed(`<m>${html.replaceAll("<br>", "<br/>").replaceAll(" bordered", "")}</m>`)
      ? ""
      : "markup: unbalanced",
    text.trim() === "" || [...text].length > 32_768 ? `a rich text of ${[...text].length} characters` : "",
    (html.match(BLOCKS) ?? []).length > 500 ? "more than five hundred blocks" : "",
    Math.max(...depths) > 16 ? "nested too deep" : "",
    Math.max(0, ...columns) > 20 ? "more than twenty columns" : ""
  ]
}

/** A message's text as it reads. */
export const readText = (body: Body): string => {
  const text = String(body["text"] ?? "")
  if (body["parse_mode"] !== "HTML") return text
  return text
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
}

/** Emoji that anybody may react with (https://core.telegram.org/bots/api#reactiontypeemoji), those of them a bot might want. */
const REACTIONS = [
  ..."👍👎🔥🥰👏😁🤔🤯😱🤬😢🎉🤩🤮💩🙏👌🤡🥱🥴😍🐳💯🤣⚡🍌🏆💔🤨😐🍓🍾💋🖕😈😴😭🤓👻👀🎃🙈😇😨🤝✍🤗🫡🎅🎄☃💅🤪🗿🆒💘🙉🦄😘💊🙊😎👾🤷😡"
]

const bytes = (text: string) => new TextEncoder().encode(text).length
const isHttp = (url: unknown) => typeof url === "string" && /^https?:\/\/\S+$/i.test(url)

const buttonProblems = (button: unknown): ReadonlyArray<string> => {
  const label = field(button, "text")
  const data = field(button, "callback_data")
  const url = field(button, "url")
  return [
    typeof label !== "string" || label.trim() === "" ? "a button without a label" : "",
    data === undefined && url === undefined ? "a button that does nothing" : "",
    data !== undefined && (typeof data !== "string" || bytes(data) < 1 || bytes(data) > 64)
      ? `callback data of ${bytes(String(data))} bytes`
      : "",
    url !== undefined && !isHttp(url) ? `a button to ${url}` : ""
  ]
}

const markupOf = (body: Body): ReadonlyArray<string> => {
  const markup = body["reply_markup"]
  const rows = list(field(markup, "inline_keyboard"))
  const placeholder = field(markup, "input_field_placeholder")
  return [
    ...rows.flatMap((row) => list(row).flatMap(buttonProblems)),
    rows.some((row) => list(row).length > 8) ? "more than eight buttons in a row" : "",
    rows.flatMap(list).length > 100 ? "more than a hundred buttons" : "",
    placeholder !== undefined && (String(placeholder).length < 1 || String(placeholder).length > 64)
      ? "a placeholder that is too long"
      : ""
  ]
}

const messageProblems = (body: Body): ReadonlyArray<string> => {
  const { length } = readText(body).trim()
  const markup = body["parse_mode"] === "HTML" ? markupProblem(String(body["text"])) : undefined
  return [
    length < 1 || length > 4096 ? `a text of ${length} units` : "",
    markup === undefined ? "" : `markup: ${markup}`,
    Number.isSafeInteger(body["chat_id"]) ? "" : "no chat",
    ...markupOf(body)
  ]
}

/** What the platform expects of each method's fields; each gives a problem, or an empty text. */
const rules: Record<string, (body: Body) => ReadonlyArray<string>> = {
  sendMessage: messageProblems,
  editMessageText: (body) => [
    ...messageProblems(body),
    Number.isSafeInteger(body["message_id"]) ? "" : "no message to edit",
    field(body["reply_markup"], "force_reply") === undefined ? "" : "an edited message cannot ask"
  ],
  sendRichMessage: (body) => [
    ...richProblems(String(field(body["rich_message"], "html") ?? "")),
    Number.isSafeInteger(body["chat_id"]) ? "" : "no chat",
    ...markupOf(body)
  ],
  sendDocument: (body) => {
    const { length } = readText({ ...body, text: body["caption"] })
    const file = uploadedIn(body, "document")
    const markup = body["parse_mode"] === "HTML" ? markupProblem(String(body["caption"])) : undefined
    return [
      file === undefined ? "no document" : "",
      file !== undefined && file.bytes.length > 50_000_000 ? "Request Entity Too Large" : "",
      file !== undefined && file.bytes.length === 0 ? "file must be non-empty" : "",
      length > 1024 ? `a caption of ${length} units` : "",
      markup === undefined ? "" : `markup: ${markup}`,
      Number.isSafeInteger(body["chat_id"]) ? "" : "no chat",
      ...markupOf(body)
    ]
  },
  getFile: (body) => [typeof body["file_id"] === "string" ? "" : "no file"],
  answerCallbackQuery: (body) => [
    typeof body["callback_query_id"] === "string" ? "" : "no callback",
    String(body["text"] ?? "").length > 200 ? "a notice of more than 200 units" : ""
  ],
  answerInlineQuery: (body) => [
    typeof body["inline_query_id"] === "string" ? "" : "no inline query",
    list(body["results"]).length > 50 ? "more than fifty results" : "",
    ...list(body["results"]).flatMap((one) => [
      String(field(one, "title") ?? "") === "" ? "a result without a title" : "",
      Buffer.byteLength(String(field(one, "id"))) > 64 ? "a result with a long id" : "",
      markupProblem(String(field(field(one, "input_message_content"), "message_text"))) ?? ""
    ])
  ],
  setMessageReaction: (body) =>
    list(body["reaction"]).map((one) =>
      REACTIONS.includes(String(field(one, "emoji"))) ? "" : `no reaction: ${field(one, "emoji")}`
    ),
  sendChatAction: (body) => [
    ["typing", "upload_document"].includes(String(body["action"])) ? "" : `no action: ${body["action"]}`
  ],
  setMyCommands: (body) => {
    const commands = list(body["commands"])
    return [
      commands.length > 100 ? "more than a hundred commands" : "",
      ...commands.map((one) => {
        const name = String(field(one, "command"))
        const { length } = String(field(one, "description") ?? "")
        return /^[a-z0-9_]{1,32}$/.test(name) && length >= 1 && length <= 256 ? "" : `no command: ${name}`
      })
    ]
  },
  setWebhook: (body) => [
    /^[A-Za-z0-9_-]{1,256}$/.test(String(body["secret_token"])) ? "" : "no secret",
    isHttp(body["url"]) ? "" : "no address"
  ],
  getUpdates: (body) => [
    ...["offset", "limit", "timeout"].map((name) =>
      Number.isSafeInteger(body[name] ?? 0) ? "" : `no number: ${name}`
    ),
    Array.isArray(body["allowed_updates"] ?? []) ? "" : "no list of kinds"
  ],
  getMe: () => [],
  getWebhookInfo: () => [],
  deleteWebhook: () => []
}

/** Whether there is such a method, as far as a bot like this one needs them. */
export const isMethod = (method: string) => Object.hasOwn(rules, method)

/** What the platform would hold against a call. */
export const problemsOf = (method: string, body: Body): ReadonlyArray<string> =>
  (rules[method]?.(body) ?? []).filter((problem) => problem !== "")
