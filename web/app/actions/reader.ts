import { readerParts } from "../state/lazy.ts"
import { route } from "../state/route.ts"
import { type Action, register } from "./registry.ts"

type Parts = NonNullable<typeof readerParts.value>

type Given = Pick<Action, "name" | "icon" | "keyOnly" | "repeats"> & {
  readonly keys: ReadonlyArray<string>
  readonly perform: (parts: Parts) => unknown
}

/** An action for the page that is read. */
const inReader = ({ perform, ...action }: Given): Action => ({
  ...action,
  group: "Reader",
  isAvailable: () => route.value.page === "read",
  perform: () => {
    const parts = readerParts.peek()
    return parts !== null && perform(parts)
  }
})

const scroll = (name: string, key: string, by: 1 | -1, unit: "lines" | "screen") =>
  inReader({
    name,
    keys: [key],
    keyOnly: true,
    repeats: true,
    perform: ({ scrollReader }) => scrollReader(by, unit)
  })

register(
  inReader({
    name: "Highlight what is selected",
    icon: "highlight",
    keys: ["h"],
    perform: ({ highlightSelection }) => highlightSelection()
  }),
  inReader({
    name: "Contents of the page",
    icon: "contents",
    keys: ["i"],
    perform: ({ toggleContents }) => toggleContents()
  }),
  inReader({
    name: "Larger text",
    icon: "text",
    keys: ["+", "="],
    perform: ({ changeSize }) => changeSize(1)
  }),
  inReader({ name: "Smaller text", icon: "text", keys: ["-"], perform: ({ changeSize }) => changeSize(-1) }),
  scroll("Scroll down", "j", 1, "lines"),
  scroll("Scroll up", "k", -1, "lines"),
  scroll("Next screen", "Space", 1, "screen"),
  scroll("Previous screen", "Shift+Space", -1, "screen"),
  inReader({
    name: "Next unread page",
    icon: "unread",
    keys: ["n"],
    perform: ({ openNext }) => {
      const now = route.value
      return now.page === "read" && openNext(now.id)
    }
  }),
  inReader({
    name: "Listen, or pause",
    icon: "listen",
    keys: ["l"],
    perform: ({ toggleListening }) => toggleListening()
  }),
  inReader({
    name: "Print the page",
    icon: "print",
    keys: ["Mod+p"],
    perform: ({ printArticle }) => printArticle()
  }),
  inReader({
    name: "Leave the page",
    keys: ["Escape"],
    keyOnly: true,
    perform: ({ leaveReader }) => leaveReader()
  })
)
