package dev.sluice.samples.oltp.frontend;

import dev.sluice.samples.oltp.resp.ReplyBuffer;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A request to a back-end, as words, and the reply to it. */
final class Call {

    private final String[] words;
    // Waits without a monitor, which would pin a virtual thread's carrier before Java 24.
    private final CompletableFuture<byte[]> reply = new CompletableFuture<>();

    private Link link;
    private long tag;

    Call(String... words) {
        this.words = words;
    }

    /** {@return the same request, not answered} */
    Call again() {
        return new Call(words);
    }

    /** Called by the link before it sends. */
    void sentBy(Link by, long withTag) {
        link = by;
        tag = withTag;
    }

    void write(long withTag, ReplyBuffer out) {
        out.array(words.length + 2);
        out.bulk("FORWARD");
        out.bulk(Long.toString(withTag));
        for (String word : words) {
            out.bulk(word);
        }
    }

    /** Has something done with the reply, by the thread that has received it. */
    void whenAnswered(Consumer<byte[]> action) {
        reply.thenAccept(action);
    }

    void answer(byte[] octets) {
        reply.complete(octets);
    }

    void fail(IOException cause) {
        reply.completeExceptionally(cause);
    }

    /** Waits for the reply until a time by {@link System#nanoTime()}, by the thread that had it sent. */
    byte[] await(long deadline) throws IOException {
        try {
            return reply.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            link.forget(tag);
            throw new SocketTimeoutException("no answer in time");
        } catch (ExecutionException e) {
            throw (IOException) e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SocketTimeoutException("interrupted");
        }
    }
}
