/** What is set up, as `GET /dashboard/api/setup` says it. */
export interface SetUpState {
  readonly bot: {
    readonly isSet: boolean
    /** The bot's name in Telegram, without `@`; null if it is not known. */
    readonly username: string | null
    /** Why Telegram does not answer for it; null if it does. */
    readonly error: string | null
    readonly mode: "polling" | "webhook" | "off"
  }
  readonly chat: {
    readonly isSet: boolean
    /** The chats that have written to the bot while it belongs to nobody. */
    readonly candidates: ReadonlyArray<{ readonly chatId: number; readonly name: string }>
  }
  readonly extension: { readonly isSet: boolean; readonly address: string }
  readonly model: { readonly isSet: boolean; readonly name: string | null }
  /** The number of links in the library. */
  readonly links: number
  /** Where settings are written; null if they cannot be. */
  readonly writesTo: string | null
}
