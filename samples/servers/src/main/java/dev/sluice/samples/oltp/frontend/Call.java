package dev.sluice.samples.oltp.frontend;

import dev.sluice.samples.oltp.resp.ReplyBuffer;
import java.io.IOException;
import java.time.Duration;

/** A request to a back-end, for the thread that serves its client. Can be sent again. */
final class Call {

    private final BackEnd backEnd;
    private final String[] words;
    private Link link;
    private PendingResponse response;
    private long sentAt;

    Call(BackEnd backEnd, String... words) {
        this.backEnd = backEnd;
        this.words = words;
    }

    BackEnd backEnd() {
        return backEnd;
    }

    void write(long tag, ReplyBuffer out) {
        out.array(words.length + 2);
        out.bulk("FORWARD");
        out.bulk(Long.toString(tag));
        for (String word : words) {
            out.bulk(word);
        }
    }

    /** It is on its way. */
    void sent(Link by, PendingResponse pending) {
        link = by;
        response = pending;
        sentAt = System.nanoTime();
    }

    /** It will not be sent. */
    void failed(IOException cause) {
        link = null;
        response = deadline -> {
            throw cause;
        };
    }

    /** {@return whether it was} */
    boolean wasSent() {
        return link != null;
    }

    /** Notes that the response is not awaited any more. For a call that was sent. */
    void expire(Duration timeout) {
        link.expire(sentAt, timeout);
    }

    byte[] await(long deadline) throws IOException {
        return response.await(deadline);
    }
}
