import { parts } from "./Fields.ts"

/**
 * How the tags of one file are separated: by commas, and then a tag may have spaces in it, or by white space. A list
 * alone does not tell one tag of two words from two tags; the other lists of its file do.
 */
export const tagSplitter = (lists: ReadonlyArray<string>): ((list: string) => ReadonlyArray<string>) => {
  let commas = 0
  let spaces = 0
  for (const list of lists) {
    if (list.includes(",")) commas += 1
    else if (/\s/.test(list.trim())) spaces += 1
  }
  return commas > 0 && commas >= spaces
    ? (list) => parts(list, ",")
    : (list) => parts(list.replace(/\s/g, ","), ",")
}
