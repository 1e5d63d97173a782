import { changing, finding, tidying } from "./answering.ts"
import { filesInChat, filesInGroup, takingBack } from "./files.ts"
import { group } from "./group.ts"
import { misreading, offering } from "./misreading.ts"
import { inline, withService } from "./pages.ts"
import { saving } from "./saving.ts"
import type { Script } from "./script.ts"

/** All conversations; each begins with an empty library. */
export const scripts: ReadonlyArray<Script> = [
  saving,
  misreading,
  offering,
  group,
  finding,
  changing,
  tidying,
  withService,
  inline,
  filesInChat,
  takingBack,
  filesInGroup
]
