import { IconButton } from "../components/Button.tsx"
import { Select } from "../components/Fields.tsx"
import {
  changeRate,
  changeVoice,
  chosenVoice,
  listening,
  rate,
  rates,
  stepParagraph,
  stopListening,
  toggleListening,
  voices,
  voicesOf
} from "./listen.ts"
import type { PartProps } from "./parts.ts"

/** The button that reads the article aloud; absent in a browser without voices. */
export const ListenButton = ({ frame }: PartProps) =>
  frame === null || voices.value.length === 0 ? null : (
    <IconButton
      icon="listen"
      label="Listen"
      title="Listen (l)"
      aria-pressed={listening.value !== "off"}
      onClick={() => (listening.value === "off" ? toggleListening() : stopListening())}
    />
  )

/** The controls of what is read aloud. */
export const ListenBar = ({ frame }: PartProps) => {
  if (frame === null || listening.value === "off") return null
  const isPlaying = listening.value === "playing"
  const all = voicesOf(frame)
  return (
    <section class="reader-listen row floating" aria-label="Listen">
      <IconButton icon="up" label="Previous paragraph" onClick={() => stepParagraph(-1)} />
      <IconButton
        icon={isPlaying ? "pause" : "play"}
        label={isPlaying ? "Pause" : "Play"}
        title={isPlaying ? "Pause (l)" : "Play (l)"}
        onClick={toggleListening}
      />
      <IconButton icon="down" label="Next paragraph" onClick={() => stepParagraph(1)} />
      <span class="reader-voice">
        <Select
          aria-label="Voice"
          value={(all.find(({ voiceURI }) => voiceURI === chosenVoice.value) ?? all[0])?.voiceURI ?? ""}
          choices={all.map(({ localService, name, voiceURI }) => [
            voiceURI,
            localService ? name : `${name} (online)`
          ])}
          onChoose={changeVoice}
        />
      </span>
      <Select
        aria-label="Rate"
        value={rate.value}
        choices={rates.map((one) => [one, `${one}×`])}
        onChoose={changeRate}
      />
      <IconButton icon="close" label="Stop listening" title="Stop" onClick={stopListening} />
    </section>
  )
}
