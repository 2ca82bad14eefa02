package dev.sluice.demultiplexer.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The kernel drops the requests of a thread that ends. Where threads share a ring, the operations go on. */
@EnabledIfIoUring
@Timeout(60)
class EndedThreadTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int ROUNDS = 3;

    private MultiThreadedIoUringDemultiplexer demultiplexer;
    private Completions completions;
    private SocketAcceptor acceptor;
    private SocketStream near;
    private SocketStream far;

    @BeforeEach
    void open() throws IOException {
        demultiplexer = new MultiThreadedIoUringDemultiplexer(IoUringSize.configured(), false);
        completions = demultiplexer.newCompletions(8);
        acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0));
        far = SocketConnector.connect(acceptor.localAddress(), PATIENCE);
        near = acceptor.accept(PATIENCE);
    }

    @AfterEach
    void close() {
        demultiplexer.close();
        completions.close();
        near.close();
        far.close();
        acceptor.close();
    }

    /** Runs a task in a thread, and returns when the kernel has ended it, too. */
    private static void inThread(Callable<Void> task) throws Exception {
        FutureTask<KernelTask> running = new FutureTask<>(() -> {
            task.call();
            return KernelTask.current(KernelTask.PROCFS, PATIENCE);
        });
        new Thread(running).start();
        assertTrue(running.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS).awaitEnd());
    }

    /** Another thread submits what is started, waits for nothing and ends; the next one finds it dropped, and so on. */
    private void submitByThreadsThatEnd() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            inThread(() -> {
                try (Completions own = demultiplexer.newCompletions(8)) {
                    assertEquals(0, demultiplexer.awaitCompletions(own, 0));
                }
                return null;
            });
        }
    }

    private Map<Operation, Long> results(int count) throws IOException {
        Map<Operation, Long> results = new HashMap<>();
        while (results.size() < count) {
            int collected = demultiplexer.awaitCompletions(completions, PATIENCE.toNanos());
            assertTrue(collected > 0, () -> "only " + results);
            for (int i = 0; i < collected; i++) {
                results.put(completions.operation(i), completions.result(i));
                SocketStream accepted = completions.get(i).stream();
                if (accepted != null) {
                    accepted.close();
                }
            }
        }
        return results;
    }

    @Test
    void receivesAcceptsPollsAndTimeoutsContinue() throws Exception {
        Association where = demultiplexer.associate(near.handle());
        Operation receive = demultiplexer.newOperation();
        receive.receive(where, ByteBuffer.allocateDirect(1));
        Operation poll = demultiplexer.newOperation();
        poll.poll(demultiplexer.associate(far.handle()), EventType.READ);
        Operation accept = demultiplexer.newOperation();
        accept.accept(demultiplexer.associate(acceptor.handle()), acceptor);
        Operation timeout = demultiplexer.newOperation();
        timeout.timeout(TimeUnit.MILLISECONDS.toNanos(300));
        submitByThreadsThatEnd();
        far.send(ByteBuffer.allocate(1));
        near.send(ByteBuffer.allocate(1));
        try (SocketStream peer = SocketConnector.connect(acceptor.localAddress(), PATIENCE)) {
            Map<Operation, Long> results = results(4);
            assertEquals(1, results.get(receive));
            assertEquals(EventType.READ, results.get(poll) & EventType.READ);
            assertEquals(0, results.get(accept));
            assertEquals(0, results.get(timeout));
            assertTrue(peer.handle().isOpen());
        }
    }

    @Test
    void continuousReceiveGoesOn() throws Exception {
        Operation receive = demultiplexer.newOperation();
        receive.receiveContinuously(demultiplexer.associate(near.handle()));
        for (int round = 1; round <= ROUNDS; round++) {
            submitByThreadsThatEnd();
            far.send(ByteBuffer.allocate(round));
            assertEquals(Map.of(receive, (long) round), results(1));
        }
        assertTrue(receive.isInFlight());
    }

    @Test
    void sendContinuesWhereItWas() throws Exception {
        byte[] content = new byte[4 << 20];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (i * 31 >> 7);
        }
        Operation send = demultiplexer.newOperation();
        ByteBuffer source = ByteBuffer.allocateDirect(content.length).put(content).flip();
        send.send(demultiplexer.associate(near.handle()), source, true);
        submitByThreadsThatEnd();
        ByteBuffer received = ByteBuffer.allocate(content.length);
        Thread reader = new Thread(() -> {
            try {
                far.receiveFully(received, PATIENCE);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        reader.start();
        assertEquals(Map.of(send, (long) content.length), results(1));
        reader.join();
        assertEquals(ByteBuffer.wrap(content), received.flip());
    }

    /** A dropped request may have the same result, but not twice. Behind the end of a mapped file is no memory. */
    @Test
    void errorOfTheMemoryIsReported(@TempDir Path directory) throws IOException {
        try (FileChannel file = FileChannel.open(directory.resolve("file"), StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer lost = file.map(FileChannel.MapMode.READ_WRITE, 0, 1);
            file.truncate(0);
            far.send(ByteBuffer.allocate(1));
            Operation receive = demultiplexer.newOperation();
            receive.receive(demultiplexer.associate(near.handle()), lost);
            assertEquals(Map.of(receive, (long) -Errno.EFAULT.number()), results(1));
        }
    }

    @Test
    void wakeUpReachesTheNextThread() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            submitByThreadsThatEnd();
            FutureTask<Integer> waiting = new FutureTask<>(() ->
                    demultiplexer.awaitCompletions(completions, PATIENCE.toNanos()));
            Thread waiter = new Thread(waiting);
            waiter.start();
            demultiplexer.wakeUp();
            assertEquals(0, waiting.get(PATIENCE.toNanos() / 2, TimeUnit.NANOSECONDS));
            waiter.join();
        }
    }
}
