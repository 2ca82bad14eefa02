package dev.sluice.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.connection.Framer;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.StreamHandler;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * Makes up to 1,024 calls at a time over one connection, each with a time-out, and connects again, after a growing
 * delay, when the connection is lost. A frame is its length, the number of its call, and text; the length counts all
 * but itself. Used by the loop thread alone.
 */
public final class Client implements StreamHandler {

    private static final int CALLS = 1024;
    private static final int MAX_FRAME = 64 * 1024;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration FIRST_DELAY = Duration.ofMillis(100);
    private final Proactor proactor;
    private final SocketAddress server;
    private final Call[] calls = new Call[CALLS];
    private final ArrayDeque<Call> free = new ArrayDeque<>(CALLS);
    private final ByteBuffer request = ByteBuffer.allocateDirect(MAX_FRAME + 4);
    private final Framer frames = Framer.lengthPrefixed(4, MAX_FRAME, this::answered);
    private Duration delay = FIRST_DELAY;
    private AsyncStream stream;

    private final class Call {
        final Timer timer = proactor.newTimer(() -> end(null, new SocketTimeoutException("no answer in " + TIMEOUT)));
        int number = free.size();
        BiConsumer<ByteBuffer, IOException> reply;          // gets an answer or a failure; null while the call is free

        void end(ByteBuffer answer, IOException failure) {
            BiConsumer<ByteBuffer, IOException> ended = reply;
            timer.cancel();
            reply = null;
            number += CALLS;                                // a late answer finds another number
            free.push(this);
            ended.accept(answer, failure);
        }
    }

    Client(Proactor proactor, SocketAddress server) {
        this.proactor = proactor;
        this.server = server;
        for (int slot = 0; slot < CALLS; slot++) {
            calls[slot] = new Call();
            free.push(calls[slot]);
        }
        connect();
    }

    private void connect() {
        stream = AsyncStream.connect(proactor, server, Duration.ofSeconds(2), this);
    }

    boolean call(ByteBuffer text, BiConsumer<ByteBuffer, IOException> reply) {
        Call call = stream.isConnected() ? free.poll() : null;
        if (call == null) {
            return false;                                   // no connection, or all calls in flight
        }
        call.reply = reply;
        call.timer.start(TIMEOUT);
        stream.send(request.clear().putInt(4 + text.remaining()).putInt(call.number).put(text).flip());
        return true;                                        // if it cannot be sent, the reply gets that as a failure
    }

    private void answered(ByteBuffer frame) {
        int number = frame.getInt();
        Call call = calls[number & CALLS - 1];
        if (call.number == number && call.reply != null) {
            call.end(frame, null);
        }
    }

    @Override
    public void received(AsyncStream from, ProvidedBuffer buffer) throws Exception {
        delay = FIRST_DELAY;
        frames.append(buffer.bytes());
    }

    @Override
    public void closed(AsyncStream closed) {
        frames.reset();
        if (!proactor.isStopping()) {
            proactor.schedule(this::connect, delay);
        }
        delay = delay.toSeconds() < 5 ? delay.multipliedBy(2) : delay;
        Stream.of(calls).filter(call -> call.reply != null).forEach(call -> call.end(null, new IOException("lost")));
    }

    public static void main(String[] args) throws IOException {
        try (Proactor proactor = Proactor.open()) {
            Client client = new Client(proactor, new InetSocketAddress(args[0], Integer.parseInt(args[1])));
            ByteBuffer text = ByteBuffer.wrap("hello".getBytes(UTF_8));
            proactor.schedule(() -> client.call(text.rewind(), (answer, failure) -> System.out.println(
                    failure == null ? UTF_8.decode(answer) : failure)), Duration.ZERO, Duration.ofMillis(10));
            proactor.stopOnTermination(Duration.ofSeconds(5));
            proactor.run();
        }
    }
}
