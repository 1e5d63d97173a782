import { choice, type Parameter } from "./ListParameters.ts"

export const highlightColours = ["yellow", "green", "blue", "pink"] as const
export type HighlightColour = (typeof highlightColours)[number]

/** Highlights on a page of the list of all, by default and at most. */
export const HIGHLIGHT_PAGE = 50
export const MAX_HIGHLIGHT_PAGE = 200

const positive = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)

/** The last highlight of a page of the list: newest first, then by number. */
export interface HighlightPlace {
  readonly createdAt: string
  readonly id: number
}

export const encodeHighlightPlace = ({ createdAt, id }: HighlightPlace): string => `${createdAt}~${id}`

export const highlightParameters = {
  colour: choice(highlightColours),
  link: { mustBe: "a link's number", parse: positive } satisfies Parameter<number>,
  limit: {
    mustBe: `a number from 1 to ${MAX_HIGHLIGHT_PAGE}`,
    parse: (text) => {
      const limit = positive(text)
      return limit !== undefined && limit <= MAX_HIGHLIGHT_PAGE ? limit : undefined
    }
  } satisfies Parameter<number>,
  cursor: {
    mustBe: "a cursor of this list",
    parse: (text) => {
      const [, createdAt, id] = /^(\d{4}-[0-9T:.Z-]{1,30})~([1-9]\d{0,14})$/.exec(text) ?? []
      return createdAt === undefined || id === undefined ? undefined : { createdAt, id: Number(id) }
    }
  } satisfies Parameter<HighlightPlace>
}
