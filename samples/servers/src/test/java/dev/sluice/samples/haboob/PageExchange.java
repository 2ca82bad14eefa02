package dev.sluice.samples.haboob;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.web.Exchange;
import dev.sluice.samples.web.protocol.Limits;
import dev.sluice.samples.web.protocol.Pipeline;
import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.Request;
import dev.sluice.samples.web.protocol.RequestParser;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A request whose reply is sent when the test says so: until then it uses the memory that it was made of. */
final class PageExchange implements Exchange {

    private static final String HEAD_END = "\r\n\r\n";

    private final RequestParser parser = new RequestParser(Limits.DEFAULT);
    private final Reply reply = new Reply();
    private final Pipeline pipeline;
    private final BooleanSupplier pointless;
    private final Consumer<Exchange> listener;
    private final CountDownLatch made = new CountDownLatch(1);

    /**
     * Creates an exchange.
     *
     * @param line      method and path
     * @param pipeline  makes its reply
     * @param pointless whether its client has gone, when a stage wants to know
     * @param listener  when the reply has been made
     */
    PageExchange(String line, Pipeline pipeline, BooleanSupplier pointless, Consumer<Exchange> listener) {
        this.pipeline = pipeline;
        this.pointless = pointless;
        this.listener = listener;
        assertEquals(RequestParser.Progress.COMPLETE,
                parser.parse(ByteBuffer.wrap((line + " HTTP/1.1\r\nHost: a" + HEAD_END).getBytes(US_ASCII))));
    }

    /** What a client would get. */
    record Sent(int status, String head, byte[] content) {

        boolean mayBeTriedAgain() {
            return head.contains("\r\nRetry-After: 1\r\n");
        }
    }

    @Override
    public Request request() {
        return parser.request();
    }

    @Override
    public Reply reply() {
        return reply;
    }

    @Override
    public Pipeline pipeline() {
        return pipeline;
    }

    @Override
    public boolean isPointless() {
        return pointless.getAsBoolean();
    }

    @Override
    public void made() {
        listener.accept(this);
        made.countDown();
    }

    /** Waits until the reply has been made, and does not send it yet. */
    PageExchange awaitMade() throws InterruptedException {
        assertTrue(made.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS), request().path() + " is not answered");
        return this;
    }

    /** Sends the reply, after which nothing of it is used any more. */
    Sent send() throws InterruptedException {
        awaitMade();
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        int status = reply.status().code();
        do {
            put(reply.head(), octets);
            put(reply.content(), octets);
        } while (reply.next());
        reply.close();
        byte[] all = octets.toByteArray();
        int end = new String(all, ISO_8859_1).indexOf(HEAD_END) + HEAD_END.length();
        return new Sent(status, new String(all, 0, end, ISO_8859_1), Arrays.copyOfRange(all, end, all.length));
    }

    private static void put(ByteBuffer part, ByteArrayOutputStream octets) {
        byte[] copy = new byte[part.remaining()];
        part.get(copy);
        octets.writeBytes(copy);
    }
}
