/** How the names of the months begin, in lower case without accents, a month a group; in the languages of most pages. */
const months =
  "jan gen ene sty янв|feb fev lut фев|mar maa mrt мар|apr avr abr kwi апр|may mai maj mei mag мая май|jun juin giu cze июн|jul juil lug lip июл|aug aou ago sie авг|sep set wrz сен|oct okt out ott paz окт|nov lis ноя|dec dez dic des gru дек"
    .split("|")
    .map((starts) => starts.split(" "))

export const monthNamed = (word: string): number | undefined => {
  const plain = word
    .normalize("NFD")
    .replace(/\p{M}+/gu, (marks) => (marks === "\u0306" ? marks : ""))
    .normalize("NFC")
    .toLowerCase()
  return months.findIndex((starts) => starts.some((start) => plain.startsWith(start))) + 1 || undefined
}
