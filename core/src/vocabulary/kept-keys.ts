/** Keys of the header under which conversions keep what a transcript does not say, so that requests come back as they were. */

/** The fields of a chat request. */
export const requestKey = 'chat_request'

/** Messages of which the transcript says only a part. */
export const keptMessagesKey = 'chat_messages'
