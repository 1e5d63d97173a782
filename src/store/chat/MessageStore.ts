import { Model, SqlClient } from "@effect/sql"
import { Array, DateTime, Duration, Effect, Schema } from "effect"
import { LinkId } from "../../domain/Link.ts"
import { type MessageRef, Question } from "../../domain/Messages.ts"
import { Service } from "../../runtime/Services.ts"
import { PassedTime } from "../PassedTime.ts"
import { decodeRows, firstRow, readFlag, readNumber, readNumbers, readRows, readTexts } from "../Rows.ts"
import { execute, orUnavailable } from "../Transaction.ts"

const readQuestion = readRows(Question)

/** A link that a message is about, with the message's note and tags on it and whether the message created it. */
const NotedLink = Schema.Struct({
  linkId: LinkId,
  note: Schema.String,
  tags: Schema.parseJson(Schema.Array(Schema.String)),
  created: Model.BooleanFromNumber
})
type NotedLink = typeof NotedLink.Type

const MessageLink = Schema.Struct({
  ...NotedLink.fields,
  /** The tags that other messages have given the link too. */
  heldTags: Schema.parseJson(Schema.Array(Schema.String)),
  /** Whether the owner has changed the link's tags by hand since. */
  isRetagged: Model.BooleanFromNumber
})
const readMessageLink = readRows(MessageLink)

const makeMessageStore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    linksOf: Effect.fn("MessageStore.linksOf")(({ chatId, messageId }: MessageRef) =>
      readMessageLink(sql`SELECT link_id, note, tags, created, (SELECT json_group_array(tag.value)
              FROM message_links AS other, json_each(other.tags) AS tag WHERE other.link_id = m.link_id
              AND (other.chat_id <> m.chat_id OR other.message_id <> m.message_id)) AS held_tags,
              EXISTS (SELECT 1 FROM change_rows part JOIN changes ON changes.id = part.change_id
                WHERE part.kind = 'link' AND part.key = m.link_id AND changes.id > m.after_change AND changes.automatic = 0
                AND EXISTS (SELECT 1 FROM json_each(changes.fields) WHERE value = 'tags')) AS is_retagged
            FROM message_links AS m WHERE chat_id = ${chatId} AND message_id = ${messageId}`)
    ),
    /** Records the link, its note and its tags as they are now; `created` stays true once set. */
    record: Effect.fn("MessageStore.record")(function* ({ chatId, messageId }: MessageRef, link: NotedLink) {
      yield* orUnavailable(
        sql`INSERT INTO message_links (chat_id, message_id, link_id, note, tags, after_change, created)
                VALUES (${chatId}, ${messageId}, ${link.linkId}, ${link.note}, ${JSON.stringify(link.tags)},
                  (SELECT coalesce(max(id), 0) FROM changes), ${link.created ? 1 : 0})
                ON CONFLICT (chat_id, message_id, link_id)
                DO UPDATE SET note = excluded.note, tags = excluded.tags, after_change = excluded.after_change,
                  created = max(created, excluded.created)`
      )
    })
  }
})

/** Stores which links a chat message is about, for edits, replies and interrupted saves. */
export class MessageStore extends Service<MessageStore>()("MessageStore", makeMessageStore) {}

const CardMessage = Schema.Struct({ chatId: Schema.Int, messageId: Schema.Int, linkId: LinkId })
export type CardMessage = typeof CardMessage.Type
const readCards = readRows(CardMessage)
const MovedCard = Schema.Struct({
  ...CardMessage.fields,
  place: Schema.Literal("library", "trash", "nowhere")
})
export type MovedCard = typeof MovedCard.Type
const decodeMovedCards = decodeRows(MovedCard)

export const CHAT_LIST_AGE = Duration.days(30)

const makeChatListStore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const passed = yield* PassedTime

  /** Deletes expired rows, then stores the value as a JSON object whose only field names its kind. */
  const add = Effect.fnUntraced(function* (field: "list" | "shown" | "card" | "shows", value: unknown) {
    const now = yield* DateTime.now
    yield* sql`DELETE FROM chat_lists WHERE created_at < ${yield* passed.before(CHAT_LIST_AGE)}`
    return yield* readNumber(
      sql`INSERT INTO chat_lists (request, created_at)
            VALUES (${JSON.stringify({ [field]: value })}, ${DateTime.formatIso(now)}) RETURNING id`
    )
  }, orUnavailable)

  const noLongerAwaits = Effect.fn("ChatListStore.noLongerAwaits")(({ chatId, messageId }: MessageRef) =>
    execute(sql`DELETE FROM chat_lists WHERE request ->> '$.card.messageId' = ${messageId}
              AND request ->> '$.card.chatId' = ${chatId}`)
  )

  /** Condition that a record is of a message that is a card, `shows`, and that no queued reply replaces. */
  const isLastingCard = sql`request -> 'shows' IS NOT NULL AND NOT EXISTS (SELECT 1 FROM outbox
        WHERE message ->> '$.replaces' = request ->> '$.shows.messageId'
        AND message ->> '$.chatId' = request ->> '$.shows.chatId')`
  const place = sql`CASE WHEN request ->> '$.shows.linkId' IN (SELECT id FROM links) THEN 'library'
        WHEN request ->> '$.shows.linkId' IN (SELECT id FROM trash) THEN 'trash' ELSE 'nowhere' END`

  const keyOf = ({ chatId, messageId }: MessageRef) => `${chatId} ${messageId}`

  return {
    keep: Effect.fn("ChatListStore.keep")((list: string) => add("list", list)),
    get: Effect.fn("ChatListStore.get")((list: number) =>
      Effect.map(
        readTexts(
          sql`SELECT request ->> 'list' FROM chat_lists WHERE id = ${list} AND request ->> 'list' IS NOT NULL`
        ),
        Array.head
      )
    ),
    shows: Effect.fn("ChatListStore.shows")((about: MessageRef, messageId: number) =>
      Effect.asVoid(add("shown", { about: keyOf(about), messageId }))
    ),
    shownBy: Effect.fn("ChatListStore.shownBy")((about: MessageRef) =>
      Effect.map(
        readNumbers(
          sql`SELECT request ->> '$.shown.messageId' FROM chat_lists
                WHERE request ->> '$.shown.about' = ${keyOf(about)} ORDER BY id DESC LIMIT 1`
        ),
        Array.head
      )
    ),
    noLongerAwaits,
    awaitsSummary: Effect.fn("ChatListStore.awaitsSummary")(({ chatId, linkId, messageId }: CardMessage) =>
      Effect.zipRight(
        noLongerAwaits({ chatId, messageId }),
        Effect.asVoid(add("card", { chatId, messageId, linkId }))
      )
    ),
    hasAwaiting: readFlag(sql`SELECT EXISTS (SELECT 1 FROM chat_lists WHERE request -> 'card' IS NOT NULL)`),
    /** Records a message that is a link's card, or says that the link is in the trash. */
    showsCard: Effect.fn("ChatListStore.showsCard")(
      ({ chatId, linkId, messageId }: CardMessage, place: "library" | "trash") =>
        Effect.asVoid(add("shows", { chatId, messageId, linkId, place }))
    ),
    noLongerShows: Effect.fn("ChatListStore.noLongerShows")(({ chatId, messageId }: MessageRef) =>
      execute(sql`DELETE FROM chat_lists WHERE request ->> '$.shows.messageId' = ${messageId}
                AND request ->> '$.shows.chatId' = ${chatId}`)
    ),
    /** Forgets the cards of moved links and returns the newest `limit`, without those that a queued reply replaces. */
    takeMovedCards: Effect.fn("ChatListStore.takeMovedCards")((limit: number) =>
      Effect.map(
        orUnavailable(
          decodeMovedCards(
            sql`DELETE FROM chat_lists
                  WHERE ${isLastingCard} AND coalesce(request ->> '$.shows.place', 'library') <> ${place}
                  RETURNING request ->> '$.shows.chatId' AS chat_id, request ->> '$.shows.messageId' AS message_id,
                    request ->> '$.shows.linkId' AS link_id, ${place} AS place`
          )
        ),
        (cards) => cards.toSorted((a, b) => b.messageId - a.messageId).slice(0, limit)
      )
    ),
    summarized: readCards(
      sql`SELECT request ->> '$.card.chatId' AS chat_id, request ->> '$.card.messageId' AS message_id,
              l.id AS link_id FROM chat_lists JOIN links l ON l.id = request ->> '$.card.linkId'
              WHERE EXISTS (SELECT 1 FROM json_each(l.stages)
                WHERE value ->> 'stage' = 'model' AND value ->> 'state' = 'done') ORDER BY chat_lists.id`
    ).pipe(Effect.withSpan("ChatListStore.summarized"))
  }
})

/** For 30 days, what exceeds a button's 64 bytes: lists, messages that show progress, and cards without a summary. */
export class ChatListStore extends Service<ChatListStore>()("ChatListStore", makeChatListStore) {}

const makePromptStore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    record: Effect.fn("PromptStore.record")(
      ({ chatId, messageId }: MessageRef, linkId: LinkId, what: Question["what"]) =>
        execute(sql`INSERT INTO chat_prompts (chat_id, message_id, link_id, asks)
                  SELECT ${chatId}, ${messageId}, id, ${what} FROM links WHERE id = ${linkId}
                  ON CONFLICT (chat_id, message_id) DO UPDATE SET link_id = excluded.link_id, asks = excluded.asks`)
    ),
    of: Effect.fn("PromptStore.of")(({ chatId, messageId }: MessageRef) =>
      firstRow(
        readQuestion(
          sql`SELECT link_id, asks AS what FROM chat_prompts WHERE chat_id = ${chatId} AND message_id = ${messageId}`
        )
      )
    )
  }
})

export class PromptStore extends Service<PromptStore>()("PromptStore", makePromptStore) {}
