import type { Script } from "./script.ts"

const topic = (id: number) => ({ message_thread_id: id, is_topic_message: true })

/** A group with topics, where people also talk to each other. */
export const group: Script = {
  name: "a group",
  chat: { id: -100_123, type: "supergroup" },
  rows: [
    { shows: "a link between people is not saved", say: "{Theirs} look at this", answer: null, count: 0 },
    { shows: "talk is not searched for", say: "good morning!", answer: null, count: 0 },
    { shows: "another bot's name is not the bot's", say: "@other_bot {Theirs}", answer: null, count: 0 },
    { shows: "another bot's command is not the bot's", say: "/find@other_bot bread", answer: null, count: 0 },
    {
      shows: "a mention saves the link without the mention",
      say: "@my_bot {Ours} for the trip #travel",
      more: topic(7),
      answer: /Ours/,
      topic: 7,
      stored: { url: "{Ours}", note: "for the trip", tags: ["travel"] },
      count: 1
    },
    {
      shows: "a mention at the end does too",
      say: "{Later} for Friday @My_Bot",
      more: topic(8),
      answer: /Later/,
      topic: 8,
      stored: { url: "{Later}", note: "for Friday" },
      count: 2
    },
    {
      shows: "an edit of such a message is followed",
      edit: "a mention at the end does too",
      to: "{Later} for Sunday @my_bot",
      more: topic(8),
      answer: /Note updated/,
      topic: 8,
      stored: { url: "{Later}", note: "for Sunday" },
      count: 2
    },
    {
      shows: "a mention searches for its words",
      say: "@my_bot ours",
      more: topic(7),
      answer: /“ours”/,
      topic: 7,
      count: 2
    },
    {
      shows: "a command is answered in its topic",
      say: "/find ours",
      more: topic(9),
      answer: /“ours”/,
      topic: 9,
      count: 2
    },
    {
      shows: "so is a command with the bot's name",
      say: "/find@my_bot later",
      more: topic(9),
      answer: /“later”/,
      topic: 9,
      count: 2
    },
    {
      shows: "a reply to the bot is a note",
      say: "bring the tent",
      replyTo: /^Ours/,
      more: topic(7),
      answer: /Added to #1/,
      topic: 7,
      stored: { url: "{Ours}", note: "for the trip\nbring the tent" },
      count: 2
    },
    {
      shows: "a question and its button stay in the topic",
      say: "@my_bot for which trip is doubt.example?",
      more: topic(7),
      answer: /^Nothing has all of these words\. \d links? ha(s|ve) some of them:/,
      buttons: ["Save doubt.example"],
      topic: 7,
      count: 2
    },
    {
      shows: "what the button saves is answered there too",
      press: "Save doubt.example",
      answer: /doubt\.example/,
      topic: 7,
      stored: { url: "https://doubt.example", note: "" },
      count: 3
    },
    {
      shows: "a picture without a mention is not answered",
      say: "{Theirs}",
      caption: true,
      more: { media_group_id: "4" },
      answer: null,
      count: 3
    },
    {
      shows: "a captioned picture with a mention is",
      say: "@my_bot {Picture}",
      caption: true,
      more: { media_group_id: "4", ...topic(7) },
      answer: /Picture/,
      topic: 7,
      stored: { url: "{Picture}", note: "" },
      count: 4
    },
    {
      shows: "a forwarded link without a mention is not saved",
      say: "{Theirs}",
      more: { forward_origin: { type: "hidden_user", sender_user_name: "Ann", date: 1 } },
      answer: null,
      count: 4
    },
    {
      shows: "a mention in reply to another's message saves that one's link",
      say: "@my_bot",
      more: {
        ...topic(7),
        reply_to_message: {
          message_id: 77,
          date: 1,
          chat: { id: -100_123, type: "supergroup" },
          from: { id: 9, is_bot: false },
          text: "https://pointed.example/a see this"
        }
      },
      answer: /pointed\.example/,
      topic: 7,
      stored: { url: "https://pointed.example/a", note: "see this" },
      count: 5
    },
    {
      shows: "a message of the general topic is answered outside the topics",
      say: "@my_bot later",
      answer: /“later”/,
      count: 5
    }
  ]
}
