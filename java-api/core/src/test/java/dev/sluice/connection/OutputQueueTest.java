package dev.sluice.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.handle.FileHandle;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ways to send: synchronously as much as the system takes, and with one send in flight until it completes. */
class OutputQueueTest {

    private static final int KILOBYTE = 1024;
    private static final int ALL = Integer.MAX_VALUE;

    private final List<String> returned = new ArrayList<>();

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(ISO_8859_1));
    }

    private static ByteBuffer zeros(int count) {
        return ByteBuffer.allocate(count);
    }

    private static boolean byAnotherThread(BooleanSupplier call) throws Exception {
        return CompletableFuture.supplyAsync(call::getAsBoolean).get(10, TimeUnit.SECONDS);
    }

    private Runnable returns(String name) {
        return () -> returned.add(name);
    }

    private static void assertOver(PlayedConnection connection, String cause) {
        assertEquals(Optional.ofNullable(cause), connection.output().endCause().map(Throwable::getMessage));
        ByteBuffer bytes = bytes("late");
        connection.output().send(bytes);
        assertFalse(bytes.hasRemaining(), "all bytes are consumed");
    }

    // Order and amount

    @Test
    void sendsAtOnceWhatTheSystemTakes() {
        PlayedConnection connection = new PlayedConnection(false);
        connection.capacity = 8;
        ByteBuffer bytes = bytes("0123456789");
        assertTrue(connection.output().send(bytes));
        assertFalse(bytes.hasRemaining());
        assertEquals("01234567", connection.received());
        assertEquals(2, connection.output().unsentBytes());
        assertEquals(List.of("wait"), connection.events());
        assertTrue(connection.output().send(bytes("abc")));
        assertEquals(List.of(10), connection.calls, "nothing is tried while the system is full");
        connection.take(4);
        assertEquals("0123456789ab", connection.received());
        connection.take(100);
        assertEquals("0123456789abc", connection.received());
        assertEquals(List.of("no wait"), connection.events());
        assertEquals(13, connection.sentBytes());
        assertEquals(0, connection.output().unsentBytes());
    }

    @Test
    void sendsQueuedDataInOneCall() {
        PlayedConnection connection = new PlayedConnection(true);
        for (int i = 0; i < 3; i++) {
            connection.output().send(zeros(10));
        }
        connection.output().send(zeros(5), returns("a"));
        connection.output().send(zeros(5), returns("b"));
        assertEquals(List.of(10), connection.calls);
        connection.take(ALL);
        assertEquals(List.of(10, 30), connection.calls);
        assertEquals(List.of("a", "b"), returned);
        assertEquals(List.of(), connection.events());
        assertFalse(connection.isInFlight());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void gathersAtMostSixteenBuffers(boolean completes) {
        PlayedConnection connection = new PlayedConnection(completes);
        IntStream.range(0, 40).forEach(i -> connection.output().send(bytes("" + i % 10), returns("" + i)));
        connection.calls.clear();
        connection.take(ALL);
        assertEquals(40, connection.receivedCount());
        assertEquals("0123456789".repeat(4), connection.received());
        assertTrue(connection.calls.stream().allMatch(size -> size <= 16), connection.calls::toString);
        assertEquals(IntStream.range(0, 40).mapToObj(Integer::toString).toList(), returned);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keepsTheOrderOfAllWaysToSend(boolean completes, @TempDir Path folder) throws Exception {
        Path path = Files.writeString(folder.resolve("file"), "a file of some length");
        try (FileHandle file = FileHandle.open(path)) {
            PlayedConnection connection = new PlayedConnection(completes);
            OutputQueue output = connection.output();
            byAnotherThread(() -> output.send(bytes("foreign ")));
            output.send(bytes("copied "));
            output.send(bytes("lent "), returns("lent"));
            byAnotherThread(() -> output.send(bytes("second "), returns("second")));
            output.send(file, 2, 4, returns("file"));
            Provided provided = new Provided(" provided");
            output.send(provided);
            for (int i = 0; i < 100; i++) {
                connection.take(1);
            }
            assertEquals("foreign copied lent second file provided", connection.received());
            assertEquals(List.of("lent", "second", "file"), returned);
            assertEquals(List.of("retained", "closed"), provided.calls);
            assertEquals(0, output.unsentBytes());
            assertEquals(connection.receivedCount(), connection.sentBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void copiesLargeBuffersIntoSeveralChunks(boolean completes) {
        PlayedConnection connection = new PlayedConnection(completes);
        byte[] expected = new byte[100 * KILOBYTE];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = (byte) (i * 31 >> 3);
        }
        byte[] source = expected.clone();
        connection.output().send(ByteBuffer.wrap(source, 0, 50_000));
        connection.output().send(ByteBuffer.wrap(source, 50_000, source.length - 50_000));
        Arrays.fill(source, (byte) 0);
        for (int i = 0; i < 200; i++) {
            connection.take(1000);
        }
        assertEquals(new String(expected, ISO_8859_1), connection.received());
    }

    @Test
    void doesNotAppendToBytesInFlight() {
        PlayedConnection connection = new PlayedConnection(true);
        connection.output().send(bytes("in flight"));
        connection.output().send(bytes(", queued"));
        connection.capacity = 100;
        assertEquals(List.of(9), connection.calls);
        connection.take(0);
        assertEquals("in flight, queued", connection.received());
    }

    @Test
    void queuesUntilTheConnectionIsEstablished() {
        PlayedConnection connection = new PlayedConnection(false, Runnable::run);
        connection.capacity = ALL;
        assertTrue(connection.output().send(bytes("early")));
        connection.output().closeWhenSent();
        assertEquals("", connection.received());
        connection.establish();
        assertEquals("early", connection.received());
        assertEquals(List.of("wait", "no wait", "shutdown", "linger"), connection.events());
    }

    @Test
    void letsOthersHaveTheirTurn() {
        PlayedConnection connection = new PlayedConnection(false);
        connection.output().send(bytes("x"));
        IntStream.range(0, 16 * 20).forEach(i -> connection.output().send(bytes("y"), returns("")));
        connection.capacity = ALL;
        connection.calls.clear();
        connection.establish();
        assertEquals(16, connection.calls.size());
        connection.take(0);
        assertEquals(321, connection.receivedCount());
    }

    // Files

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void failsIfAFileIsTooShort(boolean completes, @TempDir Path folder) throws Exception {
        Path path = Files.writeString(folder.resolve("file"), "short");
        try (FileHandle file = FileHandle.open(path)) {
            PlayedConnection connection = new PlayedConnection(completes);
            connection.capacity = ALL;
            assertFalse(connection.output().send(file, 0, 6, returns("file")));
            assertEquals(List.of("file"), returned);
            assertInstanceOf(EOFException.class, connection.output().endCause().orElseThrow());
        }
    }

    @Test
    void rejectsAnInvalidRange() {
        PlayedConnection connection = new PlayedConnection(false);
        OutputQueue output = connection.output();
        assertThrows(IllegalArgumentException.class, () -> output.send(null, -1, 1, returns("never")));
        assertThrows(IllegalArgumentException.class, () -> output.send(null, 0, -1, returns("never")));
        assertEquals(List.of(), returned);
    }

    // Watermarks and limit

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pausesTheInputBetweenTheWatermarks(boolean completes) {
        PlayedConnection connection = new PlayedConnection(completes);
        OutputQueue output = connection.output();
        output.send(zeros(256 * KILOBYTE));
        assertFalse(output.isAboveHighWatermark());
        output.send(zeros(1));
        assertTrue(output.isAboveHighWatermark());
        output.send(zeros(KILOBYTE));
        connection.take(KILOBYTE);
        connection.take(128 * KILOBYTE);
        assertTrue(output.isAboveHighWatermark());
        connection.take(1);
        assertFalse(output.isAboveHighWatermark());
        output.send(zeros(1));
        connection.take(ALL);
        List<String> events = new ArrayList<>(connection.events());
        events.removeAll(List.of("wait", "no wait"));
        assertEquals(List.of("pause", "resume"), events);
    }

    @Test
    void pausesTheInputOfAnotherConnection() {
        PlayedConnection first = new PlayedConnection(true);
        PlayedConnection second = new PlayedConnection(true);
        PlayedConnection elsewhere = new PlayedConnection(true, command -> { });
        first.output().watermarks(1, 10).pauses(second);
        second.output().watermarks(1, 10);
        assertThrows(IllegalArgumentException.class, () -> first.output().pauses(elsewhere));
        first.output().send(zeros(11));
        second.output().send(zeros(11));
        assertEquals(List.of(), first.events());
        assertEquals(List.of("pause"), second.events());
        second.take(ALL);
        assertEquals(List.of(), second.events(), "the first one still pauses it");
        first.output().pauses(first);
        assertEquals(List.of("pause"), first.events());
        assertEquals(List.of("resume"), second.events());
        first.close();
        assertEquals(List.of("close"), first.events());
    }

    @Test
    void resumesAnotherConnectionAtTheEnd() {
        PlayedConnection first = new PlayedConnection(false);
        PlayedConnection second = new PlayedConnection(false);
        first.output().watermarks(1, 10).pauses(second);
        first.output().send(zeros(11));
        first.close();
        assertEquals(List.of("pause", "resume"), second.events());
    }

    @Test
    void refusesWatermarksOutOfRange() {
        OutputQueue output = new PlayedConnection(false).output();
        assertThrows(IllegalArgumentException.class, () -> output.watermarks(0, 10));
        assertThrows(IllegalArgumentException.class, () -> output.watermarks(11, 10));
        assertThrows(IllegalArgumentException.class, () -> output.watermarks(1, 17 * KILOBYTE * KILOBYTE));
        assertThrows(IllegalArgumentException.class, () -> output.limit(256 * KILOBYTE - 1));
        assertSame(output, output.watermarks(1, 1).limit(1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endsBeyondTheLimit(boolean completes) {
        PlayedConnection connection = new PlayedConnection(completes);
        connection.output().watermarks(1, 5).limit(10);
        assertTrue(connection.output().send(zeros(10)));
        assertFalse(connection.output().send(zeros(1)));
        assertOver(connection, "more than 10 bytes wait to be sent: played connection");
        assertInstanceOf(OutputLimitException.class, connection.output().endCause().orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void takesASingleBufferBeyondTheLimit(boolean completes) throws Exception {
        PlayedConnection connection = new PlayedConnection(completes);
        connection.output().watermarks(1, 5).limit(10);
        assertTrue(connection.output().send(zeros(1000)));
        connection.take(ALL);
        assertTrue(byAnotherThread(() -> connection.output().send(zeros(1000))));
        connection.runTasks();
        connection.take(0);
        assertEquals(2000, connection.receivedCount());
    }

    @Test
    void endsWhenAnotherThreadSendsBeyondTheLimit() throws Exception {
        PlayedConnection connection = new PlayedConnection(false);
        connection.output().watermarks(1, 5).limit(10);
        assertTrue(byAnotherThread(() -> connection.output().send(zeros(8))));
        assertFalse(byAnotherThread(() -> connection.output().send(zeros(3), returns("refused"))));
        assertEquals(List.of("refused"), returned);
        connection.runTasks();
        assertOver(connection, "more than 10 bytes wait to be sent: played connection");
    }

    // Other threads

    @Test
    void wakesTheOwnerOnceForManySends() throws Exception {
        PlayedConnection connection = new PlayedConnection(false);
        connection.capacity = ALL;
        for (int i = 0; i < 5; i++) {
            byAnotherThread(() -> connection.output().send(bytes("x")));
        }
        assertEquals(5, connection.output().unsentBytes());
        assertEquals(1, connection.runTasks());
        assertEquals("xxxxx", connection.received());
    }

    @Test
    void manyThreadsLoseNothing() throws Exception {
        PlayedConnection connection = new PlayedConnection(false);
        connection.output().limit(Integer.MAX_VALUE);
        int threads = 4;
        int sends = 2000;
        List<CompletableFuture<Void>> all = IntStream.range(0, threads).mapToObj(thread ->
                CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < sends; i++) {
                        connection.output().send(ByteBuffer.wrap(new byte[] {(byte) thread, (byte) i}));
                    }
                })).toList();
        while (!all.stream().allMatch(CompletableFuture::isDone)) {
            connection.runTasks();
            connection.take(100);
        }
        connection.runTasks();
        connection.take(ALL);
        byte[] received = connection.received().getBytes(ISO_8859_1);
        assertEquals(2 * threads * sends, received.length);
        int[] next = new int[threads];
        for (int i = 0; i < received.length; i += 2) {
            assertEquals((byte) next[received[i]]++, received[i + 1]);
        }
    }

    @Test
    void discardsWhatOtherThreadsSendAfterTheEnd() throws Exception {
        PlayedConnection connection = new PlayedConnection(false);
        byAnotherThread(() -> connection.output().send(bytes("x"), returns("x")));
        connection.close();
        assertEquals(List.of("x"), returned);
        assertFalse(byAnotherThread(() -> connection.output().send(bytes("y"), returns("y"))));
        assertEquals(List.of("x", "y"), returned);
        assertFalse(byAnotherThread(() -> connection.output().send(bytes("z"))));
        assertEquals(0, connection.output().unsentBytes());
    }

    @Test
    void onlyTheOwnerConfigures() {
        OutputQueue output = new PlayedConnection(false).output();
        for (Runnable call : List.<Runnable>of(() -> output.watermarks(1, 2), () -> output.limit(1 << 20),
                () -> output.pauses(null))) {
            Exception thrown = assertThrows(Exception.class, () -> byAnotherThread(() -> {
                call.run();
                return true;
            }));
            assertInstanceOf(IllegalStateException.class, thrown.getCause());
            assertTrue(thrown.getCause().getMessage().contains("use loop().execute(...): played connection"),
                    thrown::getMessage);
        }
    }

    // The end

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shutsDownWhenAllIsSentAndWaitsForThePeer(boolean completes) {
        PlayedConnection connection = new PlayedConnection(completes);
        connection.output().send(bytes("last words"));
        connection.closeWhenSent();
        connection.closeWhenSent();
        assertTrue(connection.discardsInput());
        connection.events();
        connection.take(ALL);
        connection.closeWhenSent();
        List<String> events = new ArrayList<>(connection.events());
        events.removeAll(List.of("no wait"));
        assertEquals(List.of("shutdown", "linger"), events);
        connection.peerEnds();
        assertEquals(List.of("end"), connection.events());
        assertEquals(Optional.empty(), connection.output().endCause());
    }

    @Test
    void closesImmediatelyIfThePeerHasEnded() {
        PlayedConnection connection = new PlayedConnection(false);
        connection.peerEnds();
        connection.finishByDefault();
        assertEquals(List.of("end"), connection.events());
        assertFalse(connection.output().send(bytes("no misuse: the library has closed")));
    }

    @Test
    void keepsTheInputAfterAShutdown() {
        PlayedConnection connection = new PlayedConnection(false);
        connection.output().shutdownWhenSent();
        assertFalse(connection.discardsInput());
        assertEquals(List.of("shutdown"), connection.events());
        connection.output().closeWhenSent();
        assertEquals(List.of("linger"), connection.events());
    }

    @Test
    void endsWhenBothSidesHaveEndedTheirOutput() {
        PlayedConnection connection = new PlayedConnection(false);
        connection.output().shutdownWhenSent();
        connection.peerEnds();
        assertEquals(List.of("shutdown", "end"), connection.events());
    }

    @Test
    void namesTheCallThatHasEndedTheOutput() throws Exception {
        PlayedConnection closing = new PlayedConnection(false);
        closing.closeWhenSent();
        closing.finishByDefault();
        assertEquals("send: closeWhenSent() was called before; send first: played connection",
                assertThrows(IllegalStateException.class, () -> closing.output().send(bytes("x"))).getMessage());
        assertThrows(IllegalStateException.class, () -> closing.output().send(bytes("x"), returns("never")));
        assertEquals(List.of(), returned);
        assertFalse(byAnotherThread(() -> closing.output().send(bytes("x"))), "another thread cannot know");
        PlayedConnection closed = new PlayedConnection(false);
        closed.close();
        assertTrue(assertThrows(IllegalStateException.class, () -> closed.output().send(bytes("x"))).getMessage()
                .startsWith("send: close() was called before"));
        PlayedConnection shutDown = new PlayedConnection(false);
        shutDown.output().shutdownWhenSent();
        assertTrue(assertThrows(IllegalStateException.class, () -> shutDown.output().send(bytes("x"))).getMessage()
                .startsWith("send: shutdownWhenSent() was called before"));
    }

    @Test
    void waitsForAnnouncedReplies() throws Exception {
        PlayedConnection connection = new PlayedConnection(false);
        connection.capacity = ALL;
        connection.output().expectReply();
        connection.output().expectReply();
        connection.closeWhenSent();
        assertEquals(List.of(), connection.events());
        assertTrue(byAnotherThread(() -> connection.output().reply(bytes("one"))));
        connection.runTasks();
        assertEquals("one", connection.received());
        assertTrue(connection.output().reply(bytes(", two")));
        assertEquals("one, two", connection.received());
        assertEquals(List.of("shutdown", "linger"), connection.events());
        assertEquals("reply: none is announced; call expectReply() first: played connection",
                assertThrows(IllegalStateException.class, () -> connection.output().reply(bytes("x"))).getMessage());
        connection.peerEnds();
        assertFalse(connection.output().reply(bytes("x")));
    }

    @Test
    void sendsWhatOtherThreadsHaveSentBeforeTheClose() throws Exception {
        PlayedConnection connection = new PlayedConnection(false);
        connection.capacity = ALL;
        byAnotherThread(() -> connection.output().send(bytes("in time")));
        byAnotherThread(() -> {
            connection.closeWhenSent();
            return true;
        });
        connection.runTasks();
        assertEquals("in time", connection.received());
        assertTrue(connection.events().containsAll(List.of("shutdown", "linger")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void failureEndsTheConnectionAndReleasesAllBuffers(boolean completes) {
        PlayedConnection connection = new PlayedConnection(completes);
        connection.output().send(bytes("a"), returns("a"));
        connection.output().send(bytes("b"), returns("b"));
        connection.failure = new IOException("reset");
        if (completes) {
            connection.cancelInFlight();
            assertOver(connection, "cancelled");
        } else {
            connection.take(1);
            assertOver(connection, "reset");
        }
        assertEquals(List.of("a", "b"), returned);
        assertFalse(connection.output().send(bytes("c")));
    }

    @Test
    void failureOfASendAtOnceIsNotThrown() {
        PlayedConnection connection = new PlayedConnection(false);
        connection.failure = new IOException("broken pipe");
        assertFalse(connection.output().send(bytes("x")));
        assertEquals(List.of("end: broken pipe"), connection.events());
        assertOver(connection, "broken pipe");
    }

    @Test
    void bytesInFlightBelongToTheSystemUntilTheCompletion() {
        PlayedConnection connection = new PlayedConnection(true);
        connection.output().send(bytes("a"), returns("a"));
        connection.output().send(bytes("b"), returns("b"));
        connection.close();
        assertEquals(List.of(), returned);
        connection.cancelInFlight();
        assertEquals(List.of("a", "b"), returned);
        assertEquals(List.of("close"), connection.events());
    }

    // Errors and callbacks

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bufferThatCannotBeSentEndsTheConnection(boolean completes) {
        PlayedConnection connection = new PlayedConnection(completes);
        connection.output().send(bytes("a"), returns("a"));
        connection.output().send(bytes("b"), returns("b"));
        connection.refusal = new IllegalStateException("freed");
        connection.take(1);
        assertOver(connection, "freed");
        assertEquals(List.of("a", "b"), returned);
    }

    @Test
    void releasesAllBuffersIfAnotherInputCannotBeResumed() {
        PlayedConnection first = new PlayedConnection(false);
        PlayedConnection second = new PlayedConnection(false);
        first.output().watermarks(1, 10).pauses(second);
        first.output().send(zeros(11), returns("sent by the owner"));
        second.resumeError = new StackOverflowError("played");
        assertThrows(StackOverflowError.class, first::close);
        assertEquals(List.of("sent by the owner"), returned);
    }

    @Test
    void nextSendMakesUpForAWakeUpThatFailed() throws Exception {
        PlayedConnection connection = new PlayedConnection(false);
        connection.capacity = ALL;
        connection.wakeError = new StackOverflowError("played");
        for (String each : List.of("a", "b")) {
            Exception thrown = assertThrows(Exception.class,
                    () -> byAnotherThread(() -> connection.output().send(bytes(each))));
            assertSame(connection.wakeError, thrown.getCause());
        }
        connection.wakeError = null;
        assertTrue(byAnotherThread(() -> connection.output().send(bytes("c"))));
        assertTrue(byAnotherThread(() -> connection.output().send(bytes("d"))));
        connection.runTasks();
        assertEquals("abcd", connection.received());
        byAnotherThread(() -> connection.output().send(bytes("e")));
        byAnotherThread(() -> connection.output().send(bytes("f")));
        assertEquals(1, connection.runTasks(), "one wake-up is enough again");
        assertEquals("abcdef", connection.received());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void errorInTheMidstLosesNothing(boolean completes) {
        PlayedConnection connection = new PlayedConnection(completes);
        connection.error = new OutOfMemoryError("played");
        ByteBuffer bytes = bytes("once");
        assertThrows(OutOfMemoryError.class, () -> connection.output().send(bytes));
        connection.output().send(bytes);
        connection.output().send(bytes(", twice"));
        connection.take(ALL);
        assertEquals("once, twice", connection.received());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void returnedCallbackMaySendAndFail(boolean completes) {
        PlayedConnection connection = new PlayedConnection(completes);
        connection.output().send(bytes("one"), () -> {
            connection.output().send(bytes(", two"), returns("two"));
            throw new AssertionError("played");
        });
        connection.take(ALL);
        assertEquals("one, two", connection.received());
        assertEquals(List.of("two"), returned);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closesRetainedBuffers(boolean completes) throws Exception {
        PlayedConnection connection = new PlayedConnection(completes);
        Provided sent = new Provided("sent");
        Provided discarded = new Provided("discarded");
        Provided late = new Provided("late");
        connection.output().send(sent.retain());
        connection.take(4);
        assertEquals(List.of("retained", "closed"), sent.calls);
        connection.output().send(discarded.retain());
        connection.close();
        if (completes) {
            connection.cancelInFlight();
        }
        assertEquals(List.of("retained", "closed"), discarded.calls);
        assertFalse(byAnotherThread(() -> connection.output().send(late.retain())));
        assertEquals(List.of("retained", "closed"), late.calls);
    }

    @Test
    void emptyBufferIsReleasedImmediately() {
        PlayedConnection connection = new PlayedConnection(true);
        assertTrue(connection.output().send(bytes("")));
        assertTrue(connection.output().send(bytes(""), returns("empty")));
        assertEquals(List.of("empty"), returned);
        assertEquals(List.of(), connection.calls);
    }

    /** A buffer that records calls. */
    private static final class Provided extends ProvidedBuffer {

        private final List<String> calls = new ArrayList<>();
        private final RetainedBuffer retained;

        Provided(String text) {
            ByteBuffer bytes = OutputQueueTest.bytes(text);
            retained = new RetainedBuffer() {
                @Override
                public ByteBuffer bytes() {
                    return bytes;
                }

                @Override
                public void close() {
                    calls.add("closed");
                }
            };
        }

        @Override
        public ByteBuffer bytes() {
            return retained.bytes();
        }

        @Override
        public RetainedBuffer retain() {
            calls.add("retained");
            return retained;
        }
    }
}
