/** The language model every model call names: the newest small model of the provider's list. */
export const MODEL = "claude-haiku-5-5"
