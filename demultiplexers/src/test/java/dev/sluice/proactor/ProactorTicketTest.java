package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Cancelling what was started on no handle: timeouts, files that are being opened, connections that are being made. */
class ProactorTicketTest extends ProactorContract {

    private static final Duration A_DAY = Duration.ofDays(1);
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);
    /** More than the threads that open files where the system cannot do that in the background. */
    private static final int OPENS = 12;
    private static final int MANY = 1_000;

    @TempDir
    Path directory;

    @Test
    void endsThatTimeoutOnly() throws Exception {
        long[] tickets = new long[4];
        for (int i = 0; i < tickets.length; i++) {
            tickets[i] = proactor.timeout(recorder, i, A_DAY);
        }
        for (boolean running : new boolean[] {false, true}) {
            int which = running ? 0 : 2;
            if (running) {
                runUntilIdle();
            }
            proactor.cancel(tickets[which]);
            CompletionRecorder.Result result = result(which);
            assertTrue(result.isCancelled());
            assertEquals(OperationType.TIMEOUT, result.type());
        }
        runUntilIdle();
        assertEquals(2, recorder.results().size());
        proactor.close();
        assertTrue(recorder.last(1).isCancelled());
        assertTrue(recorder.last(3).isCancelled());
    }

    @Test
    void isHarmlessWhenItsOperationIsOver() throws Exception {
        long stale = proactor.timeout(recorder, "short", Duration.ZERO);
        result("short");
        proactor.cancel(stale);
        long fresh = proactor.timeout(recorder, "long", A_DAY);
        assertNotEquals(stale, fresh);
        proactor.cancel(stale);
        runUntilIdle();
        assertFalse(recorder.isOver("long"));
        proactor.cancel(fresh);
        proactor.cancel(fresh);
        assertTrue(result("long").isCancelled());
        proactor.timeout(recorder, "longer", A_DAY);
        proactor.cancel(fresh);
        proactor.cancel(Long.MAX_VALUE);
        proactor.cancel(-1);
        runUntilIdle();
        assertFalse(recorder.isOver("longer"));
    }

    @Test
    void endsEachOfMany() throws Exception {
        long[] tickets = new long[MANY];
        for (int i = 0; i < MANY; i++) {
            tickets[i] = proactor.timeout(recorder, i, A_DAY);
        }
        for (int i = 0; i < MANY; i += 2) {
            proactor.cancel(tickets[i]);
        }
        runUntil(() -> recorder.over() == MANY / 2);
        runUntilIdle();
        assertEquals(MANY / 2, recorder.results().size());
        // Those that have ended are used again.
        for (int i = 0; i < MANY; i += 2) {
            proactor.timeout(recorder, MANY + i, A_DAY);
        }
        for (int i = 1; i < MANY; i += 2) {
            proactor.cancel(tickets[i]);
        }
        runUntil(() -> recorder.over() == MANY);
        runUntilIdle();
        assertEquals(MANY, recorder.results().size());
        assertTrue(recorder.tokens().stream().allMatch(token -> (Integer) token < MANY));
    }

    @Test
    void anotherThreadCancels() throws Exception {
        runInBackground();
        for (int i = 0; i < MANY; i++) {
            int token = i;
            proactor.cancel(proactor.timeout(recorder, token, A_DAY));
            OtherThread.await(() -> recorder.isOver(token));
            assertTrue(recorder.last(token).isCancelled());
        }
    }

    /** {@return an address where connections are never completed: Linux drops what the backlog does not hold} */
    private SocketAddress unresponsive() throws IOException {
        SocketAddress address = own(SocketAcceptor.unbound(StandardProtocolFamily.INET).bind(ANY_PORT, 1))
                .localAddress();
        for (int i = 0; i < 2; i++) {
            own(SocketConnector.connect(address, LIMIT));
        }
        return address;
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void endsAnAttemptToConnect() throws Exception {
        SocketAddress address = unresponsive();
        CompletionRecorder own = recorder("own");
        long waits = proactor.connect(recorder, "waits", address, A_DAY);
        long cancelled = proactor.connect(own, "cancelled", address, A_DAY);
        proactor.cancel(cancelled);
        runUntil(() -> own.isOver("cancelled"));
        assertTrue(own.last("cancelled").isCancelled());
        assertEquals(OperationType.CONNECT, own.last("cancelled").type());
        runUntilIdle();
        assertFalse(recorder.isOver("waits"));
        proactor.cancel(waits);
        assertTrue(result("waits").isCancelled());
        proactor.cancel(waits);
        runUntilIdle();
        assertEquals(1, recorder.results().size());
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void endsTheOpeningOfAFileOrBringsIt() throws Exception {
        Path fifo = directory.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).inheritIO().start().waitFor());
        List<Long> tickets = new ArrayList<>();
        for (int i = 0; i < OPENS; i++) {
            // Waits until the other end is opened.
            tickets.add(proactor.openFile(recorder, i, fifo, StandardOpenOption.READ));
        }
        runUntilIdle();
        // io_uring opens a FIFO for reading at once, as with O_NONBLOCK.
        boolean opensAtOnce = recorder.over() > 0;
        tickets.forEach(proactor::cancel);
        runUntil(() -> recorder.over() > 0);
        FileHandle other = own(FileHandle.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE));
        runUntil(() -> recorder.over() == OPENS);
        int cancelled = 0;
        for (CompletionRecorder.Result result : recorder.results()) {
            assertEquals(OperationType.OPEN, result.type());
            assertTrue(result.isCancelled() || result.isSuccess(), result::toString);
            assertEquals(result.isCancelled(), result.file() == null);
            cancelled += result.isCancelled() ? 1 : 0;
        }
        assertTrue(opensAtOnce || cancelled > 0);
        assertTrue(other.handle().isOpen());
        // A thread that comes to open it only now, for an operation that was cancelled, finds nothing to wait for.
        Files.delete(fifo);
    }

    @Test
    void aFutureCancelsItsOperationAlone() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        CompletableFuture<Long> first = stream.receiveFuture(ByteBuffer.allocate(1));
        CompletableFuture<Long> second = stream.receiveFuture(ByteBuffer.allocate(1));
        first.cancel(false);
        runUntil(first::isDone);
        assertTrue(first.isCancelled());
        connection.send("x");
        assertEquals(1, result(second));
        CompletableFuture<FileHandle> missing = proactor.openFileFuture(directory.resolve("missing"));
        CompletableFuture<FileHandle> made = proactor.openFileFuture(directory.resolve("made"),
                StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        runUntil(() -> missing.isDone() && made.isDone());
        assertFalse(made.cancel(false));
        own(made.join());
        assertTrue(missing.isCompletedExceptionally());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theFutureOfAConnectionCancelsTheAttempt() throws Exception {
        CompletableFuture<SocketStream> connect = proactor.connectFuture(unresponsive(), A_DAY);
        connect.cancel(false);
        runUntil(connect::isDone);
        assertTrue(connect.isCancelled());
    }

    @Test
    void aFutureThatHasFailedFromTheStartIsCancelledWithoutSuccess() throws Exception {
        CompletableFuture<SocketStream> nowhere = proactor.connectFuture(
                InetSocketAddress.createUnresolved("unknown.invalid", 7), A_DAY);
        assertTrue(nowhere.isCompletedExceptionally());
        assertFalse(nowhere.cancel(true));
    }
}
