package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.Connection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A stream that is given from one handler to another, as when a protocol is upgraded. */
class StreamHandOverTest extends ProactorContract {

    private static final byte[] HEAD = "upgrade, please\n".getBytes(StandardCharsets.UTF_8);
    /** More than fits into a few provided buffers, so that a batch holds some that are still to be dispatched. */
    private static final byte[] BODY = Bytes.random(300_000);

    private Connection connection;
    private final Collector second = new Collector();

    /** Takes everything, to the end of the stream. */
    private static class Collector implements CompletionHandler {

        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final List<Object> tokens = new CopyOnWriteArrayList<>();
        final List<Throwable> failures = new CopyOnWriteArrayList<>();
        volatile int sent;
        volatile boolean ended;
        volatile boolean cancelled;
        volatile int taken;

        @Override
        public void handleCompletion(Completion completion) throws Exception {
            if (completion.type() == OperationType.SEND) {
                sent(completion);
            } else {
                received(completion);
            }
        }

        void received(Completion completion) throws Exception {
            assertSame(this, completion.handler());
            tokens.add(completion.token());
            ended |= completion.isEndOfStream();
            cancelled |= completion.isLast() && !completion.isSuccess();
            if (completion.buffer() != null) {
                ByteBuffer received = completion.buffer().bytes();
                assertEquals(completion.bytesTransferred(), received.remaining());
                assertTrue(received.isDirect());
                take(received);
            }
        }

        final void take(ByteBuffer received) {
            byte[] piece = new byte[received.remaining()];
            received.get(piece);
            bytes.writeBytes(piece);
            taken = bytes.size();
        }

        private void sent(Completion completion) {
            sent++;
        }

        @Override
        public void handleFailure(Handle handle, Throwable cause) {
            failures.add(cause);
            handle.close();
        }
    }

    /** Takes the head, and gives the rest to another. */
    private static final class Upgrading extends Collector {

        private final CompletionHandler next;
        private AsyncStream stream;

        Upgrading(CompletionHandler next) {
            this.next = next;
        }

        @Override
        void received(Completion completion) {
            tokens.add(completion.token());
            ByteBuffer received = completion.buffer().bytes();
            while (received.hasRemaining()) {
                byte each = received.get();
                bytes.write(each);
                if (each == '\n') {
                    stream.handOver(next, received, completion.token());
                    assertFalse(received.hasRemaining());
                    return;
                }
            }
        }
    }

    private final Upgrading first = new Upgrading(second);

    @BeforeEach
    void connect() throws IOException {
        connection = unix();
        first.stream = new AsyncStream(proactor, connection.near(), first);
    }

    private OtherThread<Void> sendAll(int atOnce) {
        return OtherThread.start(() -> {
            ByteBuffer all = ByteBuffer.allocate(HEAD.length + BODY.length).put(HEAD).put(BODY).flip();
            while (all.hasRemaining()) {
                ByteBuffer piece = all.slice(all.position(), Math.min(atOnce, all.remaining()));
                all.position(all.position() + piece.remaining());
                connection.far().sendFully(piece, LIMIT);
            }
            connection.far().close();
            return null;
        });
    }

    private void assertUpgraded() throws Exception {
        assertEquals(new String(HEAD, StandardCharsets.UTF_8), first.bytes.toString(StandardCharsets.UTF_8));
        assertArrayEquals(BODY, second.bytes.toByteArray());
        assertFalse(first.ended);
        assertEquals(List.of(), second.failures);
    }

    @Test
    void whatIsPendingReachesTheNewHandlerOnceAndInOrder() throws Exception {
        OtherThread<Void> sender = sendAll(Integer.MAX_VALUE);
        first.stream.receiveContinuously("all");
        runUntil(() -> second.ended);
        sender.result();
        assertUpgraded();
        assertEquals(List.of("all"), second.tokens.stream().distinct().toList());
    }

    @Test
    void theHeadMayComeInSmallPieces() throws Exception {
        OtherThread<Void> sender = sendAll(7);
        first.stream.receiveContinuously("all");
        runUntil(() -> second.ended);
        sender.result();
        assertUpgraded();
    }

    @Test
    void operationsInFlightGoOver() throws Exception {
        first.stream.receiveContinuously("all");
        runUntilIdle();
        first.stream.send(direct("1"), 1);
        runUntil(() -> first.sent == 1);
        first.stream.send(direct("2"), 2);
        CompletionRecorder own = recorder("own");
        first.stream.withHandler(own).send(direct("3"), 3);
        CompletableFuture<Long> future = first.stream.sendFuture(direct("4"));
        // None of these completions has been dispatched.
        first.stream.handOver(second);
        first.stream.send(direct("5"), 5);
        connection.send("hello");
        runUntil(() -> second.sent == 2 && second.taken == 5 && own.isOver(3) && future.isDone());
        assertEquals(1, first.sent);
        assertEquals(0, first.taken);
        assertEquals("hello", second.bytes.toString());
        assertEquals(1, future.join());
        assertEquals("12345", receive(connection, 5));
        first.stream.cancel();
        runUntil(() -> second.cancelled);
        assertFalse(first.cancelled);
    }

    @Test
    void theEndOfTheProactorIsTheNewHandlers() throws Exception {
        first.stream.receiveContinuously("all");
        first.stream.handOver(second);
        proactor.close();
        assertTrue(second.cancelled);
        assertFalse(first.cancelled);
    }

    @Test
    void goesBackAndForth() throws Exception {
        Collector third = new Collector();
        AsyncStream stream = first.stream;
        stream.handOver(second);
        stream.receiveContinuously("all");
        String[] said = {"a", "bb", "ccc", "dddd", "eeeee"};
        Collector[] heard = {second, third, second, third, second};
        for (int i = 0; i < said.length; i++) {
            Collector now = heard[i];
            stream.handOver(now);
            int expected = now.taken + said[i].length();
            connection.send(said[i]);
            runUntil(() -> now.taken == expected);
        }
        assertEquals("accceeeee", second.bytes.toString());
        assertEquals("bbdddd", third.bytes.toString());
        connection.far().close();
        runUntil(() -> second.ended);
        assertFalse(third.ended);
    }

    @Test
    void theRestMayBeKept() throws Exception {
        List<RetainedBuffer> kept = new ArrayList<>();
        Upgrading keeping = new Upgrading(completion -> {
            kept.add(completion.buffer().retain());
            assertThrows(IllegalStateException.class, completion.buffer()::retain);
            assertThrows(IllegalStateException.class, completion.buffer()::bytes);
        });
        Connection other = unix();
        keeping.stream = new AsyncStream(proactor, other.near(), keeping);
        keeping.stream.receiveContinuously("all");
        other.send("head\nrest");
        runUntil(() -> kept.size() == 1);
        other.send("more");
        runUntil(() -> kept.size() == 2);
        assertEquals("rest", text(kept.get(0).bytes()));
        keeping.stream.withHandler(recorder).send(kept.get(0).bytes(), "echo");
        result("echo");
        assertEquals("rest", receive(other, 4));
        RetainedBuffer moved = kept.get(0).moved();
        assertThrows(IllegalStateException.class, kept.get(0)::close);
        moved.close();
        assertThrows(IllegalStateException.class, moved::close);
        assertThrows(IllegalStateException.class, moved::bytes);
        kept.get(1).close();
    }

    @Test
    void whatTheNewHandlerThrowsIsItsOwnFailure() throws Exception {
        Collector failing = new Collector() {
            @Override
            void received(Completion completion) throws Exception {
                super.received(completion);
                throw new LinkageError("thrown by the test");
            }
        };
        Upgrading upgrading = new Upgrading(failing);
        Connection other = unix();
        upgrading.stream = new AsyncStream(proactor, other.near(), upgrading);
        upgrading.stream.receiveContinuously("all");
        other.send("head\nrest");
        runUntil(() -> failing.cancelled);
        // The second one for the cancelled receive.
        assertTrue(failing.failures.size() >= 1);
        assertEquals("rest", failing.bytes.toString());
        assertEquals(List.of(), upgrading.failures);
        assertFalse(other.near().handle().isOpen());
    }

    @Test
    void aSingleReceiveLeavesItsRestAsWell() throws Exception {
        ByteBuffer room = ByteBuffer.allocate(100);
        connection.send("head\nrest");
        first.stream.withHandler(recorder).receive(room, "head");
        result("head");
        room.flip().position(5);
        first.stream.handOver(second, room, "rest");
        assertEquals("rest", second.bytes.toString());
        assertEquals(List.of("rest"), second.tokens);
        first.stream.handOver(recorder, room, "nothing is left");
        assertEquals(1, recorder.results().size());
    }

    @Test
    void withoutAHandlerThereIsNothingToHandOver() throws Exception {
        AsyncStream none = new AsyncStream(proactor, unix().near());
        assertThrows(IllegalStateException.class, () -> none.handOver(second));
        assertThrows(NullPointerException.class, () -> first.stream.handOver((CompletionHandler) null));
        first.stream.receiveContinuously("all");
        connection.send("head\n");
        runUntil(() -> first.bytes.size() == 5);
    }

    /** Each hook gives the stream to the other one, whichever thread it runs on. */
    @Test
    void threadsThatShareTheProactorSeeTheNewHandler() throws Exception {
        int threads = isShared() ? 4 : 1;
        for (int i = 0; i < threads; i++) {
            own(LoopRunner.started(proactor));
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        AtomicInteger ends = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        Connection other = unix();
        Passing[] both = {new Passing(all, ends, wrong), new Passing(all, ends, wrong)};
        both[0].next = both[1];
        both[1].next = both[0];
        AsyncStream stream = new AsyncStream(proactor, other.near(), both[0]);
        both[0].stream = stream;
        both[1].stream = stream;
        stream.receiveContinuously("all");
        for (int from = 0; from < BODY.length; from += 1000) {
            other.far().sendFully(ByteBuffer.wrap(Arrays.copyOfRange(BODY, from, from + 1000)), LIMIT);
        }
        other.far().close();
        OtherThread.await(() -> ends.get() > 0);
        assertArrayEquals(BODY, all.toByteArray());
        assertEquals(0, wrong.get());
        assertEquals(1, ends.get());
    }

    private static final class Passing implements CompletionHandler {

        private final ByteArrayOutputStream all;
        private final AtomicInteger ends;
        private final AtomicInteger wrong;
        private AsyncStream stream;
        private Passing next;
        private boolean mine;

        Passing(ByteArrayOutputStream all, AtomicInteger ends, AtomicInteger wrong) {
            this.all = all;
            this.ends = ends;
            this.wrong = wrong;
        }

        @Override
        public void handleCompletion(Completion completion) {
            // Each hook is followed by one of the other handler.
            wrong.addAndGet(mine ? 1 : 0);
            mine = true;
            next.mine = false;
            if (completion.isEndOfStream()) {
                ends.incrementAndGet();
                return;
            }
            byte[] piece = new byte[completion.buffer().bytes().remaining()];
            completion.buffer().bytes().get(piece);
            all.writeBytes(piece);
            stream.handOver(next);
        }
    }
}
