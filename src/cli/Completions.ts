import { type Command, CommandDescriptor } from "@effect/cli"
import { Effect } from "effect"
import type { Shell } from "./CommandLine.ts"

/** The command that prints the names which an option takes. */
const namesFor: Readonly<Record<string, string>> = { tag: "tags", collection: "collections" }

/** The first lines of the branch for the command `tag` in Bash, whose words after the number are tags. */
const TAG_BRANCH = "        linkbower__tag)"

const bashNames = `function __linkbower_names() {
    local name typed="\${cur//\\\\/}"
    COMPREPLY=()
    while IFS= read -r name; do
        if [[ "\${name}" == "\${typed}"* ]] ; then
            COMPREPLY+=( "$(printf '%q' "\${name}")" )
        fi
    done < <("\${COMP_WORDS[0]}" "$1" 2>/dev/null)
}`

const bashTags = `            if [[ \${cur} != -* && \${COMP_CWORD} -ge 3 ]] ; then
                __linkbower_names tags
                return 0
            fi`

/** Its last argument is the command that prints the names; those before it are for `compadd` (zshcompsys, _arguments). */
const zshNames = `_linkbower_names() {
    local -a names
    names=("\${(@f)$(linkbower \${argv[-1]} 2>/dev/null)}")
    compadd "\${(@)argv[1,-2]}" -a names
}`

const zshTags = `                '1:NUMBER: ' \\
                '*:TAG:_linkbower_names tags' \\`

/** Completes tags and collections with those of the library, which the script asks for with \`linkbower tags\`. */
const withNames: Readonly<Record<"bash" | "zsh" | "fish", (lines: ReadonlyArray<string>) => Array<string>>> =
  {
    bash: (lines) => [
      bashNames,
      ...lines.flatMap((line, at) => {
        const option = /^ +--(\w+)\)$/.exec(lines[at - 1] ?? "")?.[1] ?? ""
        const names = namesFor[option]
        if (names !== undefined) return [line.replace(/COMPREPLY=.*/, `__linkbower_names ${names}`)]
        return line === TAG_BRANCH ? [line, bashTags] : [line]
      })
    ],
    zsh: ([first = "", ...lines]) => [
      first,
      zshNames,
      ...lines.flatMap((line, at) => {
        const named = line
          .replace(/^( +'--(tag|collection)\[.*\])' /, (_, spec: string, option: string) => {
            const names = namesFor[option]
            return `${spec}:NAME:_linkbower_names ${names}' `
          })
          // The name by which zsh loads the file.
          .replace('= "_linkbower_zsh_completions" ]', '= "_linkbower" ]')
        return lines[at - 1] === "            (tag)" ? [named, zshTags] : [named]
      })
    ],
    fish: (lines) =>
      lines.map((line) => {
        const option = / -l (tag|collection) -r -f /.exec(line)?.[1] ?? ""
        const names = /from tag" -r -f -d 'Tags/.test(line) ? "tags" : namesFor[option]
        return names === undefined
          ? line
          : line.replace(" -r -f ", ` -r -f -a "(linkbower ${names} 2>/dev/null)" `)
      })
  }

/** A completion script without the library's option `--wizard`, which this command line does not have. */
const withoutWizard = (lines: ReadonlyArray<string>) =>
  lines.map((line) => line.replace(" --wizard", "")).filter((line) => !line.includes("wizard"))

/** The lines of the script that completes the words of a command in a shell. */
export const completionLines = <Name extends string, R, E, A>(
  { descriptor }: Command.Command<Name, R, E, A>,
  shell: Shell
) => {
  switch (shell) {
    case "zsh":
      return Effect.map(CommandDescriptor.getZshCompletions(descriptor, "linkbower"), (lines) =>
        withNames.zsh(withoutWizard(lines))
      )
    case "fish":
      return Effect.map(CommandDescriptor.getFishCompletions(descriptor, "linkbower"), (lines) =>
        withNames.fish(withoutWizard(lines))
      )
    default:
      return Effect.map(CommandDescriptor.getBashCompletions(descriptor, "linkbower"), (lines) =>
        withNames.bash(withoutWizard(lines))
      )
  }
}
