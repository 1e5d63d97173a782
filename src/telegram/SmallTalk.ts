import { Option } from "effect"
import { folded, wordsOf } from "../shared/Text.ts"
import type { CommandName } from "./Commands.ts"
import { type Html, lines, text } from "./Content.ts"
import { howToSave } from "./Replies.ts"

/** Whole messages in several languages, and the answers to them. */
const courtesies: ReadonlyArray<{ readonly answer: string; readonly messages: string }> = [
  {
    answer: "Hello! Words without a link search your library.",
    messages:
      "hi|hello|hello there|hi there|hey|hey there|hiya|good morning|good evening|hallo|guten Tag|guten Morgen|moin|servus|" +
      "bonjour|salut|hola|buenos días|ciao|buongiorno|olá|bom dia|hoi|goedendag|hej|god dag|moi|cześć|dzień dobry|ahoj|" +
      "merhaba|selam|привет|здравствуйте|добрый день|привіт|你好|您好|こんにちは|おはよう|안녕|안녕하세요|مرحبا|السلام عليكم|שלום|नमस्ते"
  },
  {
    answer: "You’re welcome!",
    messages:
      "thanks|thank you|thanks a lot|many thanks|thank you very much|thx|ty|cheers|great thanks|ok thanks|danke|danke schön|" +
      "vielen Dank|merci|merci beaucoup|gracias|muchas gracias|grazie|grazie mille|obrigado|obrigada|bedankt|dank je|tack|" +
      "takk|tak|kiitos|dzięki|dziękuję|děkuji|teşekkürler|teşekkür ederim|спасибо|дякую|谢谢|謝謝|ありがとう|ありがとうございます|" +
      "감사합니다|고마워|شكرا|תודה|धन्यवाद"
  }
]

const wordsIn = (message: string) => wordsOf(folded(message))

const answers = new Map(
  courtesies.flatMap(({ answer, messages }) =>
    messages.split("|").map((message) => [wordsIn(message).join(" "), answer] as const)
  )
)

/** A change that people ask for in words: the button on a card that makes it, and the command. */
interface Request {
  readonly verbs: ReadonlyArray<string>
  readonly button: string
  readonly command?: CommandName
}

const requests: ReadonlyArray<Request> = [
  { verbs: ["delete", "remove", "erase", "trash", "bin"], button: "🗑 Delete", command: "delete" },
  {
    verbs: ["summarize", "summarise", "summary", "tldr", "explain"],
    button: "🔄 Refresh to have its summary written again",
    command: "refresh"
  },
  { verbs: ["favorite", "favourite", "star"], button: "☆ Favorite" },
  { verbs: ["share", "publish"], button: "🌐 Share", command: "share" },
  { verbs: ["archive"], button: "🗄 Archive", command: "archive" },
  { verbs: ["tag", "label"], button: "🏷 Tags", command: "tag" },
  { verbs: ["move", "file"], button: "📁 Collection", command: "move" },
  { verbs: ["read", "open", "show"], button: "📖 Read here", command: "read" }
]

/** Words that point at the latest link. A message without any is a search. */
const pointing = new Set(["this", "that", "it", "last", "latest", "newest", "previous"])
const filling = new Set("the my one link page article please pls can could you for me to a".split(" "))

/** Returns the answer to a greeting or to thanks; none for other messages. */
export const courtesy = (message: string): Option.Option<Html> =>
  Option.map(Option.fromNullable(answers.get(wordsIn(message).join(" "))), (answer) =>
    lines([text(answer), howToSave])
  )

/** Returns what a message such as “delete the last one” asks for; none if it has other words, which are searched. */
export const requestIn = (message: string): Option.Option<Request> => {
  const words = wordsIn(message)
  const asked = requests.find(({ verbs }) => words.some((word) => verbs.includes(word)))
  const rest = words.filter((word) => !filling.has(word) && asked?.verbs.includes(word) !== true)
  return rest.length > 0 && rest.every((word) => pointing.has(word))
    ? Option.fromNullable(asked)
    : Option.none()
}

/** Says which button does what was asked for, above the card of link number `id`. */
export const requestReply = ({ button, command }: Request, id: number): Html =>
  text(`I only take commands. Press ${button}${command === undefined ? "" : `, or send /${command} ${id}`}.`)
